/** Returns the sum; 0 for no values. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Returns the median. For an even number of values, it is the mean of the middle two.
 *
 * @throws {RangeError} if the list is empty.
 */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("Cannot take the median of no values");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/**
 * Distance from the median, in median absolute deviations, beyond which a value is an outlier. This
 * threshold of hyperfine equals 10 standard deviations of normally distributed values.
 * https://github.com/sharkdp/hyperfine/blob/master/src/outlier_detection.rs
 */
const OUTLIER_DISTANCE = 14.826;

/**
 * Returns the coefficient of variation: the sample's standard deviation (n - 1) divided by its mean.
 * 0.02 is 2 %. Null for fewer than 2 values, or if the mean is 0.
 * https://en.wikipedia.org/wiki/Coefficient_of_variation
 */
export function coefficientOfVariation(values: readonly number[]): number | null {
  const n = values.length;
  const mean = sum(values) / n;
  if (n < 2 || mean === 0) return null;
  const squares = sum(values.map((value) => (value - mean) ** 2));
  return Math.sqrt(squares / (n - 1)) / Math.abs(mean);
}

/**
 * Returns the median absolute deviation in the values' unit, not scaled to a standard deviation.
 * https://en.wikipedia.org/wiki/Median_absolute_deviation
 *
 * @throws {RangeError} if the list is empty.
 */
export function medianAbsoluteDeviation(values: readonly number[]): number {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle)));
}

/**
 * Returns the indices of outliers. Outliers are only displayed; no value is left out. If at least half
 * of the values are equal, there are none: any other value would be infinitely far away.
 */
export function outliers(values: readonly number[]): number[] {
  if (values.length === 0) return [];
  const middle = median(values);
  const deviation = medianAbsoluteDeviation(values);
  if (deviation === 0) return [];
  return values.flatMap((value, i) =>
    Math.abs(value - middle) > OUTLIER_DISTANCE * deviation ? [i] : []
  );
}
