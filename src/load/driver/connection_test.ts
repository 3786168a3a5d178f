import { deepStrictEqual } from "node:assert/strict";
import { roundRobin } from "./load_client.ts";

Deno.test("each is as often next as its weight says, as evenly as can be", () => {
  const order = (weights: readonly number[], count: number): string => {
    const turn = roundRobin(weights);
    return Array.from({ length: count }, () => turn()).join("");
  };
  deepStrictEqual(order([1], 3), "000");
  deepStrictEqual(order([4, 1], 10), "0010000100");
  deepStrictEqual(order([80, 20], 5), order([4, 1], 5));
  deepStrictEqual(order([1, 1, 1], 6), "012012");
  const many = order([0.5, 0.3, 0.2], 1000);
  deepStrictEqual(["0", "1", "2"].map((one) => many.split(one).length - 1), [500, 300, 200]);
});
