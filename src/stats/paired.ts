import { doubledRanks } from "./ranks.ts";
import { logRatio, type Ratio, ratioOf } from "./ratio.ts";
import { coinSums, twoSided } from "./sums.ts";

/**
 * Estimates the ratio of a to b for pairs from the same rounds; null without a round. A disturbance of a
 * whole round changes both values, and so not their ratio. The estimate is the median of the Walsh averages.
 * These are the means of all pairs of log ratios, including each ratio with itself.
 *
 * The confidence interval contains the ratios that Wilcoxon's exact signed-rank test does not reject. At 95
 * %, it needs 6 rounds. If several ratios are equally far from 1, it covers more than stated, never less. It
 * assumes that the distribution of ln(a / b) is symmetric.
 * https://en.wikipedia.org/wiki/Hodges%E2%80%93Lehmann_estimator
 * https://stat.ethz.ch/R-manual/R-devel/library/stats/html/wilcox.test.html
 *
 * @param level minimum probability that the interval covers the true ratio, 0 to 1
 * @throws {RangeError} if the lengths differ, or a value is not positive and finite.
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
 * Returns the two-sided p-value of Wilcoxon's signed-rank test. It is exact for any number of differences. As
 * in Wilcoxon's paper, differences of zero are dropped, and equally large differences share the mean of their
 * ranks. The distribution is that of the sum of these ranks with random signs.
 * https://en.wikipedia.org/wiki/Wilcoxon_signed-rank_test
 */
function signedRank(differences: readonly number[]): number {
  const known = differences.filter((difference) => difference !== 0);
  const ranks = doubledRanks(known.map(Math.abs));
  const positive = ranks.filter((_rank, i) => (known[i] as number) > 0);
  return twoSided(coinSums(ranks), positive.reduce((sum, rank) => sum + rank, 0));
}
