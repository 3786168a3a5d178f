import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import {
  coinSums,
  detectableShare,
  drawnSums,
  medianConfidenceInterval,
  normalQuantile,
  normalTail,
  quantileIsKnown,
  twoSided,
  Z_80,
  Z_975,
} from "./confidence_interval.ts";
import { isClose } from "./stats_testdata.ts";

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

Deno.test("normalTail agrees with SciPy", () => {
  // SciPy 1.17.1: python -c "from scipy.stats import norm; print(norm.sf(0.5))"
  const table = [
    [-3, 0.9986501019683699],
    [-0.5, 0.6914624612740131],
    [0, 0.5],
    [0.5, 0.3085375387259869],
    [1, 0.15865525393145707],
    [2.5, 0.006209665325776132],
    [4, 3.167124183311986e-5],
    [6, 9.865876450376946e-10],
    [7.5, 3.1908916729108844e-14],
    [8, 6.22096057427174e-16],
  ] as const;
  for (const [z, tail] of table) ok(Math.abs(normalTail(z) - tail) < 1e-15, `z = ${z}`);
  for (const z of [9, 40, Infinity]) strictEqual(normalTail(z), 0);
  for (const z of [-9, -40, -Infinity]) strictEqual(normalTail(z), 1);
});

Deno.test("the quantiles are those of normalTail", () => {
  ok(isClose(normalTail(Z_975), 0.025, 1e-6));
  ok(isClose(normalTail(Z_80), 0.2, 1e-6));
});

Deno.test("normalQuantile undoes normalTail, and agrees with the constants", () => {
  ok(Math.abs(normalQuantile(0.025) - Z_975) < 1e-6);
  ok(Math.abs(normalQuantile(0.2) - Z_80) < 1e-6);
  for (const z of [0.1, 1, 2.5, 4, 6]) ok(Math.abs(normalQuantile(normalTail(z)) - z) < 1e-4);
  for (const tail of [0, 0.5, 1, -0.1, NaN]) throws(() => normalQuantile(tail), RangeError);
});

Deno.test("quantileIsKnown from as many observations on as the binomial interval takes", () => {
  const table = [[0.5, 4], [0.9, 35], [0.99, 381], [0.999, 3838], [0.01, 381]] as const;
  for (const [p, least] of table) {
    strictEqual(quantileIsKnown(least - 1, p), false, `${least - 1} for ${p}`);
    strictEqual(quantileIsKnown(least, p), true, `${least} for ${p}`);
    const upper = (n: number): number => n * p + 1.96 * Math.sqrt(n * p * (1 - p));
    if (p > 0.5) ok(upper(least) <= least && upper(least - 1) > least - 1, `the formula for ${p}`);
  }
  strictEqual(quantileIsKnown(0, 0.5), false);
  for (const p of [0, 1, -1, NaN]) throws(() => quantileIsKnown(1000, p), RangeError);
});

Deno.test("detectableShare is the end of the exact binomial interval of no wrong response", () => {
  // SciPy 1.17.1: binomtest(0, n).proportion_ci(0.9, "exact").high; one end of 90 % has 95 %
  const table = [
    [1, 0.95],
    [10, 0.25886555089334723],
    [100, 0.02951304960715665],
    [3000, 0.0009980790119966194],
  ] as const;
  for (const [n, share] of table) ok(isClose(detectableShare(n), share, 1e-9), `n = ${n}`);
  ok(isClose(detectableShare(1000), 3 / 1000, 0.005), "the rule of three");
  ok(isClose(1 - (1 - detectableShare(50, 0.8)) ** 50, 0.8), "the definition at another level");
  for (const n of [0, -1, NaN]) throws(() => detectableShare(n), RangeError);
});

Deno.test("coinSums counts the subsets of each sum", () => {
  // {}, {1}, {2}, {3} and {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}
  deepStrictEqual([...coinSums([1, 2, 3])].map((c) => 8 * c), [1, 1, 1, 2, 1, 1, 1]);
  deepStrictEqual([...coinSums([])], [1]);
  const many = coinSums(Array.from({ length: 1200 }, () => 1));
  ok(isClose(many.reduce((sum, chance) => sum + chance), 1), "no overflow for many weights");
});

Deno.test("drawnSums counts the subsets of one size of each sum", () => {
  // 1+2, 1+3, 1+4 and 2+3, 2+4, 3+4
  const chances = drawnSums([1, 2, 3, 4], 2);
  deepStrictEqual([...chances].map((c) => Math.round(6 * c)), [0, 0, 0, 1, 1, 2, 1, 1]);
  deepStrictEqual([...drawnSums([3, 3, 6], 1)], [0, 0, 0, 2 / 3, 0, 0, 1 / 3]);
});

Deno.test("twoSided doubles the smaller tail, up to 1", () => {
  const chances = coinSums([1, 2, 3]);
  strictEqual(twoSided(chances, 0), 2 / 8);
  strictEqual(twoSided(chances, 5), 4 / 8);
  strictEqual(twoSided(chances, 3), 1);
});
