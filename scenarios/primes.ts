import type { Check, HttpRequest, Scenario } from "../src/model/scenario.ts";
import { check, expectEqual, expectHead, get, json } from "./expect.ts";
import { USUAL } from "./usual.ts";

/** Returns primes by trial division: slow, but a different algorithm from the servers'. */
function primesUpTo(limit: number): number[] {
  const primes: number[] = [];
  for (let n = 2; n <= limit; n++) {
    if (primes.every((p) => p * p > n || n % p !== 0)) primes.push(n);
  }
  return primes;
}

/** Returns the check that a server answers with the primes up to a limit. */
export function upTo(limit: number): Check {
  return check(`returns the primes up to ${limit}`, get(`/primes?limit=${limit}`), (response) => {
    expectEqual((json(response) as { numbers: unknown }).numbers, primesUpTo(limit));
  });
}

/** Returns the check of the response with all primes up to a million. */
export function ofMillion(request: HttpRequest): Check {
  return check("returns the 78,498 primes up to a million", request, (response) => {
    const { numbers, from, ...rest } = json(response) as Record<string, unknown>;
    expectEqual(rest, {});
    expectEqual(typeof from, "string");
    expectEqual((numbers as number[]).length, 78_498);
    expectEqual((numbers as number[]).at(-1), 999_983);
    // https://oeis.org/A046731: the sum of the primes below a million
    expectEqual((numbers as number[]).reduce((sum, p) => sum + p, 0), 37_550_402_023);
  });
}

/** All primes up to a million: CPU work, and 538 kB of JSON. */
export const primes: Scenario = {
  ...USUAL,
  id: "primes",
  title: "Primes up to 1,000,000",
  request: get("/primes"),
  checks: [ofMillion(get("/primes")), upTo(2), upTo(11), upTo(1000)],
  expect: (response) => expectHead(response, 200, "application/json"),
};

const published = get("/primes-published");

/**
 * All primes up to a million. The server uses the sieve of a published article, which works on a list of
 * booleans. The scenario repeats that article's measurement.
 */
export const primesPublished: Scenario = {
  ...primes,
  id: "primes-published",
  title: "Primes by a published sieve",
  request: published,
  checks: [ofMillion(published)],
  isDefault: false,
};
