import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { WindowRecord } from "../model/raw.ts";
import { climbingOf, isClimbingWindow } from "./climbing.ts";

function windowOf(slicesPerS: readonly number[], isSteady: boolean | null = true): WindowRecord {
  const warmup = { tookS: 0.5, requests: 1000, isSteady };
  return { measurement: { slicesPerS, warmup } } as unknown as WindowRecord;
}

/**
 * Rates of fastify's `schema` in quarters of a second while a compiler ran. Its relative CPU was 3.8 times
 * too high.
 */
const COLD = [2051, 6267, 12691, 14058, 15670];

Deno.test("a window climbs if its rate rose from quarter to quarter, or the warm-up was not over", () => {
  strictEqual(isClimbingWindow(windowOf(COLD)), true);
  strictEqual(isClimbingWindow(windowOf([100, 101, 102, 103, 104, 105])), false, "by 3 %");
  strictEqual(
    isClimbingWindow(windowOf([90, 130, 80, 120, 140, 100])),
    false,
    "a restless machine",
  );
  strictEqual(isClimbingWindow(windowOf(COLD.toReversed())), false);
  strictEqual(isClimbingWindow(windowOf([100, 100, 100, 100], false)), true);
  strictEqual(isClimbingWindow(windowOf([100, 100, 100, 100], null)), false, "of a fixed length");
  strictEqual(isClimbingWindow(windowOf([])), false, "a load generator that does not tell");
  const long = Array.from({ length: 20 }, (_, i) => 1000 + 50 * i);
  strictEqual(isClimbingWindow(windowOf(long)), true);
});

Deno.test("a result climbs if most of its windows do", () => {
  const level = windowOf([100, 100, 100, 100]);
  strictEqual(climbingOf([windowOf(COLD), level]), null);
  deepStrictEqual(climbingOf([windowOf(COLD), windowOf(COLD), level]), {
    kind: "still-climbing",
    where: null,
    what: "windows",
    climbing: 2,
    of: 3,
  });
  strictEqual(climbingOf([]), null);
});
