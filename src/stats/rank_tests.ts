/** Ratios of two quantities by rank tests: Wilcoxon's for pairs, Mann-Whitney's for two samples. */
import type { ConfidenceInterval } from "../model/derived.ts";
import {
  coinSums,
  drawnSums,
  normalTail,
  rankConfidenceInterval,
  twoSided,
} from "./confidence_interval.ts";
import { median, sum } from "./median.ts";

/** The ratio of two quantities: 1.05 is 5 % more. */
export interface Ratio {
  readonly estimate: number;
  readonly confidenceInterval: ConfidenceInterval | null;
  /** Two-sided p-value of the hypothesis that both quantities are equal. */
  readonly pValue: number;
}

/**
 * Estimates the ratio of a to b for pairs from the same rounds; null without a round. A disturbance of a
 * whole round changes both values, and so not their ratio. The estimate is the median of the Walsh
 * averages: the means of all pairs of log ratios, including each ratio with itself.
 *
 * The confidence interval contains the ratios that Wilcoxon's exact signed-rank test does not reject. At
 * 95 %, it needs 6 rounds. If several ratios are equally far from 1, it covers more than `level`, never
 * less. It assumes that the distribution of ln(a / b) is symmetric. Throws a `RangeError` if the lengths
 * differ, or a value is not positive and finite.
 * https://en.wikipedia.org/wiki/Hodges%E2%80%93Lehmann_estimator
 * https://stat.ethz.ch/R-manual/R-devel/library/stats/html/wilcox.test.html
 */
export function pairedRatio(
  a: readonly number[],
  b: readonly number[],
  level = 0.95,
): Ratio | null {
  if (a.length !== b.length) {
    throw new RangeError(`Cannot pair ${a.length} values with ${b.length}`);
  }
  if (a.length === 0) return null;
  const logs = a.map((value, i) => logRatio(value, b[i] as number));
  const walshAverages = logs.flatMap((x, i) => logs.slice(i).map((y) => (x + y) / 2));
  const ranks = logs.map((_log, i) => i + 1);
  return ratioOf(walshAverages, coinSums(ranks), level, signedRank(logs));
}

/**
 * Estimates the ratio of a to b for independent samples, such as two reports; null if a sample is empty.
 * The estimate is the median of the ratios of all pairs.
 *
 * The confidence interval contains the ratios that the exact Mann-Whitney test does not reject. At 95 %,
 * it needs 4 values in each sample. If there are equal values, it covers more than `level`, never less.
 * It assumes that the distributions of ln a and ln b differ only by a shift.
 * https://en.wikipedia.org/wiki/Hodges%E2%80%93Lehmann_estimator
 * https://stat.ethz.ch/R-manual/R-devel/library/stats/html/wilcox.test.html
 *
 * The time grows with the fourth power of the number of values: 0.2 s for two samples of 100 values.
 * Throws a `RangeError` if a value is not positive and finite.
 */
export function independentRatio(
  a: readonly number[],
  b: readonly number[],
  level = 0.95,
): Ratio | null {
  if (a.length === 0 || b.length === 0) return null;
  const logs = a.flatMap((x) => b.map((y) => logRatio(x, y)));
  const ranks = [...a, ...b].map((_value, i) => i + 1);
  const smallestSum = a.length * (a.length + 1) / 2;
  const chances = drawnSums(ranks, a.length).subarray(smallestSum);
  return ratioOf(logs, chances, level, mannWhitney(a, b).pValue);
}

/**
 * Returns ln(a / b), which is exactly -ln(b / a): for rank tests, 2 and 1/2 are equally far from 1.
 * Throws a `RangeError` unless both are positive and finite.
 */
export function logRatio(a: number, b: number): number {
  if (!(Math.min(a, b) > 0 && Math.max(a, b) < Infinity)) {
    throw new RangeError(
      `Cannot take the ratio of ${a} and ${b}: both must be positive and finite`,
    );
  }
  return a >= b ? Math.log(a / b) : -Math.log(b / a);
}

/**
 * Returns the Hodges-Lehmann estimate and its confidence interval. `logs` are the logarithms of ratios,
 * one for each pair of the rank statistic. `chances[i]` is the probability that i of them are below the
 * true logarithm.
 */
function ratioOf(
  logs: readonly number[],
  chances: Float64Array,
  level: number,
  pValue: number,
): Ratio {
  const interval = rankConfidenceInterval(logs, chances, level);
  return {
    estimate: Math.exp(median(logs)),
    confidenceInterval: interval &&
      { ...interval, low: Math.exp(interval.low), high: Math.exp(interval.high) },
    pValue,
  };
}

/**
 * Returns twice the rank of each value, in the given order. Equal values share the mean of their ranks.
 * That mean may end in .5, but twice the mean is an integer.
 * https://en.wikipedia.org/wiki/Ranking#Fractional_ranking_(%221_2.5_2.5_4%22_ranking)
 */
function doubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * below + equal + 1;
  });
}

/**
 * Returns the exact two-sided p-value of Wilcoxon's signed-rank test, by the sum of ranks with random
 * signs. As in his paper, differences of zero are dropped, and equally large ones share the mean rank.
 * https://en.wikipedia.org/wiki/Wilcoxon_signed-rank_test
 */
function signedRank(differences: readonly number[]): number {
  const known = differences.filter((difference) => difference !== 0);
  const ranks = doubledRanks(known.map(Math.abs));
  return twoSided(coinSums(ranks), sum(ranks.filter((_rank, i) => (known[i] as number) > 0)));
}

/** Maximum number of values for an exact p-value, which takes too much time for more values. */
const EXACT_UP_TO = 100;

/**
 * Runs the two-sided Mann-Whitney test on two independent samples in the same unit. `u` is the number of
 * pairs in which a's value is larger; equal values count a half, and share the mean of their ranks.
 * Throws a `RangeError` if a sample is empty, or a value is not a number.
 *
 * Up to 100 values in total, the p-value is exact: it counts all ways to split the ranks into two
 * samples. With more values, it is the normal approximation, corrected for ties and continuity.
 * https://en.wikipedia.org/wiki/Mann%E2%80%93Whitney_U_test
 */
export function mannWhitney(
  a: readonly number[],
  b: readonly number[],
): { u: number; pValue: number; exact: boolean } {
  const values = [...a, ...b];
  if (a.length === 0 || b.length === 0 || values.some(Number.isNaN)) {
    throw new RangeError("Cannot compare samples that are empty or hold NaN");
  }
  const ranks = doubledRanks(values);
  const rankSum = sum(ranks.slice(0, a.length));
  const u = (rankSum - a.length * (a.length + 1)) / 2;
  const exact = values.length <= EXACT_UP_TO;
  const pValue = exact
    ? twoSided(drawnSums(ranks, a.length), rankSum)
    : approximation(u, ranks, a.length * b.length);
  return { u, pValue, exact };
}

/** Returns the two-sided p-value of u, by a normal distribution with the mean and the variance of u. */
function approximation(u: number, doubledRanks: readonly number[], pairs: number): number {
  const n = doubledRanks.length;
  // Ties reduce the variance of the ranks, so this includes the correction for ties
  const squares = sum(doubledRanks.map((rank) => ((rank - (n + 1)) / 2) ** 2));
  const deviation = Math.sqrt(pairs * squares / (n * (n - 1)));
  return Math.min(1, 2 * normalTail((Math.abs(u - pairs / 2) - 0.5) / deviation));
}
