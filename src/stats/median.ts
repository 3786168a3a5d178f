/** Sums, means, medians, and estimates of figures over rounds. */
import type { Estimate } from "../model/derived.ts";
import { medianConfidenceInterval } from "./confidence_interval.ts";
import { minimumDetectableChange } from "./power.ts";

/** Returns the sum; 0 for no values. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Returns the median: for an even number, the mean of the middle two. Throws a `RangeError` for none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("Cannot take the median of no values");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Returns the lower median: for an even number, the lower of the middle two. Throws a `RangeError` for none. */
export function lowerMedian(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("Cannot take the median of no values");
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] as number;
}

/** Returns the median of the known values, or another figure of them; null if none is known. */
export function typical<T>(
  items: readonly T[],
  value: (item: T) => number | null,
  figure: (values: readonly number[]) => number = median,
): number | null {
  const known = items.map(value).filter((one) => one !== null);
  return known.length === 0 ? null : figure(known);
}

/**
 * Distance from the median, in median absolute deviations, beyond which a value is an outlier. This
 * threshold of hyperfine equals 10 standard deviations of normally distributed values.
 * https://github.com/sharkdp/hyperfine/blob/master/src/outlier_detection.rs
 */
const OUTLIER_DISTANCE = 14.826;

/**
 * Returns the estimate of a figure over the items that have it; null if none has it. The median absolute
 * deviation is not scaled to a standard deviation:
 * https://en.wikipedia.org/wiki/Median_absolute_deviation
 *
 * Outliers are only displayed; no value is left out. If at least half of the values are equal, there are
 * none: any other value would be infinitely far away.
 */
export function estimateOf<T>(
  items: readonly T[],
  roundOf: (item: T) => number,
  figure: (item: T) => number | null,
): Estimate | null {
  const known = items.flatMap((item) => {
    const value = figure(item);
    return value === null ? [] : [{ round: roundOf(item), value }];
  });
  if (known.length === 0) return null;
  const values = known.map(({ value }) => value);
  const cv = coefficientOfVariation(values);
  const middle = median(values);
  const mad = median(values.map((value) => Math.abs(value - middle)));
  return {
    median: middle,
    min: Math.min(...values),
    max: Math.max(...values),
    confidenceInterval: medianConfidenceInterval(values),
    cv,
    mad,
    outlierRounds: known.filter(({ value }) =>
      mad > 0 && Math.abs(value - middle) > OUTLIER_DISTANCE * mad
    ).map(({ round }) => round),
    minimumDetectableChange: cv === null ? null : minimumDetectableChange(cv, values.length),
  };
}

/**
 * Returns the sample's standard deviation (n - 1) divided by its mean: 0.02 is 2 %. Null for fewer than 2
 * values, or if the mean is 0. https://en.wikipedia.org/wiki/Coefficient_of_variation
 */
function coefficientOfVariation(values: readonly number[]): number | null {
  const n = values.length;
  const middle = mean(values);
  if (n < 2 || middle === 0) return null;
  const squares = sum(values.map((value) => (value - middle) ** 2));
  return Math.sqrt(squares / (n - 1)) / Math.abs(middle);
}
