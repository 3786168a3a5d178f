/** Returns a generator of normally distributed numbers. The same seed gives the same numbers. */
export function noise(seed: number): () => number {
  let state = seed;
  // https://en.wikipedia.org/wiki/Lehmer_random_number_generator
  const uniform = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  // https://en.wikipedia.org/wiki/Box%E2%80%93Muller_transform
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Returns `n` values, each made from its index. */
export function sample<T>(n: number, value: (i: number) => T): T[] {
  return Array.from({ length: n }, (_value, i) => value(i));
}

/** Returns the share of `n` trials that succeed. */
export function shareOf(n: number, trial: () => boolean): number {
  return sample(n, trial).filter(Boolean).length / n;
}

/** Returns whether two numbers are equal except for rounding. */
export function isClose(actual: number | undefined, expected: number, tolerance = 1e-12): boolean {
  return actual !== undefined &&
    Math.abs(actual - expected) <= tolerance * Math.max(1e-300, Math.abs(expected));
}
