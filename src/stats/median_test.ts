import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { coefficientOfVariation, median, medianAbsoluteDeviation, outliers } from "./median.ts";
import { isClose } from "./stats_testdata.ts";

Deno.test("median takes the middle, or the mean of the middle two", () => {
  strictEqual(median([3]), 3);
  strictEqual(median([10, 1, 2]), 2);
  strictEqual(median([4, 1, 3, 2]), 2.5);
  strictEqual(median([5, 5, 5, 1000]), 5);
});

Deno.test("median leaves its argument alone and refuses no values", () => {
  const values = [3, 1, 2];
  median(values);
  strictEqual(values.join(), "3,1,2");
  throws(() => median([]), RangeError);
});

const VALUES = [1041, 1012, 1100, 987, 1068, 1023];

Deno.test("coefficientOfVariation and medianAbsoluteDeviation agree with SciPy", () => {
  // SciPy 1.17.1: stats.variation([...], ddof=1), stats.median_abs_deviation([...])
  ok(isClose(coefficientOfVariation(VALUES) ?? NaN, 0.0391225878804825));
  strictEqual(medianAbsoluteDeviation(VALUES), 28);
});

Deno.test("coefficientOfVariation has no unit, and no value where it means nothing", () => {
  const scaled = VALUES.map((value) => -8 * value);
  strictEqual(coefficientOfVariation(scaled), coefficientOfVariation(VALUES));
  strictEqual(coefficientOfVariation([5, 5]), 0);
  for (const values of [[], [5], [-1, 1]]) strictEqual(coefficientOfVariation(values), null);
});

Deno.test("medianAbsoluteDeviation refuses no values", () => {
  throws(() => medianAbsoluteDeviation([]), RangeError);
});

Deno.test("outliers are further than 14.826 deviations from the median, on either side", () => {
  // The median is 0, the median deviation 1
  deepStrictEqual(outliers([-1, 0, 1, 14.8, -14.8]), []);
  deepStrictEqual(outliers([14.9, -1, 0, 1, 0]), [0]);
  deepStrictEqual(outliers([-14.9, -1, 0, 1, 14.9, 0.5, -0.5]), [0, 4]);
});

Deno.test("outliers are none where there are too few values, or half of them are the same", () => {
  for (const values of [[], [1], [1, 1000], [1, 1, 1, 1000]]) deepStrictEqual(outliers(values), []);
});
