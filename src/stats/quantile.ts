import { Z_975 } from "./normal.ts";

/**
 * Whether n observations say something about quantile p (0.99 for the 99th percentile): whether the
 * ranks n p ± 1.96 sqrt(n p (1 - p)), between which it lies with 95 %, are all within the sample. It
 * takes 381 for p99 and 3838 for p99.9. The observations should be independent; what one connection
 * meets in turn is not quite.
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
 * The smallest share of wrong responses that n independent checks would have met at least once with
 * probability `level`, so that n right ones rule out more: 1 - (1 - level)^(1/n), about 3/n at 95 %.
 * https://en.wikipedia.org/wiki/Rule_of_three_(statistics)
 *
 * @throws {RangeError} if n is less than 1.
 */
export function detectableShare(n: number, level = 0.95): number {
  if (!(n >= 1)) throw new RangeError(`Cannot conclude anything from ${n} checks`);
  return -Math.expm1(Math.log1p(-level) / n);
}
