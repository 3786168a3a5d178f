/** The power of tests, and the correction of p-values for several tests. */
import { normalQuantile, Z_80 } from "./confidence_interval.ts";

/** Minimum number of rounds in each report. With three, the smallest possible p-value is 0.1. */
const FEWEST_ROUNDS = 4;

/** Efficiency of Mann-Whitney relative to a t-test: https://doi.org/10.1214/aoms/1177728719 */
const EFFICIENCY = 3 / Math.PI;

/**
 * Returns the change between two reports with n rounds each that a test at the 5 % level finds in 80 %
 * of cases, as a share: 0.05 is 5 %. Null for fewer than 4 rounds, which detect nothing. `cv` is the
 * coefficient of variation of the rounds in both reports; throws a `RangeError` if it is negative.
 *
 * The standard error of the difference is cv sqrt(2 / n), divided by the root of the test's efficiency.
 * A change needs 1.96 standard errors to be significant, and 0.84 more for 80 % power:
 * https://doi.org/10.1177/0193841X9501900504 The result is too small for few rounds: the exact test
 * finds such a change in 50 % of cases with 4 rounds, 67 % with 6, 73 % with 10, and 78 % with 20.
 */
export function minimumDetectableChange(cv: number, n: number): number | null {
  if (!(cv >= 0)) throw new RangeError(`Cannot detect anything at a variation of ${cv}`);
  return n < FEWEST_ROUNDS ? null : detectableChange(cv * Math.sqrt(2 / n / EFFICIENCY), 0.05);
}

/**
 * Returns the relative change that a test at level `alpha` detects with 80 % power, for any standard
 * error of the log ratio. Throws a `RangeError` if that is negative, or `alpha` is not within 0 and 1.
 */
export function detectableChange(standardError: number, alpha: number): number {
  if (!(standardError >= 0)) {
    throw new RangeError(`Cannot detect with an error of ${standardError}`);
  }
  return (normalQuantile(alpha / 2) + Z_80) * standardError;
}

/** Returns the smallest p-value of the two-sided Mann-Whitney test: 2 / C(a + b, a). */
export function smallestIndependentP(a: number, b: number): number {
  let ways = 1;
  for (let i = 1; i <= b; i++) ways *= (a + i) / i;
  return Math.min(1, 2 / ways);
}

/** Returns the smallest possible two-sided p-value of the signed-rank test with n pairs: 2 / 2^n. */
export function smallestPairedP(n: number): number {
  return Math.min(1, 2 ** (1 - n));
}

/** Returns the minimum number of rounds that can decide a family of comparisons at the 5 % level. */
export function roundsFor(family: number, smallestP: (rounds: number) => number): number {
  let rounds = 1;
  while (smallestP(rounds) * family > 0.05) rounds++;
  return rounds;
}

/**
 * Adjusts p-values for multiple comparisons with Holm's method, in the given order. With those up to
 * alpha rejected, the probability of a false rejection is at most alpha, for any dependence between them.
 * The adjusted value of p is the maximum, over all values q ≤ p, of q × (number of values ≥ q); at most 1.
 * Throws a `RangeError` if a value is not from 0 to 1.
 * https://en.wikipedia.org/wiki/Holm%E2%80%93Bonferroni_method#Adjusted_p-values
 */
export function holm(pValues: readonly number[]): number[] {
  const wrong = pValues.find((p) => !(p >= 0 && p <= 1));
  if (wrong !== undefined) throw new RangeError(`Cannot adjust ${wrong}: it is not a p-value`);
  const scaled = pValues.map((q) => q * pValues.filter((p) => p >= q).length);
  return pValues.map((p) =>
    Math.min(1, Math.max(...scaled.filter((_value, i) => (pValues[i] as number) <= p)))
  );
}
