import { doubledRanks } from "./ranks.ts";
import { logRatio, type Ratio, ratioOf } from "./ratio.ts";
import { coinSums, twoSided } from "./sums.ts";

/**
 * How many times as large a is as b where `a[i]` and `b[i]` come from the same round, so that what
 * disturbs a whole round cancels; null without a round. The estimate is the median of the means of
 * all pairs of rounds, a round with itself included (Walsh averages), and the interval the one that
 * Wilcoxon's exact signed-rank test leaves: at 95 % it takes 6 rounds. Equal distances from 1 make it
 * cover more than it says, never less. It supposes that ln(a / b) is distributed symmetrically.
 * https://en.wikipedia.org/wiki/Hodges%E2%80%93Lehmann_estimator
 * https://stat.ethz.ch/R-manual/R-devel/library/stats/html/wilcox.test.html
 *
 * @param level how probably the interval shall at least cover the true ratio, 0 to 1
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
 * The two-sided p-value of Wilcoxon's signed-rank test, exact for any number of differences. As
 * Wilcoxon did it, zeros are dropped and equal distances share their ranks; the distribution is the
 * one of these very ranks when each sign falls like a coin.
 * https://en.wikipedia.org/wiki/Wilcoxon_signed-rank_test
 */
function signedRank(differences: readonly number[]): number {
  const known = differences.filter((difference) => difference !== 0);
  const ranks = doubledRanks(known.map(Math.abs));
  const positive = ranks.filter((_rank, i) => (known[i] as number) > 0);
  return twoSided(coinSums(ranks), positive.reduce((sum, rank) => sum + rank, 0));
}
