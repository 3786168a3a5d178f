import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { IndexedResult, IndexEntry } from "../model/report.ts";
import { historiesOf } from "./histories.ts";

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
    hasCosts: false,
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
