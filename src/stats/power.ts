import { normalQuantile, Z_80 } from "./normal.ts";

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
export function minimumDetectableChange(cv: number, n: number): number | null {
  if (!(cv >= 0)) throw new RangeError(`Cannot detect anything at a variation of ${cv}`);
  if (n < FEWEST_ROUNDS) return null;
  return detectableChange(cv * Math.sqrt(2 / n / EFFICIENCY), 0.05);
}

/**
 * The relative change that would be found at level `alpha` with 80 % power, where the logarithm of the
 * estimated ratio has this standard error: as above, for any design and level.
 *
 * @throws {RangeError} if the error is negative, or `alpha` not between 0 and 1.
 */
export function detectableChange(standardError: number, alpha: number): number {
  if (!(standardError >= 0)) {
    throw new RangeError(`Cannot detect with an error of ${standardError}`);
  }
  return (normalQuantile(alpha / 2) + Z_80) * standardError;
}

/**
 * The smallest two-sided p-value that any values could have: of a and b independent ones by the
 * Mann-Whitney test, 2 / C(a + b, a); a family whose first step asks for less cannot be decided.
 */
export function smallestIndependentP(a: number, b: number): number {
  let ways = 1;
  for (let i = 1; i <= b; i++) ways *= (a + i) / i;
  return Math.min(1, 2 / ways);
}

/** The same of n pairs by the signed-rank test: 2 / 2^n. */
export function smallestPairedP(n: number): number {
  return Math.min(1, 2 ** (1 - n));
}

/** The fewest rounds with which a family of that many comparisons can be decided at the 5 % level. */
export function roundsFor(family: number, smallestP: (rounds: number) => number): number {
  let rounds = 1;
  while (smallestP(rounds) * family > 0.05) rounds++;
  return rounds;
}
