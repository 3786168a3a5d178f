export function primes(limit: number): number[] {
  const composite = new Uint8Array(limit + 1);
  const numbers = [];
  for (let n = 2; n <= limit; n++) {
    if (composite[n]) continue;
    numbers.push(n);
    for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = 1;
  }
  return numbers;
}
