/** Whether a series still climbs: by rates in quarters of a load, or by the medians of quarters of values. */
import { median } from "./median.ts";

/** The state of a load at one moment, both counted from its start. */
export interface Sample {
  readonly seconds: number;
  readonly requests: number;
}

/** A rate that grew by less than this from one quarter to the next counts as level: a share. */
export const LEVEL = 0.05;
/** Values in which the last quarter differs by less than this from the first count as settled: a share. */
const SETTLED = 0.1;
/** Fewer values have no quarters with a median worth the name. */
const FEWEST_VALUES = 16;

/**
 * Returns whether a rate still climbed at the end: the last quarter was faster than the quarter before it, by
 * time or by requests. A compiler that is starved of CPU time advances by requests; one that works in the
 * background advances by time.
 *
 * @param samples in order; the load starts at zero
 */
export function isClimbing(samples: readonly Sample[]): boolean {
  const last = samples.at(-1);
  if (last === undefined || last.requests === 0) return false;
  const all = [{ seconds: 0, requests: 0 }, ...samples];
  const { seconds, requests } = last;
  const requestsAt = (share: number): number =>
    interpolated(all, share * seconds, (sample) => sample.seconds, (sample) => sample.requests);
  const secondsAt = (share: number): number =>
    interpolated(all, share * requests, (sample) => sample.requests, (sample) => sample.seconds);
  const byTime = (requests - requestsAt(0.75)) / (requestsAt(0.75) - requestsAt(0.5));
  const byRequests = (secondsAt(0.75) - secondsAt(0.5)) / (seconds - secondsAt(0.75));
  return byTime > 1 + LEVEL || byRequests > 1 + LEVEL;
}

/** Returns the height of a curve at a place, between its neighbouring samples. */
function interpolated(
  samples: readonly Sample[],
  at: number,
  x: (sample: Sample) => number,
  y: (sample: Sample) => number,
): number {
  const next = samples.findIndex((sample) => x(sample) >= at);
  const [before, after] = [samples[next - 1], samples[next]];
  if (after === undefined) return NaN;
  if (before === undefined || x(after) === x(before)) return y(after);
  return y(before) + (y(after) - y(before)) * (at - x(before)) / (x(after) - x(before));
}

/** Returns whether positive values still fell at the end: their last quarter against the quarter before it. */
export function isFalling(values: readonly number[]): boolean {
  if (values.length < 4) return false;
  const [, , third = NaN, fourth = NaN] = quarterMedians(values);
  return fourth < third * (1 - LEVEL);
}

/**
 * Returns how far positive values moved from beginning to end, as a logarithm, if they did so in one direction and by
 * more than 10 %: their median then depends on when one began to measure. 0 otherwise, and for fewer than 16 values.
 */
export function driftOf(values: readonly number[]): number {
  if (values.length < FEWEST_VALUES) return 0;
  const quarters = quarterMedians(values);
  const [first = NaN, last = NaN] = [quarters[0], quarters.at(-1)];
  const steps = quarters.slice(1).map((value, i) => value - (quarters[i] ?? NaN));
  const isOneWay = steps.every((step) => step > 0) || steps.every((step) => step < 0);
  const drift = Math.log(last / first);
  return isOneWay && Math.abs(drift) > Math.log(1 + SETTLED) ? drift : 0;
}

function quarterMedians(values: readonly number[]): number[] {
  const length = values.length / 4;
  return [0, 1, 2, 3].map((i) =>
    median(values.slice(Math.floor(i * length), Math.floor((i + 1) * length)))
  );
}
