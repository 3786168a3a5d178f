/**
 * Confidence intervals, and the distributions behind them. `coinSums` and `drawnSums` return those of
 * the sum of randomly chosen integer weights: entry s is the probability of the sum s. They are exact,
 * with or without ties, by the shift algorithm of Streitberg and Röhmel:
 * https://search.r-project.org/CRAN/refmans/exactRankTests/html/wilcox.exact.html
 */
import type { ConfidenceInterval } from "../model/derived.ts";

/** Returns the distribution of the sum if each weight is included with probability 1/2. */
export function coinSums(weights: readonly number[]): Float64Array {
  let chances = Float64Array.of(1);
  for (const weight of weights) chances = shifted(chances, chances, weight).map((c) => c / 2);
  return chances;
}

/** Returns the distribution of the sum of `size` weights, if each choice is equally probable. */
export function drawnSums(weights: readonly number[], size: number): Float64Array {
  const counts = [Float64Array.of(1), ...Array.from({ length: size }, () => new Float64Array())];
  for (const weight of weights) {
    // The largest size comes first, so that no weight is taken twice
    for (let taken = size; taken > 0; taken--) {
      const [without, before] = [counts[taken], counts[taken - 1]];
      if (without && before) counts[taken] = shifted(without, before, weight);
    }
  }
  const ways = counts.at(-1) ?? new Float64Array();
  const total = totalOf(ways);
  return ways.map((count) => count / total);
}

/** Returns the two-sided p-value of a sum: twice the smaller tail that includes it, at most 1. */
export function twoSided(chances: Float64Array, observed: number): number {
  const tails = [chances.subarray(0, observed + 1), chances.subarray(observed)].map(totalOf);
  return Math.min(1, 2 * Math.min(...tails));
}

function totalOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function shifted(a: Float64Array, b: Float64Array, shift: number): Float64Array<ArrayBuffer> {
  const sum = new Float64Array(Math.max(a.length, b.length + shift));
  sum.set(a);
  for (let i = 0; i < b.length; i++) sum[i + shift] = (sum[i + shift] ?? 0) + (b[i] ?? 0);
  return sum;
}

/**
 * Returns the confidence interval of a median for any distribution: the narrowest symmetric pair of
 * order statistics that covers at least `level`. Null for too few values: fewer than 6 at 95 %.
 * https://en.wikipedia.org/wiki/Order_statistic#Confidence_intervals_for_quantiles
 */
export function medianConfidenceInterval(
  values: readonly number[],
  level = 0.95,
): ConfidenceInterval | null {
  // Each value is below the true median with probability 1/2
  return rankConfidenceInterval(values, coinSums(values.map(() => 1)), level);
}

/**
 * Returns the interval from the k-th smallest to the k-th largest value, with the largest k for which
 * the coverage 1 - 2 P(fewer than k values are below the true value) is at least `level`; else null.
 * `chances[i]` is the probability that i of the values are below the true value; it must be symmetric.
 * https://stat.ethz.ch/R-manual/R-devel/library/stats/html/wilcox.test.html
 */
export function rankConfidenceInterval(
  values: readonly number[],
  chances: Float64Array,
  level: number,
): ConfidenceInterval | null {
  const sorted = values.toSorted((a, b) => a - b);
  let confidenceInterval: ConfidenceInterval | null = null;
  let below = 0;
  for (const [i, low] of sorted.entries()) {
    below += chances[i] ?? 0;
    const coverage = 1 - 2 * below;
    if (!(coverage >= level)) break;
    confidenceInterval = { low, high: sorted.at(-1 - i) ?? low, coverage };
  }
  return confidenceInterval;
}

/** The 0.975 quantile of the standard normal distribution: 95 % of its values are that close to 0. */
export const Z_975 = 1.959964;
/** The 0.8 quantile of the standard normal distribution, for a power of 80 %. */
export const Z_80 = 0.841621;

/** Returns the standard normal tail above z, to 1e-15: https://doi.org/10.18637/jss.v011.i04 */
export function normalTail(z: number): number {
  // Beyond 8.5 the tail is smaller than the error
  if (Math.abs(z) > 8.5) return z > 0 ? 0 : 1;
  let term = z;
  let sum = z;
  for (let i = 3; Math.abs(term) > 1e-17 * Math.abs(sum); i += 2) {
    term *= z * z / i;
    sum += term;
  }
  return Math.max(0, 0.5 - sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI));
}

/** Returns the z of an upper tail, to 1e-12. Throws a `RangeError` unless that is within 0 and 0.5. */
export function normalQuantile(tail: number): number {
  if (!(tail > 0 && tail < 0.5)) throw new RangeError(`Cannot find the quantile of tail ${tail}`);
  let [low, high] = [0, 8.5];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (normalTail(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Returns whether n observations suffice for quantile p (0.99 for the 99th percentile). With 95 %
 * probability, the true quantile is between the ranks n p ± 1.96 sqrt(n p (1 - p)), which must be within
 * the sample: 381 observations for p99, 3838 for p99.9. Observations of one connection are only roughly
 * independent, as this assumes. Throws a `RangeError` unless p is between 0 and 1, both excluded.
 * https://en.wikipedia.org/wiki/Order_statistic#Confidence_intervals_for_quantiles
 */
export function quantileIsKnown(n: number, p: number): boolean {
  if (!(p > 0 && p < 1)) {
    throw new RangeError(`Cannot take quantile ${p}: it is not within 0 and 1`);
  }
  return n >= observationsFor(p);
}

/** Returns the smallest number of observations for which {@linkcode quantileIsKnown} is true. */
export function observationsFor(p: number): number {
  // The same inequalities, solved for n
  return Math.ceil(Z_975 ** 2 / Math.min((1 - p) / p, p / (1 - p)));
}

/**
 * Returns the smallest share of wrong responses that n independent checks detect with probability
 * `level`: `1 - (1 - level)^(1/n)`, about 3/n at 95 %. Throws a `RangeError` if n is less than 1.
 * https://en.wikipedia.org/wiki/Rule_of_three_(statistics)
 */
export function detectableShare(n: number, level = 0.95): number {
  if (!(n >= 1)) throw new RangeError(`Cannot conclude anything from ${n} checks`);
  return -Math.expm1(Math.log1p(-level) / n);
}
