import { Z_80, Z_975 } from "./normal.ts";

/** Fewer rounds than that cannot differ: even 3 all above 3 have a p-value of 0.1. */
const FEWEST_ROUNDS = 4;

/**
 * How many observations of a t-test one of the Mann-Whitney test is worth if values are normal.
 * https://doi.org/10.1214/aoms/1177728719
 */
const EFFICIENCY = 3 / Math.PI;

/**
 * The relative change (0.05 is 5 %) that a comparison of two files with n rounds each would find with
 * 80 % power at the 5 % level, if both vary by `cv`; null for fewer than 4 rounds, which find nothing.
 * The standard error of the difference is cv sqrt(2 / n); a change has to be 1.96 of them to be
 * significant and 0.84 more to be so four times in five, together 2.8:
 * https://doi.org/10.1177/0193841X9501900504
 *
 * For few rounds this promises too much, as both figures are limits for many: the exact test finds
 * such a change in 50 % of cases with 4 rounds, 67 % with 6, 73 % with 10, 78 % with 20.
 *
 * @throws {RangeError} if `cv` is negative.
 */
export function minimumDetectableEffect(cv: number, n: number): number | null {
  if (!(cv >= 0)) throw new RangeError(`Cannot detect anything at a variation of ${cv}`);
  if (n < FEWEST_ROUNDS) return null;
  return (Z_975 + Z_80) * cv * Math.sqrt(2 / n / EFFICIENCY);
}
