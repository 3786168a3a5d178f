import { Z_975 } from "./normal.ts";

/**
 * Returns whether n observations suffice for quantile p (0.99 for the 99th percentile). With 95 %
 * probability, the true quantile is between the ranks n p ± 1.96 sqrt(n p (1 - p)). All these ranks must be
 * within the sample. That takes 381 observations for p99 and 3838 for p99.9.
 *
 * Observations should be independent; those of one connection are only roughly independent.
 * https://en.wikipedia.org/wiki/Order_statistic#Confidence_intervals_for_quantiles
 *
 * @throws {RangeError} unless p is between 0 and 1, both excluded.
 */
export function quantileIsKnown(n: number, p: number): boolean {
  if (!(p > 0 && p < 1)) {
    throw new RangeError(`Cannot take quantile ${p}: it is not within 0 and 1`);
  }
  // The same inequalities, solved for n
  return n * Math.min((1 - p) / p, p / (1 - p)) >= Z_975 ** 2;
}

/**
 * Returns the smallest share of wrong responses that n independent checks detect with probability `level`. It
 * is `1 - (1 - level)^(1/n)`, about 3/n at 95 %. So n right responses rule out a larger share.
 * https://en.wikipedia.org/wiki/Rule_of_three_(statistics)
 *
 * @throws {RangeError} if n is less than 1.
 */
export function detectableShare(n: number, level = 0.95): number {
  if (!(n >= 1)) throw new RangeError(`Cannot conclude anything from ${n} checks`);
  return -Math.expm1(Math.log1p(-level) / n);
}
