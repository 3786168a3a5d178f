import { Ajv2020 } from "ajv/dist/2020.js";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { REPORT_SCHEMA } from "../model/documents.ts";
import type { Change } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { REPORT } from "../view/report_testdata.ts";
import { VERSUS } from "../view/testdata/versus_report.ts";
import { upgrade } from "./upgrade.ts";

/** What `deno task bench text --quick` of Stampede 0.1.0 wrote, without the histograms. */
const OLD = JSON.parse(
  await Deno.readTextFile(new URL("testdata/report_0.1.0.json", import.meta.url)),
);
const isReport = new Ajv2020({ strict: true, allErrors: true }).compile<Report>(REPORT_SCHEMA);

/** The upgraded report; the schema has to take it. */
function upgraded(changes: Readonly<Record<string, unknown>> = {}): Report {
  const report: unknown = upgrade({ ...structuredClone(OLD), ...changes }, 1);
  if (isReport(report)) return report;
  throw new Error(isReport.errors?.map((error) => JSON.stringify(error)).join("\n"));
}

Deno.test("upgrade makes a run's configuration an experiment", () => {
  const { experiment, pinning, changes, schemaVersion } = upgraded();
  deepStrictEqual([schemaVersion, pinning, changes], [7, null, null]);
  deepStrictEqual(experiment, {
    kind: "run",
    arms: [{
      id: "deno",
      label: "Deno",
      server: "deno",
      generator: "autocannon",
      env: { DB_POOL: "1", WORKERS: "1", CPU_WORKERS: "2", QUEUE_LIMIT: "10000" },
    }],
    reference: null,
    scenarios: ["text"],
    load: {
      tls: null,
      connections: null,
      defaultConnections: 10,
      shards: 1,
      durationS: 1,
      requests: null,
      timeoutS: 10,
      warmupS: null,
      defaultWarmupS: 0.5,
      open: null,
    },
    design: {
      rounds: 1,
      maxRounds: 1,
      width: 0.03,
      budgetS: 1.08,
      budgetShare: 0,
      ratiosOnly: false,
      slices: null,
      fallback: null,
      failOn: null,
      needsAll: false,
      pins: false,
      profileS: null,
      seed: 141609793,
    },
    search: null,
  });
});

Deno.test("upgrade leaves what was measured as it was", () => {
  const { trialResults: results, results: cells, launches } = upgraded();
  const [before] = OLD.results;
  const { target, ...trial } = before.trial;
  deepStrictEqual(results[0]?.trial, {
    arm: target,
    ...trial,
    load: { ...trial.load, mostWarmupS: 0.5, open: null },
    cellConnections: null,
  });
  deepStrictEqual(results[0]?.window?.measurement, {
    ...before.window.measurement,
    kinds: [],
    open: null,
    warmup: null,
  });
  strictEqual(results[0]?.window?.ceiling?.nullServerBusiest, before.window.ceiling.cannedBusiest);
  deepStrictEqual([launches[0]?.variant, cells[0]?.variant], ["deno", "deno"]);
  deepStrictEqual(cells[0]?.requestsPerS, OLD.cells[0].requestsPerS);
  deepStrictEqual(cells[0]?.bottleneck?.reasons[0], {
    kind: "told",
    text: "programs that do not take part used 1.09 cores",
  });
});

Deno.test("upgrade tells from the command what a report was of", () => {
  const cases = [
    ["text", "--quick", "run"],
    ["noise", "text", "noise"],
    ["generators", "generators"],
    ["--preset", "concurrency", "preset"],
    ["--preset=./mine.json", "--pin", "preset"],
    ["versus", "--base", "main", "versus"],
  ];
  for (const args of cases) {
    const kind = args.pop();
    const { experiment } = upgraded({ command: ["deno", "task", "bench", ...args] });
    strictEqual(experiment.kind, kind);
    strictEqual(experiment.design.ratiosOnly, kind === "versus");
    strictEqual(experiment.design.needsAll, kind === "versus");
  }
});

Deno.test("upgrade finds each arm's name and load generator", () => {
  const [server] = OLD.servers;
  const [result] = OLD.results;
  const { experiment } = upgraded({
    config: { ...OLD.config, targets: ["base", "head", "absent"], generator: "wrk", workers: 2 },
    servers: [{ ...server, id: "base", name: "Deno at main" }, { ...server, id: "head" }],
    results: [{ ...result, trial: { ...result.trial, target: "head", generator: "oha" } }],
  });
  deepStrictEqual(
    experiment.variants.map(({ id, label, server, generator, env }) =>
      [id, label, server, generator, env.WORKERS].join(" ")
    ),
    ["base Deno at main base wrk 2", "head Deno head oha 2", "absent absent absent wrk 2"],
  );
});

Deno.test("upgrade keeps the noise, the processors and why something failed", () => {
  const [cell] = OLD.cells;
  const pinning = { server: [0], database: null, generator: [1] };
  const noise = { scenario: "text", connections: 10, requestsPerS: null, serverCpuUs: null };
  const report = upgraded({
    command: ["deno", "task", "bench", "noise"],
    config: { ...OLD.config, pinning },
    noise: [{ target: "deno", ...noise }],
    cells: [{ ...cell, status: "failed", reason: "killed by 9", verdict: null }],
    results: [{
      ...OLD.results[0],
      window: null,
      failure: { kind: "start", message: "it ended" },
    }],
  });
  deepStrictEqual(report.pinning, pinning);
  strictEqual(report.experiment.design.pins, true);
  deepStrictEqual(report.noise, [{ arm: "deno", method: "windows", perS: null, ...noise }]);
  deepStrictEqual(report.results[0]?.reason, { kind: "told", text: "killed by 9" });
  deepStrictEqual(report.trialResults[0]?.failure, {
    kind: "start",
    message: "it ended",
    output: null,
  });
});

