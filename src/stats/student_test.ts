import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
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

/** Compares to within 1e-3. */
function isNear(actual: number | undefined, expected: number): void {
  ok(Math.abs((actual ?? NaN) - expected) < 1e-3, `${actual} instead of ${expected}`);
}

Deno.test("the mean of differences has an interval and a p-value by Student's t", () => {
  const difference = meanDifference([1, 2, 3, 4, 5], 0.05);
  strictEqual(difference?.mean, 3);
  // 3 ± 2.776 sqrt(2.5 / 5)
  isNear(difference?.low, 1.0370);
  isNear(difference?.high, 4.9630);
  strictEqual(meanDifference([1], 0.05), null);
  strictEqual(meanDifference([], 0.05), null);
  // Half an interval is the mean: the p-value is alpha.
  isNear(
    meanDifference([-1, 0, 1].map((value) => value + 4.303 / Math.sqrt(3)), 0.05)?.pValue,
    0.05,
  );
  deepStrictEqual([[1, 1], [0, 0]].map((same) => meanDifference(same, 0.05)?.pValue), [0, 1]);
});
