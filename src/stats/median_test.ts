import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { estimateOf, lowerMedian, median } from "./median.ts";
import type { Estimate } from "../model/estimate.ts";
import { isClose } from "./stats_testdata.ts";

Deno.test("median takes the middle, or the mean of the middle two", () => {
  strictEqual(median([3]), 3);
  strictEqual(median([10, 1, 2]), 2);
  strictEqual(median([4, 1, 3, 2]), 2.5);
  strictEqual(median([5, 5, 5, 1000]), 5);
});

Deno.test("the lower median takes the middle, or the lower of the middle two", () => {
  strictEqual(lowerMedian([3]), 3);
  strictEqual(lowerMedian([10, 1, 2]), 2);
  strictEqual(lowerMedian([4, 1, 3, 2]), 2);
  throws(() => lowerMedian([]), RangeError);
});

Deno.test("median leaves its argument alone and refuses no values", () => {
  const values = [3, 1, 2];
  median(values);
  strictEqual(values.join(), "3,1,2");
  throws(() => median([]), RangeError);
});

const VALUES = [1041, 1012, 1100, 987, 1068, 1023];
const estimate = (values: readonly number[]): Estimate | null =>
  estimateOf([...values.entries()], ([round]) => round, ([, value]) => value);

Deno.test("variation and median absolute deviation agree with SciPy", () => {
  // SciPy 1.17.1: stats.variation([...], ddof=1), stats.median_abs_deviation([...])
  ok(isClose(estimate(VALUES)?.cv ?? NaN, 0.0391225878804825));
  strictEqual(estimate(VALUES)?.mad, 28);
});

Deno.test("the variation has no unit, and no value where it means nothing", () => {
  const scaled = VALUES.map((value) => -8 * value);
  strictEqual(estimate(scaled)?.cv, estimate(VALUES)?.cv);
  strictEqual(estimate([5, 5])?.cv, 0);
  for (const values of [[5], [-1, 1]]) strictEqual(estimate(values)?.cv, null);
});

Deno.test("outliers are further than 14.826 deviations from the median, on either side", () => {
  const outliers = (...values: number[]) => estimate(values)?.outlierRounds;
  // The median is 0, the median deviation 1
  deepStrictEqual(outliers(-1, 0, 1, 14.8, -14.8), []);
  deepStrictEqual(outliers(14.9, -1, 0, 1, 0), [0]);
  deepStrictEqual(outliers(-14.9, -1, 0, 1, 14.9, 0.5, -0.5), [0, 4]);
  // Too few values, or half of them the same
  for (const values of [[1], [1, 1000], [1, 1, 1, 1000]]) deepStrictEqual(outliers(...values), []);
});
