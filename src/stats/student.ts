/** Student's t distribution, for the mean of a few differences. */
import { mean, sum } from "./median.ts";

/**
 * Returns the probability that |t| is at most a value, for a whole number of degrees of freedom from 1:
 * formulas 26.7.3 and 26.7.4 of Abramowitz and Stegun, https://personal.math.ubc.ca/~cbm/aands/page_948.htm
 */
export function withinT(t: number, freedom: number): number {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let series = freedom === 1 ? 0 : term;
  for (let i = isOdd ? 3 : 2; i < freedom; i += 2) {
    term *= (i - 1) / i * cosine ** 2;
    series += term;
  }
  return isOdd ? 2 / Math.PI * (angle + sine * series) : sine * series;
}

/** Returns the value that |t| exceeds with probability `alpha`, to within 1e-9. */
export function quantileT(alpha: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (withinT(high, freedom) < 1 - alpha) high *= 2;
  while (high - low > 1e-9 * high) {
    const middle = (low + high) / 2;
    if (withinT(middle, freedom) < 1 - alpha) low = middle;
    else high = middle;
  }
  return high;
}

/** The mean of paired differences with its confidence interval, in their unit. */
export interface MeanDifference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided p-value of the hypothesis that the true mean is 0. */
  readonly pValue: number;
}

/**
 * Returns the mean of differences, with an interval that misses the true one with probability `alpha`.
 * It assumes normal differences. Null for fewer than two.
 * https://www.itl.nist.gov/div898/handbook/eda/section3/eda352.htm
 */
export function meanDifference(values: readonly number[], alpha: number): MeanDifference | null {
  const { length } = values;
  if (length < 2) return null;
  const middle = mean(values);
  const variance = sum(values.map((value) => (value - middle) ** 2)) / (length - 1);
  const error = Math.sqrt(variance / length);
  const half = quantileT(alpha, length - 1) * error;
  const pValue = error === 0 ? Number(middle === 0) : 1 - withinT(middle / error, length - 1);
  return { mean: middle, low: middle - half, high: middle + half, pValue };
}
