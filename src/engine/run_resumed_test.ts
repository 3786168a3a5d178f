import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { Design, Experiment } from "../model/experiment.ts";
import type { Profile } from "../model/profile.ts";
import type { Report } from "../model/report.ts";
import { type FakeOptions, measurementOf, type RunLog, runLogged } from "./testbed_testdata.ts";

const SERVERS = ["a", "b"].map((id) => variantOf(id, [text, json]));
const SLICES = { durationS: 1, sliceMs: 10, responses: 50 };
const NEVER = new AbortController().signal;
const LATER = { id: "9", createdAt: "2026-02-02T00:00:00.000Z", command: ["stampede", "again"] };

/** Makes an experiment of two servers at two scenarios, without added rounds. */
function experiment(rounds: number, change: Partial<Design> = {}): Experiment {
  const design = { rounds, maxRounds: rounds, slices: SLICES, budgetS: null, ...change };
  return experimentOf(SERVERS, [text, json], design);
}

const resumed = (
  report: Report | undefined,
  rounds: number,
  options: FakeOptions = {},
  change: Partial<Design> = {},
): Promise<RunLog> =>
  runLogged(experiment(rounds, change), { origin: LATER, ...options }, NEVER, report ?? null);

const windowsIn = ({ log }: RunLog): number =>
  log.filter((line) => line.startsWith("autocannon")).length;

/** Returns what a report has measured, without its order: `1 text a` for a window. */
function measuredIn(report: Report | undefined): string[] {
  const measured = report?.trialResults.filter(({ trial }) => trial.purpose === "measure");
  return [
    ...measured?.map(({ trial }) => `${trial.round} ${trial.scenario} ${trial.variant}`) ?? [],
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
    // Each part has two windows
    strictEqual(windowsIn(next), 12 - 2 * Math.floor(after / 2), `after ${after} windows`);
  }
});

Deno.test("a complete run can be resumed with more rounds, and all of them count", async () => {
  const { report: first } = await runLogged(experiment(2));
  const next = await resumed(first, 5);
  const { report } = next;
  deepStrictEqual(measuredIn(report), measuredIn((await runLogged(experiment(5))).report));
  strictEqual(windowsIn(next), 3 * 4);
  deepStrictEqual(report?.results.map(({ rounds }) => rounds), [5, 5, 5, 5]);
  strictEqual(report?.launches.length, 5 * 2 * 4);
  deepStrictEqual([report?.id, report?.createdAt], ["0a1b2c3d", "2026-01-01T00:00:00.000Z"]);
  deepStrictEqual(report?.command, ["stampede", "again"]);
  const [before, after] = report?.parts ?? [];
  deepStrictEqual(report?.parts.map(({ createdAt, command }) => [createdAt, command[1]]), [
    ["2026-01-01T00:00:00.000Z", "text"],
    ["2026-02-02T00:00:00.000Z", "again"],
  ]);
  strictEqual(before?.tookS, first?.tookS);
  strictEqual(report?.tookS, (before?.tookS ?? 0) + (after?.tookS ?? 0));
  strictEqual((await resumed(report, 6)).report?.parts.length, 3);
});

Deno.test("a run that is complete is left as it is", async () => {
  const { report } = await runLogged(experiment(2));
  const { error, events } = await resumed(report, 2);
  match(String(error), /^UsageError: Cannot resume the run: it already has 2 rounds/);
  ok(events.every(({ kind }) => kind !== "report"), "the file would be overwritten");
});

Deno.test("a resumed run adds rounds after all earlier ones", async () => {
  const wide = { width: 1e-9, budgetS: 3600 };
  const { report: first } = await runLogged(experiment(2, { ...wide, maxRounds: 3 }));
  const { report } = await resumed(first, 2, {}, { ...wide, maxRounds: 5 });
  const rounds = report?.trialResults.map(({ trial }) => trial.round) ?? [];
  deepStrictEqual([...new Set(rounds)], [1, 2, 3, 4, 5]);
  const measured = measuredIn(report);
  deepStrictEqual([...new Set(measured)], measured, "nothing is measured twice");
});

const FALLBACK = { fallback: "stampede" };
/** Servers that fail in the pilot window already, by the reason. */
const FAILING: Readonly<Record<string, FakeOptions>> = {
  "does not start": { launchProblem: ({ id }) => id === "b" ? "no licence" : null },
  "answers wrongly": { respond: (path) => new Response(path === "/json" ? "no" : "Hello world") },
};

