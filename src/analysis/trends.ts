/** Windows that began before their server had warmed up. */
import type { Reason } from "../model/derived.ts";
import type { WindowRecord } from "../model/raw.ts";
import { trend } from "./figures.ts";

/** A window climbs only if its second half is faster than its first by more than this share. */
const TREND = 0.1;
/**
 * Minimum share of pairs of its parts in rising order: 13 of 15 pairs of six parts, which 2.8 % of
 * orders at random have (Mann and Kendall's test of a trend).
 */
const RISING = 0.85;
/** Parts of a window that are compared, at most. */
const PARTS = 6;

/** Returns whether a window began before its server had warmed up, by its warm-up or by its own rates. */
export function isClimbingWindow(window: WindowRecord): boolean {
  const { warmup, slicesPerS } = window.measurement;
  if (warmup?.isSteady === false) return true;
  return (trend(window) ?? 0) > TREND && isRising(slicesPerS);
}

/** Returns why a result is compared with nothing, if most of its windows climb; null otherwise. */
export function climbingOf(windows: readonly WindowRecord[]): Reason | null {
  const climbing = windows.filter(isClimbingWindow).length;
  if (2 * climbing <= windows.length) return null;
  return { kind: "still-climbing", where: null, what: "windows", climbing, of: windows.length };
}

function isRising(rates: readonly number[]): boolean {
  const count = Math.min(PARTS, rates.length);
  const parts = Array.from({ length: count }, (_, i) => {
    const [from, to] = [i, i + 1].map((place) => Math.floor(place * rates.length / count));
    const own = rates.slice(from, to);
    return own.reduce((sum, rate) => sum + rate, 0) / own.length;
  });
  const pairs = parts.flatMap((a, i) => parts.slice(i + 1).map((b) => b > a));
  return pairs.filter((isHigher) => isHigher).length >= RISING * pairs.length;
}
