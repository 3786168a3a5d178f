export function primes(limit: number): number[] {
  const composite = new Uint8Array(limit + 1);
  const numbers = [];
  const root = Math.floor(Math.sqrt(limit));
  for (let n = 2; n <= limit; n++) {
    if (composite[n]) continue;
    numbers.push(n);
    if (n > root) continue; // otherwise n * n can exceed 32 bits
    for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = 1;
  }
  return numbers;
}
