import type { Scenario } from "../src/model/scenario.ts";
import { get } from "./expect.ts";
import { ofMillion, primes } from "./primes.ts";

const request = get("/primes-published");

/** The same primes by the sieve of an article that is measured again: a list of booleans. */
export const primesPublished: Scenario = {
  ...primes,
  id: "primes-published",
  title: "Primes by a published sieve",
  request,
  checks: [ofMillion(request)],
  isDefault: false,
};