for (const [what, options] of Object.entries(FAILING)) {
  Deno.test(`a run with a server that ${what} can be resumed, and loses nothing`, async () => {
    const { report: first } = await runLogged(experiment(2, FALLBACK), options);
    ok(first?.trialResults.some(({ trial, failure }) => trial.purpose === "pilot" && failure));
    const again = await resumed(first, 2, options, FALLBACK);
    match(String(again.error), /it already has 2 rounds/);
    ok(again.events.every(({ kind }) => kind !== "report"), "the file would be overwritten");
    const { report, error } = await resumed(first, 3, options, FALLBACK);
    strictEqual(error, null);
    const rounds = ({ results = [] }: Partial<Report> = {}): unknown[] =>
      results.filter(({ status }) => status === "ok").map(({ rounds }) => rounds);
    ok(rounds(first).length > 0);
    deepStrictEqual(rounds(report), rounds(first).map(() => 3));
  });
}

Deno.test("a resumed run keeps the load generator of its windows, without pilot windows", async () => {
  const { report: first } = await runLogged(experiment(2));
  const driven = {
    ...first as Report,
    versions: { ...first?.versions, stampede: "1.0" }, // in the fake testbed, that of the generator
    experiment: {
      ...first?.experiment as Report["experiment"],
      design: experiment(2, FALLBACK).design,
    },
    trialResults:
      first?.trialResults.map((one) =>
        one.trial.scenario === "text"
          ? { ...one, trial: { ...one.trial, generator: "stampede" } }
          : one
      ) ?? [],
  };
  const { report, error, log } = await resumed(driven, 3, {}, FALLBACK);
  strictEqual(error, null);
  const generators = report?.trialResults.filter(({ trial }) => trial.round === 3)
    .map(({ trial }) => `${trial.scenario} ${trial.generator}`);
  deepStrictEqual([...new Set(generators)].sort(), ["json autocannon", "text stampede"]);
  strictEqual(report?.trialResults.length, 12);
  strictEqual(log.filter((line) => /^(autocannon|stampede) /.test(line)).length, 4);
});

Deno.test("a resumed run keeps profiles, and what the doctor found before", async () => {
  const { report } = await runLogged(experiment(2));
  const profile = { variant: "a", scenario: "text", connections: 10, perS: null, files: ["x"] };
  const warned = { name: "governor", status: "warn", found: "powersave", advice: null } as const;
  const first = {
    ...report as Report,
    profiles: [profile as Partial<Profile> as Profile],
    host: { ...report?.host as Report["host"], findings: [warned] },
  };
  const fine = { ...warned, status: "ok", found: "performance" } as const;
  const next = await resumed(first, 3, { findings: [fine] });
  deepStrictEqual(next.report?.profiles, [profile]);
  deepStrictEqual(next.report?.host.findings, [warned]);
});

Deno.test("a run that differs cannot be resumed, and every difference is named", async () => {
  const { report } = await runLogged(experiment(2));
  const other = {
    ...experimentOf(SERVERS, [text], { rounds: 3, maxRounds: 3, durationS: 9, seed: 7 }),
    variants: SERVERS.map((one) => ({ ...one, env: { DB_POOL: "20" } })),
  };
  const { error, log } = await runLogged(other, {}, NEVER, {
    ...report as Report,
    versions: { ...report?.versions, deno: "1.0.0" },
    commit: { id: "abc", isDirty: true },
    experiment: {
      ...report?.experiment as Report["experiment"],
      design: experiment(2, { costs: ["memory"] }).design,
    },
    database: "postgres://stampede@127.0.0.1:9999/postgres",
  });
  strictEqual(
    String(error),
    [
      "UsageError: Cannot resume a run that differs from this one",
      "deno: 1.0.0, now 2.9.6",
      "commit: abc with changes, now none",
      "scenarios: text, json, now text",
      "load: durationS: 1.5, now 9",
      'slices: {"durationS":1,"sliceMs":10,"responses":50}, now none',
      'costs: ["memory"], now []',
      "seed: 1, now 7",
      "database: postgres://stampede@127.0.0.1/postgres, now none",
      ...["a", "b"].map((id) => `variables of ${id}: {"DB_POOL":"10"}, now {"DB_POOL":"20"}`),
    ].join("\n"),
  );
  ok(!log.some((line) => line.startsWith("launch")), log.join());
});
