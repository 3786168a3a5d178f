import type { ConfidenceInterval } from "../model/derived.ts";
import { coinSums } from "./sums.ts";

/**
 * Returns the distribution-free confidence interval of a median. Its ends are two order statistics: the
 * narrowest symmetric pair with a coverage of at least `level`. Null for too few values: fewer than 6 at 95
 * %. https://en.wikipedia.org/wiki/Order_statistic#Confidence_intervals_for_quantiles
 */
export function medianConfidenceInterval(
  values: readonly number[],
  level = 0.95,
): ConfidenceInterval | null {
  // Each value is below the true median with probability 1/2
  return rankConfidenceInterval(values, coinSums(values.map(() => 1)), level);
}

/**
 * Returns the interval from the k-th smallest to the k-th largest value, with the largest k for which the
 * coverage is at least `level`. Null if the interval from the smallest to the largest value has less
 * coverage.
 *
 * The coverage is 1 - 2 P(fewer than k values are below the true value).
 * https://stat.ethz.ch/R-manual/R-devel/library/stats/html/wilcox.test.html
 *
 * @param chances `chances[i]` is the probability that i of the values are below the true value; must be
 *   symmetric
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
