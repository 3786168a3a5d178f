import { deepStrictEqual } from "node:assert/strict";
import { TIMEOUTS, timeouts } from "./timeouts.ts";

Deno.test("timeouts are what every run has, unless a test has less", () => {
  const of = (values: Record<string, string>): unknown => timeouts((name) => values[name]);
  deepStrictEqual(of({}), TIMEOUTS);
  deepStrictEqual(of({ STAMPEDE_TEST_FRESH_WARMUP_S: "" }), TIMEOUTS);
  deepStrictEqual(of({ STAMPEDE_TEST_FRESH_WARMUP_S: "0.2" }), { ...TIMEOUTS, freshWarmupS: 0.2 });
  deepStrictEqual(of({ STAMPEDE_TEST_LIMIT_S: "2" }), { ...TIMEOUTS, limitS: 2 });
});
