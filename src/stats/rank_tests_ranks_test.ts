import { deepStrictEqual } from "node:assert/strict";
import { doubledRanks } from "./rank_tests.ts";

Deno.test("doubledRanks shares ranks among equal values and keeps the order", () => {
  // python -c "from scipy.stats import rankdata as r; print(2 * r([40, 10, 20, 10, 20, 20]))"
  deepStrictEqual(doubledRanks([40, 10, 20, 10, 20, 20]), [12, 3, 8, 3, 8, 8]);
  deepStrictEqual(doubledRanks([]), []);
});
