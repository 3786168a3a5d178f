import type { Scenario } from "../src/model/scenario.ts";
import { get } from "./expect.ts";
import { ofMillion, primes } from "./primes.ts";

const request = get("/primes-published");

/**
 * All primes up to a million. The server uses the sieve of a published article, which works on a list of
 * booleans. The scenario repeats that article's measurement.
 */
export const primesPublished: Scenario = {
  ...primes,
  id: "primes-published",
  title: "Primes by a published sieve",
  request,
  checks: [ofMillion(request)],
  isDefault: false,
};
