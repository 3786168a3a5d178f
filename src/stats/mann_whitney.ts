import { normalTail } from "./normal.ts";
import { doubledRanks } from "./ranks.ts";
import { logRatio, type Ratio, ratioOf } from "./ratio.ts";
import { drawnSums, twoSided } from "./sums.ts";

/**
 * Maximum number of values for an exact p-value. With more values, the exact distribution takes more time
 * than its precision is worth.
 */
const EXACT_UP_TO = 100;

/**
 * Runs the two-sided Mann-Whitney test on two independent samples in the same unit. Equal values share the
 * mean of their ranks.
 *
 * Up to 100 values in total, the p-value is exact: it comes from all ways to split the ranks into two
 * samples. With more values, it comes from the normal approximation, corrected for ties and continuity.
 * https://en.wikipedia.org/wiki/Mann%E2%80%93Whitney_U_test
 *
 * @returns `u`: the number of pairs in which a's value is larger; equal values count a half
 * @throws {RangeError} if a sample is empty, or a value is not a number.
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
  const rankSum = ranks.slice(0, a.length).reduce((sum, rank) => sum + rank, 0);
  const u = (rankSum - a.length * (a.length + 1)) / 2;
  const exact = values.length <= EXACT_UP_TO;
  const pValue = exact
    ? twoSided(drawnSums(ranks, a.length), rankSum)
    : approximation(u, ranks, a.length * b.length);
  return { u, pValue, exact };
}

/**
 * Estimates the ratio of a to b for independent samples, such as two reports; null if a sample is empty. The
 * estimate is the median of the ratios of all pairs.
 *
 * The confidence interval contains the ratios that the exact Mann-Whitney test does not reject. At 95 %, it
 * needs 4 values in each sample. If there are equal values, it covers more than stated, never less. It
 * assumes that the distributions of ln a and ln b differ only by a shift.
 *
 * The time grows with the fourth power of the number of values. Two samples of 100 values take about 0.2 s.
 * https://en.wikipedia.org/wiki/Hodges%E2%80%93Lehmann_estimator
 * https://stat.ethz.ch/R-manual/R-devel/library/stats/html/wilcox.test.html
 *
 * @param level minimum probability that the interval covers the true ratio, 0 to 1
 * @throws {RangeError} if a value is not positive and finite.
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
 * Returns the two-sided p-value of u, by a normal distribution with the mean and the variance of u.
 *
 * @param ranks twice the rank of each value
 * @param pairs number of pairs of values
 */
function approximation(u: number, ranks: readonly number[], pairs: number): number {
  const n = ranks.length;
  // Ties reduce the variance of the ranks, so this includes the correction for ties
  const squares = ranks.reduce((sum, rank) => sum + ((rank - (n + 1)) / 2) ** 2, 0);
  const deviation = Math.sqrt(pairs * squares / (n * (n - 1)));
  return Math.min(1, 2 * normalTail((Math.abs(u - pairs / 2) - 0.5) / deviation));
}
