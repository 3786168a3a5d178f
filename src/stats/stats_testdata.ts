/** Normally distributed numbers, the same for the same seed. */
export function noise(seed: number): () => number {
  let state = seed;
  // https://en.wikipedia.org/wiki/Lehmer_random_number_generator
  const uniform = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  // https://en.wikipedia.org/wiki/Box%E2%80%93Muller_transform
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** `n` values made by `value` of their index. */
export function sample<T>(n: number, value: (i: number) => T): T[] {
  return Array.from({ length: n }, (_value, i) => value(i));
}

/** In which share of `n` trials something holds. */
export function shareOf(n: number, trial: () => boolean): number {
  return sample(n, trial).filter(Boolean).length / n;
}

/** Whether two numbers are the same but for rounding. */
export function isClose(actual: number | undefined, expected: number, tolerance = 1e-12): boolean {
  return actual !== undefined &&
    Math.abs(actual - expected) <= tolerance * Math.max(1e-300, Math.abs(expected));
}
