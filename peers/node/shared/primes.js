export function primes(limit) {
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

/** Over a list of booleans: the sieve of "Mighty Node JS", which is measured again as it was. */
export function primesAsPublished(limit) {
  const isPrime = Array(limit + 1).fill(true);
  isPrime[0] = isPrime[1] = false;
  for (let n = 2; n * n <= limit; n++) {
    if (!isPrime[n]) continue;
    for (let multiple = n * n; multiple <= limit; multiple += n) isPrime[multiple] = false;
  }
  return isPrime.map((prime, n) => prime ? n : 0).filter((n) => n > 0);
}
