import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { blockOf } from "../analysis/slices_testdata.ts";
import type { Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { briefEnvironment, environment, programsOf } from "./environment_text.ts";
import { DUEL, REPORT } from "./report_testdata.ts";

Deno.test("environment name the load, the machine and what was measured of the time", () => {
  const [load = "", machine = "", time] = environment(REPORT);
  match(load, /^10 connections, 6 rounds of 1\.5 s, .*, autocannon 9\.0\.0, not pinned, seed 7$/);
  match(machine, /^Deno 2\.9\.6, PostgreSQL 18\.4, linux 6\.1, 2 x Some CPU .*, 24 GiB$/s);
  strictEqual(time, "took 1 min 40 s, 60 % of it measured");
  ok(!environment({ ...REPORT, database: null }).join().includes("PostgreSQL"));
});

Deno.test("environment say what was not as usual", () => {
  const [usual] = REPORT.trialResults;
  const { trial } = usual as NonNullable<typeof usual>;
  const slow = { ...trial, scenario: "delay", load: { ...trial.load, connections: 100 } };
  const { experiment } = DUEL;
  const report: Report = {
    ...DUEL,
    complete: false,
    trialResults: [{ ...REPORT.trialResults[0], trial: slow } as never],
    experiment: { ...experiment, load: { ...experiment.load, shards: 2 } },
  };
  const [load = ""] = environment(report);
  match(load, /^10 connections \(delay: 100\), interrupted, 6 rounds of 1\.5 s/);
  match(load, /autocannon 9\.0\.0 with 2 shards, pinned, seed 7$/);
});

Deno.test("environment say how slices were measured, and of what they were warmed up longer", () => {
  const slices = { durationS: 1 / 6, sliceMs: 10, responses: 50 };
  const { experiment } = REPORT;
  const design = { ...experiment.design, slices };
  const variants = { a: {}, b: {} };
  const blocks = [1, 2, 3].flatMap((round) => [
    blockOf(round, variants),
    ...(round < 3 ? [blockOf(round, variants, { scenario: "jvm", warmupS: 5 })] : []),
    blockOf(round, variants, { purpose: "confirm" }),
  ]);
  const report = { ...REPORT, trialResults: [], generators: [], blocks };
  const [load = ""] = environment({ ...report, experiment: { ...experiment, design } });
  match(
    load,
    /^10 connections, 2 to 3 rounds of 0.17 s in slices of 10 ms, 0.5 s of warm-up \(jvm: 5\), (not )?pinned/,
  );
  ok(!load.includes("autocannon"));
});

Deno.test("environment name the workers that all servers are told to use, if they are several", () => {
  const { experiment } = DUEL;
  const of = (...workers: (string | null)[]): string | undefined => {
    const variants = workers.map((n, i) => ({
      id: String(i),
      label: String(i),
      server: "deno",
      generator: "wrk",
      env: n === null ? {} : { WORKERS: n },
    }));
    return environment({ ...DUEL, experiment: { ...experiment, variants } })[0];
  };
  match(of("4", "4") ?? "", /, 4 workers per server, if its manifest can set them, seed 7$/);
  for (const others of [["1", "1"], ["1", "4"], ["4", null], [null]]) {
    ok(!of(...others)?.includes("workers"), others.join());
  }
});

Deno.test("environment repeat the warnings about the machine, and no other finding", () => {
  const finding = { name: "turbo", status: "unknown", found: "not told", advice: null } as const;
  const host = { ...REPORT.host, findings: [...REPORT.host.findings, finding] };
  deepStrictEqual(environment({ ...REPORT, host }).slice(3), ["! cores: 2 cores, shared"]);
});

Deno.test("rounds are counted once, whether they had windows, slices or both", () => {
  const slices = { durationS: 0.45, sliceMs: 10, responses: 50 };
  const design = { ...DUEL.experiment.design, slices };
  const of = (windows: number, sliced: number): Report => ({
    ...DUEL,
    experiment: { ...DUEL.experiment, design },
    results: DUEL.results.map((result) => ({ ...result, rounds: windows })),
    blocks: Array.from({ length: sliced }, (_one, i) => blockOf(i + 1, { deno: {}, node: {} })),
  });
  match(briefEnvironment(of(3, 8))[0] ?? "", /^8 rounds \(windows in 3\) in 1 min 40 s, /);
  match(
    environment(of(3, 8))[0] ?? "",
    /, 8 rounds of 0.45 s in slices of 10 ms \(windows of 1.5 s in 3\), /,
  );
  match(briefEnvironment(of(6, 6))[0] ?? "", /^6 rounds in 1 min 40 s, /);
  match(environment(of(6, 6))[0] ?? "", /, 6 rounds of 1.5 s and of 0.45 s in slices of 10 ms, /);
});

Deno.test("environment tell the share that was measured only of a run that took some time", () => {
  const took = (tookS: number, measuredS: number): string | undefined =>
    environment({ ...REPORT, tookS, measuredS }).find((line) => line.startsWith("took"));
  strictEqual(took(100, 50), "took 1 min 40 s, 50 % of it measured");
  strictEqual(took(0, 0), "took 0 s");
  strictEqual(took(0, 5), "took 0 s");
  strictEqual(took(5, 50), "took 5 s");
  const parts = ["2026-01-01T09:30:59.000Z", "2026-01-02T10:00:00.000Z"].map((createdAt) => ({
    createdAt,
    command: [],
    tookS: 50,
  }));
  strictEqual(
    environment({ ...REPORT, parts }).find((line) => line.startsWith("took")),
    "took 1 min 40 s in 2 parts (from 2026-01-01 09:30 and 2026-01-02 10:00), 60 % of it measured",
  );
});

Deno.test("programs name all servers that used the same version", () => {
  const versions = {
    "deno": "2.9.6",
    "gin: Go": "go1.24",
    "gin: pgx": "v5.1",
    "fiber: Go": "go1.24",
    "old: Go": "go1.20",
  };
  deepStrictEqual(programsOf({ versions }), [
    { name: "deno", version: "2.9.6", servers: [] },
    { name: "Go", version: "go1.24", servers: ["gin", "fiber"] },
    { name: "pgx", version: "v5.1", servers: ["gin"] },
    { name: "Go", version: "go1.20", servers: ["old"] },
  ]);
});

Deno.test("environment summarise the intervals of many results, and the slices that do not count", () => {
  const wide = (report: Report): string[] =>
    environment(report).filter((line) => /half interval|passes|near blocks/.test(line));
  deepStrictEqual(wide(REPORT), []);
  const [first] = REPORT.results as [Result];
  const interval = (median: number, half: number) => ({
    median,
    ratio: median,
    confidenceInterval: { low: median * (1 - half), high: median * (1 + half), coverage: 0.95 },
  });
  const results = [0.01, 0.02, 0.03, 0.1, 0.2].map((half) => ({
    ...first,
    status: "ok",
    requestsPerS: interval(1000, half),
    relativeRate: interval(2, 2 * half),
    relativeCpu: null,
  })) as unknown as Result[];
  deepStrictEqual(wide({ ...REPORT, results }), [
    "median half interval: Req/Sec 3.0 %, Rel. rate 6.0 %",
  ]);
  deepStrictEqual(wide({ ...REPORT, results: results.slice(1) }), []);
  // Most results have no interval
  const others = results.map((result) => ({ ...result, requestsPerS: null, relativeRate: null }));
  const most = [...results, ...others, ...others.slice(1)];
  deepStrictEqual(wide({ ...REPORT, results: most }), []);
  // One pass of four is distant, and the last reference was slow
  const blocks = [10, 10, 10, 12].map((cpuUs, i) => {
    const roundTripNs = [100, 100, 100, 100].map((ns) => i === 0 ? 4 * ns : ns);
    const change = { change: { roundTripNs } };
    return blockOf(i + 1, { a: change, reference: { cpuUs, ...change } });
  });
  deepStrictEqual(wide({ ...REPORT, blocks }), [
    "distant processors in 25 % of the passes",
    "unusual CPU time of the reference in 1 of 3 near blocks",
  ]);
});
