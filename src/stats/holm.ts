/**
 * Adjusts p-values for multiple comparisons with Holm's method. Returns them in the given order.
 *
 * If every adjusted value up to alpha is rejected, the probability of at least one false rejection is at most
 * alpha. This holds for any dependence between the values. The adjusted value of p is the maximum, over all
 * values q ≤ p, of q × (number of values ≥ q); at most 1.
 * https://en.wikipedia.org/wiki/Holm%E2%80%93Bonferroni_method#Adjusted_p-values
 *
 * @throws {RangeError} if a value is not from 0 to 1.
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