Deno.test("upgrade fills in what the first files of format 1 do not have", () => {
  const { commit: _commit, scenarios: _scenarios, generators: _generators, ...older } = OLD;
  const { requests: _requests, timeoutS: _timeoutS, ...config } = older.config;
  const [{ window: { referenceUs: _reference, ...window }, ...result }] = older.results;
  const report = upgrade({ ...older, config, results: [{ ...result, window }] }, 1);
  strictEqual(isReport(report), true);
  const { commit, scenarios, generators, experiment, trialResults: results } =
    report as unknown as Report;
  deepStrictEqual([commit, scenarios, generators], [null, [], []]);
  deepStrictEqual([experiment.load.requests, experiment.load.timeoutS], [null, 10]);
  strictEqual(results[0]?.window?.referenceUs, null);
});

Deno.test("upgrade says of format 2 that all of it was measured in windows", () => {
  const { blocks: _blocks, ...older } = structuredClone(VERSUS);
  const { method: _method, isConfirmed: _isConfirmed, ...before } = older.changes?.changes[0] ??
    {} as Change;
  const { reference: _reference, ...experiment } = older.experiment;
  const { slices: _slices, failOn: _failOn, ...design } = experiment.design;
  const report: unknown = upgrade({
    ...older,
    schemaVersion: 2,
    experiment: { ...experiment, design },
    cells: older.results.map(({ relativeCpu: _cost, ...cell }) => cell),
    comparisons: older.comparisons.map(({ method: _method, ...comparison }) => comparison),
    noise: [],
    results: [],
    changes: { ...older.changes, changes: [before] },
  }, 2);
  if (!isReport(report)) throw new Error(JSON.stringify(isReport.errors));
  deepStrictEqual(report.changes?.changes.map(({ method }) => method), ["windows"]);
  deepStrictEqual([report.blocks, report.experiment.design.slices], [[], null]);
});

Deno.test("format 3 becomes one that knows scale tests of connections", () => {
  const { fallback: _fallback, ...design } = REPORT.experiment.design;
  const older = {
    ...REPORT,
    schemaVersion: 3,
    results: REPORT.trialResults.map((
      { trial: { workloadConnections: _own, ...trial }, ...result },
    ) => ({
      ...result,
      trial,
    })),
    experiment: { ...REPORT.experiment, design },
    cells: REPORT.results.map(({ bottleneck: verdict, isTakenOver: _own, ...cell }) => {
      if (verdict === null) return { ...cell, verdict };
      const { connectionsGain: _gain, ...evidence } = verdict.evidence;
      return { ...cell, verdict: { ...verdict, needsScaleTest: true, evidence } };
    }),
  };
  const report: unknown = upgrade(older, 3);
  if (!isReport(report)) throw new Error(JSON.stringify(isReport.errors));
  deepStrictEqual(report.trialResults, REPORT.trialResults);
  const verdicts = report.results.flatMap(({ bottleneck: verdict }) => verdict ?? []);
  strictEqual(verdicts.length > 0, true);
  for (const { needsScaleTest, evidence } of verdicts) {
    deepStrictEqual([needsScaleTest, evidence.connectionsGain], ["shards", null]);
  }
});

Deno.test("format 4 becomes one that knows open loops", () => {
  const without = <T extends { perS: unknown }>({ perS: _perS, ...rest }: T): Omit<T, "perS"> =>
    rest;
  const { open: _open, ...closedPlan } = REPORT.experiment.load;
  const {
    openChecks: _openChecks,
    openLoopResults: _responses,
    profiles: _profiles,
    distributed: _distributed,
    ...before
  } = REPORT;
  const older = {
    ...before,
    schemaVersion: 4,
    results: REPORT.trialResults.map(({ trial, window, ...result }) => {
      const { open: _load, ...load } = trial.load;
      if (window === null) return { ...result, trial: { ...trial, load }, window };
      const { open: _seen, ...measurement } = window.measurement;
      return { ...result, trial: { ...trial, load }, window: { ...window, measurement } };
    }),
    experiment: { ...REPORT.experiment, load: closedPlan },
    cells: REPORT.results.map(without),
    comparisons: REPORT.comparisons.map(without),
    noise: REPORT.noise.map(without),
  };
  const report: unknown = upgrade(older, 4);
  if (!isReport(report)) throw new Error(JSON.stringify(isReport.errors));
  deepStrictEqual(report, REPORT);
});

Deno.test("format 6 becomes one that knows warm-ups of a fixed length", () => {
  const older = {
    ...REPORT,
    schemaVersion: 6,
    results: REPORT.trialResults.map(({ trial, window, ...result }) => {
      const { mostWarmupS: _most, ...load } = trial.load;
      if (window === null) return { ...result, trial: { ...trial, load }, window };
      const { warmup: _warmup, ...measurement } = window.measurement;
      return { ...result, trial: { ...trial, load }, window: { ...window, measurement } };
    }),
    cells: REPORT.results.map(({ climbing: _climbing, latencyAbsence: _absence, ...cell }) => cell),
  };
  const report: unknown = upgrade(older, 6);
  if (!isReport(report)) throw new Error(JSON.stringify(isReport.errors));
  deepStrictEqual(report, REPORT);
});
