import { ok, strictEqual, throws } from "node:assert/strict";
import { detectableShare, quantileIsKnown } from "./quantile.ts";
import { isClose } from "./stats_testdata.ts";

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
