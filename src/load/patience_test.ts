import { deepStrictEqual } from "node:assert/strict";
import { PATIENCE, patience } from "./patience.ts";

Deno.test("patience is what every run has, unless a test has less", () => {
  const of = (values: Record<string, string>): unknown => patience((name) => values[name]);
  deepStrictEqual(of({}), PATIENCE);
  deepStrictEqual(of({ STAMPEDE_TEST_FRESH_WARMUP_S: "" }), PATIENCE);
  deepStrictEqual(of({ STAMPEDE_TEST_FRESH_WARMUP_S: "0.2" }), { ...PATIENCE, freshWarmupS: 0.2 });
  deepStrictEqual(of({ STAMPEDE_TEST_LIMIT_S: "2" }), { ...PATIENCE, limitS: 2 });
});
