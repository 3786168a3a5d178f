import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { type FakeOptions, measurementOf, type RunLog, runLogged } from "./testbed_testdata.ts";

const SERVERS = ["a", "b"].map((id) => variantOf(id, [text, json]));
const SLICES = { durationS: 1, sliceMs: 10, responses: 50 };
const NEVER = new AbortController().signal;

function experiment(rounds: number, change: Parameters<typeof experimentOf>[2] = {}): Experiment {
  const design = { rounds, maxRounds: rounds, slices: SLICES, ...change };
  return experimentOf(SERVERS, [text, json], design);
}

const resumed = (report: Report | undefined, rounds: number): Promise<RunLog> =>
  runLogged(experiment(rounds), {}, NEVER, report ?? null);

/** Returns what a report has measured, without its order: `1 text a` for a window. */
function measuredIn(report: Report | undefined): string[] {
  return [
    ...report?.trialResults.map(({ trial }) =>
      `${trial.round} ${trial.scenario} ${trial.variant}`
    ) ?? [],
    ...report?.blocks.map(({ block }) => `${block.round} ${block.scenario}`) ?? [],
  ].sort();
}

/** Interrupts a run after a number of windows. */
async function interrupted(after: number): Promise<RunLog> {
  const stop = new AbortController();
  let windows = 0;
  const measure: FakeOptions["measure"] = () => {
    if (++windows > after) stop.abort(new Error("Ctrl-C"));
    return measurementOf(1000);
  };
  return await runLogged(experiment(3), { measure }, stop.signal);
}

Deno.test("a run that is resumed after each interruption has measured the same as one in one part", async () => {
  const whole = measuredIn((await runLogged(experiment(3))).report);
  strictEqual(whole.length, 3 * 2 * 3);
  for (const after of [1, 2, 3, 5, 8, 11]) {
    const { report } = await interrupted(after);
    strictEqual(report?.complete, false);
    const next = await resumed(report, 3);
    strictEqual(next.error, null);
    deepStrictEqual(measuredIn(next.report), whole, `after ${after} windows`);
    strictEqual(next.report?.complete, true);
    const windows = next.log.filter((line) => line.startsWith("autocannon"));
    ok(windows.length <= 12 - after + 2, `${windows.length} windows after ${after}`);
  }
});

Deno.test("a complete run can be resumed with more rounds, and all of them count", async () => {
  const { report: first } = await runLogged(experiment(2));
  const { report, log } = await resumed(first, 5);
  deepStrictEqual(measuredIn(report), measuredIn((await runLogged(experiment(5))).report));
  strictEqual(log.filter((line) => line.startsWith("autocannon")).length, 3 * 4);
  deepStrictEqual(report?.results.map(({ rounds }) => rounds), [5, 5, 5, 5]);
  strictEqual(report?.launches.length, 5 * 2 * 4);
  deepStrictEqual([report?.id, report?.createdAt], [first?.id, first?.createdAt]);
  strictEqual(report?.parts.length, 2);
  strictEqual(report?.tookS, (first?.tookS ?? 0) + (report?.parts[1]?.tookS ?? 0));
  const third = await resumed(report, 6);
  strictEqual(third.report?.parts.length, 3);
});

Deno.test("a run that is complete is left as it is", async () => {
  const { report } = await runLogged(experiment(2));
  const { error, events } = await resumed(report, 2);
  strictEqual(
    String(error),
    "UsageError: Cannot resume the run: it already has 2 rounds; ask for more with --rounds",
  );
  ok(events.every(({ kind }) => kind !== "report"), "the file would be overwritten");
});

Deno.test("a resumed run adds rounds after all earlier ones", async () => {
  const { report: whole } = await runLogged(experiment(2));
  const first = { ...whole as Report, complete: false };
  const wide = { maxRounds: 4, width: 1e-9, budgetS: 3600 };
  const { report } = await runLogged(experiment(2, wide), {}, NEVER, first);
  deepStrictEqual(
    [...new Set(report?.trialResults.map(({ trial }) => trial.round))],
    [1, 2, 3, 4],
  );
});

Deno.test("a run that differs cannot be resumed, and every difference is named", async () => {
  const { report } = await runLogged(experiment(2));
  const other = { ...experiment(3, { durationS: 9, seed: 7 }), scenarios: [text] };
  const { error, log } = await runLogged(other, {}, NEVER, {
    ...report as Report,
    versions: { ...report?.versions, deno: "1.0.0" },
    commit: { id: "abc", isDirty: false },
  });
  strictEqual(
    String(error),
    [
      "UsageError: Cannot resume a run that differs from this one",
      "deno: 1.0.0, now 2.9.6",
      "commit: abc, now none",
      "scenarios: text, json, now text",
      "load: durationS: 1.5, now 9",
      "seed: 1, now 7",
    ].join("\n"),
  );
  ok(!log.some((line) => line.startsWith("launch")), log.join());
});
