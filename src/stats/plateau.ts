/** Tests by its quarters whether a series still climbs, falls or drifts. */
import { median } from "./median.ts";

/** The state of a load at one moment: seconds since its start, and requests so far. */
export interface Sample {
  readonly seconds: number;
  readonly requests: number;
}

/** Maximum growth of a steady rate per quarter, as a share. Less, and noise extends warm-ups. */
export const STEADY_GROWTH = 0.05;
/** Maximum change of steady values over the three steps between quarters, as a share. */
const SETTLED = 0.1;
/** Minimum number of values for a drift: four in each quarter. With fewer, a median means little. */
const FEWEST_VALUES = 16;

/**
 * Returns whether a rate still climbed at the end: whether the last quarter, by time or by number of
 * requests, was more than 5 % faster than the one before it. A JIT compiler that lacks CPU time
 * progresses with requests; one in the background progresses with time. The load starts at zero.
 */
export function isClimbing(samples: readonly Sample[]): boolean {
  const last = samples.at(-1);
  if (last === undefined || last.requests === 0) return false;
  const all = [{ seconds: 0, requests: 0 }, ...samples];
  const { seconds, requests } = last;
  const requestsAt = (share: number): number =>
    interpolated(all, "seconds", share * seconds, "requests");
  const secondsAt = (share: number): number =>
    interpolated(all, "requests", share * requests, "seconds");
  const byTime = (requests - requestsAt(0.75)) / (requestsAt(0.75) - requestsAt(0.5));
  const byRequests = (secondsAt(0.75) - secondsAt(0.5)) / (seconds - secondsAt(0.75));
  return byTime > 1 + STEADY_GROWTH || byRequests > 1 + STEADY_GROWTH;
}

function interpolated(
  samples: readonly Sample[],
  x: keyof Sample,
  at: number,
  y: keyof Sample,
): number {
  const next = samples.findIndex((sample) => sample[x] >= at);
  const [before, after] = [samples[next - 1], samples[next]];
  if (after === undefined) return NaN;
  if (before === undefined || after[x] === before[x]) return after[y];
  return before[y] + (after[y] - before[y]) * (at - before[x]) / (after[x] - before[x]);
}

/** Returns whether the median of positive values fell by more than 5 % in the last quarter. */
export function isFalling(values: readonly number[]): boolean {
  if (values.length < 4) return false;
  const [, , third, fourth] = quarterMedians(values);
  return fourth < third * (1 - STEADY_GROWTH);
}

/**
 * Returns the drift of positive values: the logarithm of the last quarter's median over the first
 * quarter's. It is 0 for fewer than 16 values, and unless all quarters move in one direction, by more
 * than 10 % together. If values drift, their median depends on when the measurement started.
 */
export function driftOf(values: readonly number[]): number {
  if (values.length < FEWEST_VALUES) return 0;
  const [first, second, third, last] = quarterMedians(values);
  const isOneWay = (first < second && second < third && third < last) ||
    (first > second && second > third && third > last);
  const drift = Math.log(last / first);
  return isOneWay && Math.abs(drift) > Math.log(1 + SETTLED) ? drift : 0;
}

function quarterMedians(values: readonly number[]): [number, number, number, number] {
  const length = values.length / 4;
  const quarter = (i: number): number =>
    median(values.slice(Math.floor(i * length), Math.floor((i + 1) * length)));
  return [quarter(0), quarter(1), quarter(2), quarter(3)];
}
