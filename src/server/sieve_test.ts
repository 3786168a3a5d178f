import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { primesJson } from "./sieve.ts";

function numbersUpTo(limit: number): number[] {
  return JSON.parse(new TextDecoder().decode(primesJson(limit))).numbers;
}

Deno.test("primesJson writes what JSON.stringify would", () => {
  for (const limit of [2, 3, 10, 11, 99, 100, 101, 1000, 12_345]) {
    const text = new TextDecoder().decode(primesJson(limit));
    strictEqual(text, JSON.stringify(JSON.parse(text)));
    strictEqual(JSON.parse(text).from, "deno");
  }
});

Deno.test("primesJson holds exactly the primes", () => {
  deepStrictEqual(numbersUpTo(2), [2]);
  deepStrictEqual(numbersUpTo(30), [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
  // https://oeis.org/A006880: the number of primes below powers of ten
  strictEqual(numbersUpTo(100).length, 25);
  strictEqual(numbersUpTo(1_000_000).length, 78_498);
  strictEqual(numbersUpTo(10_000_000).length, 664_579);
});

Deno.test("primesJson of a million has the published size", () => {
  strictEqual(primesJson(1_000_000).length, 538_495);
});
