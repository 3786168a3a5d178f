/** Tests whether a series still climbs, by its quarters. */
import { median } from "./median.ts";

/** The state of a load at one moment, counted from its start. */
export interface Sample {
  readonly seconds: number;
  readonly requests: number;
}

/** Maximum growth of a steady rate from one quarter to the next, as a share. */
export const LEVEL = 0.05;
/** Maximum difference between the first and last quarter of steady values, as a share. */
const SETTLED = 0.1;
/** Minimum number of values. With fewer, the median of a quarter means little. */
const FEWEST_VALUES = 16;

/**
 * Returns whether a rate still climbed at the end: the last quarter was faster than the one before it.
 * Quarters are of time and of requests. A JIT compiler that lacks CPU time advances by requests; one in the
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

/** Returns the height of a curve at a place, interpolated between its neighbouring samples. */
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

/**
 * Returns whether positive values still fell at the end: the last quarter compared with the one before it.
 */
export function isFalling(values: readonly number[]): boolean {
  if (values.length < 4) return false;
  const [, , third = NaN, fourth = NaN] = quarterMedians(values);
  return fourth < third * (1 - LEVEL);
}

/**
 * Returns the drift of positive values from the first to the last quarter, as a logarithm. Returns 0 unless
 * they moved in one direction by more than 10 %, and for fewer than 16 values. The median of drifting values
 * depends on the start of the measurement.
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
