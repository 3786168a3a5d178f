import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { WindowRecord } from "../model/raw.ts";
import type { IndexedResult, IndexEntry } from "../model/report.ts";
import { climbingOf, historiesOf, isClimbingWindow } from "./histories.ts";

/** Makes a result with a given relative CPU. */
function result(relativeCpu: number, scenario = "text"): IndexedResult {
  return {
    variant: "deno",
    scenario,
    connections: 10,
    perS: null,
    requestsPerS: null,
    isLowerBound: false,
    isTakenOver: false,
    serverCpuUs: null,
    relativeCpu: { median: relativeCpu, confidenceInterval: null },
    rounds: 6,
  };
}

/** Makes runs of several days with the given results. */
function runs(
  results: readonly (readonly IndexedResult[])[],
  more: Partial<IndexEntry> = {},
): IndexEntry[] {
  return results.map((own, i) => ({
    file: `${i}.json`,
    createdAt: `2026-01-${String(i + 1).padStart(2, "0")}T00:00:00.000Z`,
    commit: null,
    kind: "run",
    complete: true,
    tls: null,
    machine: "2 x Fast",
    reference: "Deno.serve, Deno 2.9.6",
    results: own,
    ...more,
  }));
}

const STEP = [1, 1.01, 0.99, 1, 1.02, 1, 1.1, 1.11, 1.09, 1.1, 1.12, 1.1];

Deno.test("historiesOf finds where a response began to cost more, of each result alone", () => {
  const entries = runs(STEP.map((relativeCpu) => [result(relativeCpu), result(2, "json")]));
  const [text, json] = historiesOf(entries);
  strictEqual(text?.changes.length, 1);
  const [change] = text.changes;
  deepStrictEqual([change?.before, change?.after], [5, 6]);
  ok(Math.abs((change?.ratio ?? 0) - 1.1) < 1e-9);
  deepStrictEqual([json?.scenario, json?.changes, json?.searched], ["json", [], 12]);
  strictEqual(text.results[6], entries[6]?.results[0]);
});

Deno.test("a change lies between the runs that know the result", () => {
  const relativeCpu = STEP.map((relativeCpu) => [result(relativeCpu)]);
  const [history] = historiesOf(runs(relativeCpu.toSpliced(6, 0, [], [])));
  deepStrictEqual([history?.changes[0]?.before, history?.changes[0]?.after], [5, 8]);
  strictEqual(history?.results[6], null);
});

Deno.test("looks, and runs beside another reference, prove no change", () => {
  const other = STEP.map((relativeCpu, i): IndexEntry[] =>
    runs([[result(relativeCpu)]], { reference: i < 6 ? "another" : "the newest" })
  ).flat();
  deepStrictEqual([historiesOf(other)[0]?.changes, historiesOf(other)[0]?.searched], [[], 6]);
  const looks = runs(STEP.map((relativeCpu) => [{ ...result(relativeCpu), rounds: 1 }]));
  deepStrictEqual([historiesOf(looks)[0]?.changes, historiesOf(looks)[0]?.searched], [[], 0]);
  deepStrictEqual(historiesOf([]), []);
});

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
