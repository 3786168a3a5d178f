import { ok, strictEqual, throws } from "node:assert/strict";
import { normalQuantile, normalTail, Z_80, Z_975 } from "./normal.ts";
import { isClose } from "./stats_testdata.ts";

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
