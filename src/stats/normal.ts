/**
 * The 0.975 quantile of the standard normal distribution: 95 % of its values are within this distance of 0.
 */
export const Z_975 = 1.959964;

/** The 0.8 quantile of the standard normal distribution, for a power of 80 %. */
export const Z_80 = 0.841621;

/**
 * Returns the probability that a standard normal variable is above z, with an absolute error below 1e-15.
 * Uses the series of Marsaglia: https://doi.org/10.18637/jss.v011.i04
 */
export function normalTail(z: number): number {
  // Beyond 8.5 the tail is smaller than the error
  if (Math.abs(z) > 8.5) return z > 0 ? 0 : 1;
  let term = z;
  let sum = z;
  for (let i = 3; Math.abs(term) > 1e-17 * Math.abs(sum); i += 2) {
    term *= z * z / i;
    sum += term;
  }
  return Math.max(0, 0.5 - sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI));
}

/**
 * Returns the z that a standard normal variable exceeds with probability `tail`. Bisection finds it to 1e-12.
 *
 * @throws {RangeError} unless `tail` is between 0 and 0.5, both excluded.
 */
export function normalQuantile(tail: number): number {
  if (!(tail > 0 && tail < 0.5)) throw new RangeError(`Cannot find the quantile of tail ${tail}`);
  let [low, high] = [0, 8.5];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (normalTail(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
