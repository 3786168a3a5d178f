const COMMA = 0x2c;
const ZERO = 0x30;
const HEAD = new TextEncoder().encode('{"numbers":[');
const TAIL = new TextEncoder().encode('],"from":"deno"}');

/** Marks primes by 0 and other numbers by 1: https://en.wikipedia.org/wiki/Sieve_of_Eratosthenes */
function sieve(limit: number): Uint8Array {
  const composite = new Uint8Array(limit + 1);
  composite[0] = composite[1] = 1;
  for (let p = 2; p * p <= limit; p++) {
    if (composite[p] === 1) continue;
    for (let multiple = p * p; multiple <= limit; multiple += p) composite[multiple] = 1;
  }
  return composite;
}

/** Returns `{"numbers":[2,3,5,...],"from":"deno"}` as UTF-8, written digit by digit. */
export function primesJson(limit: number): Uint8Array<ArrayBuffer> {
  const composite = sieve(limit);
  // Upper bound for the number of primes: https://doi.org/10.1215/ijm/1255631807 (3.6)
  const most = Math.ceil(1.25506 * limit / Math.log(limit));
  const bytes = new Uint8Array(HEAD.length + most * (String(limit).length + 1) + TAIL.length);
  bytes.set(HEAD);
  let at = HEAD.length;
  let digits = 1;
  let firstLonger = 10;
  for (let n = 2; n <= limit; n++) {
    if (n === firstLonger) {
      digits++;
      firstLonger *= 10;
    }
    if (composite[n] !== 0) continue;
    let rest = n;
    for (let place = at + digits - 1; place >= at; place--) {
      const quotient = (rest / 10) | 0;
      bytes[place] = ZERO + rest - quotient * 10;
      rest = quotient;
    }
    at += digits;
    bytes[at++] = COMMA;
  }
  bytes.set(TAIL, --at); // overwrites the last comma
  return bytes.subarray(0, at + TAIL.length);
}
