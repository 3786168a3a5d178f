/**
 * Distributions of the sum of randomly chosen integer weights, for rank tests. Entry s of a distribution is
 * the probability of the sum s. The distributions are exact, with or without ties, by the shift algorithm of
 * Streitberg and Röhmel: https://search.r-project.org/CRAN/refmans/exactRankTests/html/wilcox.exact.html
 */

/** Returns the distribution of the sum if each weight is included with probability 1/2. */
export function coinSums(weights: readonly number[]): Float64Array {
  let chances = Float64Array.of(1);
  for (const weight of weights) chances = shifted(chances, chances, weight).map((c) => c / 2);
  return chances;
}

/** Returns the distribution of the sum of `size` weights, if each choice of weights is equally probable. */
export function drawnSums(weights: readonly number[], size: number): Float64Array {
  const counts = [Float64Array.of(1), ...Array.from({ length: size }, () => new Float64Array())];
  for (const weight of weights) {
    // The largest size comes first, so that no weight is taken twice
    for (let taken = size; taken > 0; taken--) {
      const [without, before] = [counts[taken], counts[taken - 1]];
      if (without && before) counts[taken] = shifted(without, before, weight);
    }
  }
  const ways = counts.at(-1) ?? new Float64Array();
  const total = ways.reduce((sum, count) => sum + count, 0);
  return ways.map((count) => count / total);
}

/**
 * Returns the two-sided p-value of an observed sum: twice the smaller tail of the distribution, at most 1.
 * The tails include `observed`.
 */
export function twoSided(chances: Float64Array, observed: number): number {
  const sum = (part: Float64Array): number => part.reduce((total, chance) => total + chance, 0);
  const tail = Math.min(sum(chances.subarray(0, observed + 1)), sum(chances.subarray(observed)));
  return Math.min(1, 2 * tail);
}

/** Returns a[s] + b[s - shift] for every s. */
function shifted(a: Float64Array, b: Float64Array, shift: number): Float64Array<ArrayBuffer> {
  const sum = new Float64Array(Math.max(a.length, b.length + shift));
  sum.set(a);
  for (let i = 0; i < b.length; i++) sum[i + shift] = (sum[i + shift] ?? 0) + (b[i] ?? 0);
  return sum;
}
