import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { coinSums, drawnSums, twoSided } from "./sums.ts";
import { isClose } from "./stats_testdata.ts";

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
