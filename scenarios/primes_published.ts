import type { Scenario } from "../src/model/scenario.ts";
import { get } from "./expect.ts";
import { ofMillion, primes } from "./primes.ts";

const request = get("/primes-published");

/**
 * The same primes by the sieve of a published article, with a list of booleans, to repeat its
 * measurement.
 */
export const primesPublished: Scenario = {
  ...primes,
  id: "primes-published",
  title: "Primes by a published sieve",
  request,
  checks: [ofMillion(request)],
  isDefault: false,
};
