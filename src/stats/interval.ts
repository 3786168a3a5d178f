/**
 * The distribution-free interval of a median between two order statistics, the narrowest symmetric
 * one that covers at least `level`; null if there are too few values, fewer than 6 for 95 %.
 * https://en.wikipedia.org/wiki/Order_statistic#Confidence_intervals_for_quantiles
 *
 * @returns the ends, and the probability with which such an interval covers the true median
 */
export function medianInterval(
  values: readonly number[],
  level = 0.95,
): { low: number; high: number; coverage: number } | null {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  let rank = 0;
  while (rank + 1 <= n / 2 && coverageOf(n, rank + 1) >= level) rank++;
  const low = sorted[rank - 1];
  const high = sorted[n - rank];
  if (low === undefined || high === undefined) return null;
  return { low, high, coverage: coverageOf(n, rank) };
}

/**
 * The probability that the median lies between the l-th smallest and the l-th largest of n values:
 * 1 - 2 * P(B < l) for B binomial with n and 1/2.
 */
function coverageOf(n: number, rank: number): number {
  let term = 0.5 ** n;
  let below = 0;
  for (let i = 0; i < rank; i++) {
    below += term;
    term *= (n - i) / (i + 1);
  }
  return 1 - 2 * below;
}
