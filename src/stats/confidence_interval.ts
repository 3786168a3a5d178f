import type { ConfidenceInterval } from "../model/derived.ts";
import { coinSums } from "./sums.ts";

/**
 * The distribution-free interval of a median between two order statistics, the narrowest symmetric
 * one that covers at least `level`; null if there are too few values, fewer than 6 for 95 %.
 * https://en.wikipedia.org/wiki/Order_statistic#Confidence_intervals_for_quantiles
 */
export function medianConfidenceInterval(
  values: readonly number[],
  level = 0.95,
): ConfidenceInterval | null {
  // Each value is below the true median or not, as a coin falls
  return rankConfidenceInterval(values, coinSums(values.map(() => 1)), level);
}

/**
 * The interval between the k-th smallest and the k-th largest value, k as large as `level` allows;
 * null if even the extremes do not cover that. `chances[i]` is the probability that i of the values
 * are below the true one, which has to be symmetric: the interval covers 1 - 2 P(fewer than k below).
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
