import { deepStrictEqual, ok } from "node:assert/strict";
import type { Result } from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { latencyLines } from "./explain.ts";
import { DUEL } from "./report_testdata.ts";

const [RESULT] = DUEL.results as [Result];
const [TRIAL_RESULT] = DUEL.trialResults as [TrialResult];

/** Returns a report of one window with these latencies, in milliseconds. */
function reportOf(...ms: readonly number[]): Report {
  const histogram = newHistogram();
  for (const one of ms) record(histogram, one);
  const { window } = TRIAL_RESULT;
  const measured = window && {
    ...window,
    measurement: { ...window.measurement, latency: describe(histogram) },
  };
  return { ...DUEL, trialResults: [{ ...TRIAL_RESULT, window: measured }] };
}

Deno.test("latencyLines have a bar for each percentile, longer by as much for every factor", () => {
  const lines = latencyLines(reportOf(...Array(90).fill(0.1), ...Array(9).fill(1), 10), RESULT);
  deepStrictEqual(lines, [
    "p50    0.100 ms",
    "p90    0.100 ms",
    `p99     1.00 ms  ${"#".repeat(15)}`,
    `p99.9   10.0 ms  ${"#".repeat(30)}`,
    `most    10.0 ms  ${"#".repeat(30)}`,
  ]);
});

Deno.test("latencyLines are none where nothing is known, and hold where all are alike", () => {
  deepStrictEqual(latencyLines({ ...DUEL, trialResults: [] }, RESULT), []);
  const lines = latencyLines(reportOf(1, 1, 1), RESULT);
  ok(lines.length === 5 && lines.every((line) => line.endsWith("1.00 ms")), lines.join("\n"));
});
