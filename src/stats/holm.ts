/**
 * Adjusts p-values for multiple comparisons with Holm's method, and returns them in the given order.
 * Rejecting all values up to alpha makes any error in the family with probability alpha at most, whatever
 * their dependence. Each adjusted value is the largest of q times the number of values ≥ q, over all q up to
 * it. https://en.wikipedia.org/wiki/Holm%E2%80%93Bonferroni_method#Adjusted_p-values
 *
 * @throws {RangeError} if a value is not within 0 and 1.
 */
export function holm(pValues: readonly number[]): number[] {
  const wrong = pValues.find((p) => !(p >= 0 && p <= 1));
  if (wrong !== undefined) throw new RangeError(`Cannot adjust ${wrong}: it is not a p-value`);
  const scaled = pValues.map((q) => q * pValues.filter((p) => p >= q).length);
  return pValues.map((p) => {
    const upTo = scaled.filter((_value, i) => (pValues[i] as number) <= p);
    return Math.min(1, Math.max(...upTo));
  });
}
