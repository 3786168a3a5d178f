import { strictEqual, throws } from "node:assert/strict";
import { median } from "./median.ts";

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
