import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { medianConfidenceInterval } from "./confidence_interval.ts";

/** Returns the numbers 1 to n, out of order. */
function values(n: number): number[] {
  return Array.from({ length: n }, (_value, i) => i + 1)
    .toSorted((a, b) => (a * 7) % 11 - (b * 7) % 11);
}

Deno.test("medianConfidenceInterval takes the narrowest ranks that cover 95 %", () => {
  // n, rank l, coverage in %, from Python's exact integers:
  // round(100 * (1 - 2 * sum(comb(n, i) for i in range(l)) / 2**n), 1)
  const table = [
    [6, 1, 96.9],
    [8, 1, 99.2],
    [9, 2, 96.1],
    [10, 2, 97.9],
    [12, 3, 96.1],
    [15, 4, 96.5],
    [20, 6, 95.9],
    [25, 8, 95.7],
    [2000, 956, 95.3],
  ] as const;
  for (const [n, rank, percent] of table) {
    const confidenceInterval = medianConfidenceInterval(values(n));
    deepStrictEqual(
      [confidenceInterval?.low, confidenceInterval?.high],
      [rank, n + 1 - rank],
      `n = ${n}`,
    );
    strictEqual(
      (100 * (confidenceInterval?.coverage ?? 0)).toFixed(1),
      percent.toFixed(1),
      `n = ${n}`,
    );
  }
});

Deno.test("medianConfidenceInterval is null for too few values", () => {
  for (const n of [0, 1, 2, 5]) strictEqual(medianConfidenceInterval(values(n)), null);
  deepStrictEqual(medianConfidenceInterval(values(5), 0.9), { low: 1, high: 5, coverage: 0.9375 });
});
