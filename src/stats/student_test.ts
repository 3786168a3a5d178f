import { ok, strictEqual } from "node:assert/strict";
import { meanDifference, quantileT, withinT } from "./student.ts";

/** Critical values: https://www.itl.nist.gov/div898/handbook/eda/section3/eda3672.htm */
const TABLE: readonly (readonly [freedom: number, values: readonly number[]])[] = [
  [1, [6.314, 12.706, 31.821, 63.657, 318.313]],
  [2, [2.920, 4.303, 6.965, 9.925, 22.327]],
  [3, [2.353, 3.182, 4.541, 5.841, 10.215]],
  [4, [2.132, 2.776, 3.747, 4.604, 7.173]],
  [5, [2.015, 2.571, 3.365, 4.032, 5.893]],
  [6, [1.943, 2.447, 3.143, 3.707, 5.208]],
  [9, [1.833, 2.262, 2.821, 3.250, 4.297]],
  [30, [1.697, 2.042, 2.457, 2.750, 3.385]],
];
const TAILS = [0.1, 0.05, 0.02, 0.01, 0.002];

Deno.test("quantiles of Student's t are those of the published table", () => {
  for (const [freedom, values] of TABLE) {
    for (const [i, alpha] of TAILS.entries()) {
      const value = values[i] as number;
      ok(Math.abs(quantileT(alpha, freedom) - value) <= 0.0006 * value, `${freedom} ${alpha}`);
    }
  }
  strictEqual(withinT(0, 5), 0);
});

Deno.test("the mean of differences has an interval by Student's t", () => {
  const { mean, low, high } = meanDifference([1, 2, 3, 4, 5], 0.05) as NonNullable<
    ReturnType<typeof meanDifference>
  >;
  strictEqual(mean, 3);
  // 3 ± 2.776 sqrt(2.5 / 5)
  ok(Math.abs(low - 1.0370) < 1e-3 && Math.abs(high - 4.9630) < 1e-3);
  strictEqual(meanDifference([1], 0.05), null);
});
