/** Detects windows and results of servers that had not warmed up. */
import type { Reason } from "../model/derived.ts";
import type { WindowRecord } from "../model/raw.ts";
import { mean, sum } from "../stats/median.ts";

/** Minimum increase of the rate from the first to the second half of a climbing window, as a share. */
const TREND = 0.1;
/**
 * A window climbs if this share of all pairs of its parts rises. With six parts, 13 of 15 pairs rise in
 * 2.8 % of random orders (Mann-Kendall trend test).
 */
const RISING = 0.85;
const PARTS = 6;

/** Returns whether a server had not warmed up: the warm-up or the rates in the window show it. */
export function isClimbingWindow(window: WindowRecord): boolean {
  const { warmup, slicesPerS } = window.measurement;
  return warmup?.isSteady === false || ((trend(window) ?? 0) > TREND && isRising(slicesPerS));
}

/** Returns why a result is not compared: most of its windows climb. Null if they do not. */
export function climbingOf(windows: readonly WindowRecord[]): Reason | null {
  const climbing = windows.filter(isClimbingWindow).length;
  if (2 * climbing <= windows.length) return null;
  return { kind: "still-climbing", where: null, what: "windows", climbing, of: windows.length };
}

/** Returns how much faster the second half of a window was, as a share; null if it is too short. */
export function trend({ measurement: { slicesPerS } }: WindowRecord): number | null {
  const half = Math.floor(slicesPerS.length / 2);
  if (half < 2) return null;
  const first = sum(slicesPerS.slice(0, half));
  return first === 0 ? null : sum(slicesPerS.slice(-half)) / first - 1;
}

function isRising(rates: readonly number[]): boolean {
  const count = Math.min(PARTS, rates.length);
  const parts = Array.from({ length: count }, (_, i) => {
    const [from, to] = [i, i + 1].map((place) => Math.floor(place * rates.length / count));
    return mean(rates.slice(from, to));
  });
  const rises = parts.flatMap((a, i) => parts.slice(i + 1).map((b) => b > a));
  return rises.filter(Boolean).length >= RISING * rises.length;
}
