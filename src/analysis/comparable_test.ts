import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Reason } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import {
  hostDifferences,
  resultDifferences,
  runDifferences,
  versionDifferences,
} from "./comparable.ts";

const LOAD = { connections: 10 };
const REPORT = {
  host: { os: "linux", arch: "x", kernel: "6", cpuModel: "C", cores: 2, memoryBytes: 1000 },
  versions: { stampede: "1", deno: "2", postgresql: "18", "deno: Deno": "2", "bun: Bun": "1" },
  generators: [{ id: "wrk", version: "4" }, { id: "oha", version: "1" }],
  trialResults: [
    {
      trial: { purpose: "pilot", variant: "deno", scenario: "text", generator: "oha", load: LOAD },
    },
    {
      trial: {
        purpose: "measure",
        variant: "deno",
        scenario: "text",
        generator: "wrk",
        load: LOAD,
      },
    },
  ],
  experiment: {
    variants: [{ id: "deno", env: { DB_POOL: "10" } }],
    load: { durationS: 1.5, requests: null, timeoutS: 10, warmupS: null, shards: 1 },
  },
  pinning: null,
  launches: [],
  blocks: [],
  database: "postgres://x",
  scenarios: [
    {
      id: "sql1",
      method: "GET",
      path: "/sql1",
      headerNames: [],
      hiddenPathSha256: null,
      each: null,
      bodySha256: null,
      queries: 1,
    },
    {
      id: "text",
      method: "GET",
      path: "/",
      headerNames: [],
      hiddenPathSha256: null,
      each: null,
      bodySha256: null,
      queries: 0,
    },
  ],
} as unknown as Report;
const KEY = { variant: "deno", connections: 10, perS: null };

const differs = (what: string, was: string | null, is: string | null): Reason => ({
  kind: "differs",
  what,
  was,
  is,
});

/** Returns the report with other environment variables of its server. */
function withEnv(env: Readonly<Record<string, string>>): Report {
  const { experiment } = REPORT;
  return {
    ...REPORT,
    experiment: {
      ...experiment,
      variants: experiment.variants.map((variant) => ({ ...variant, env })),
    },
  };
}

Deno.test("runDifferences names what of host, software and load differs", () => {
  deepStrictEqual(runDifferences(REPORT, REPORT, "windows"), []);
  const { experiment } = REPORT;
  const other: Report = {
    ...REPORT,
    host: { ...REPORT.host, kernel: "7", memoryBytes: 1001 },
    versions: { ...REPORT.versions, deno: "3", "bun: Bun": "2" },
    generators: [{ id: "wrk", version: "5", checksBodies: false, latencyNote: null }],
    experiment: { ...experiment, load: { ...experiment.load, durationS: 3 } },
    pinning: { server: [0], database: null, generator: [1] },
  };
  deepStrictEqual(runDifferences(REPORT, other, "windows"), [
    differs("host: kernel", "6", "7"),
    differs("software: deno", "2", "3"),
    differs("load: durationS", "1.5", "3"),
    differs("load: pinning", "null", '{"server":[0],"database":null,"generator":[1]}'),
  ]);
});

Deno.test("runDifferences names processes that answered several scenarios", () => {
  const SHARED = [differs("load: scenarios per process", "one", "several")];
  const run = (starts: number, ...scenarios: readonly string[]) => ({
    ...REPORT,
    experiment: { ...REPORT.experiment, design: { slices: null } },
    launches: Array.from({ length: starts }, () => ({ variant: "deno", round: 1 })),
    trialResults: scenarios.map((scenario) => ({
      trial: { purpose: "measure", variant: "deno", round: 1, scenario },
      window: {},
    })),
    blocks: scenarios.map((scenario) => ({
      block: { scenario, round: 1 },
      slices: { variants: [{ variant: "deno" }], isAwake: [] },
    })),
  });
  const [fresh, shared, one] = [
    run(2, "text", "sql1"),
    run(1, "text", "sql1"),
    run(1, "text", "text"),
  ] as unknown as [Report, Report, Report];
  for (const method of ["windows", "slices"] as const) {
    deepStrictEqual(runDifferences(fresh, shared, method), SHARED, method);
    deepStrictEqual(runDifferences(fresh, one, method), [], method);
    const other = method === "windows" ? { blocks: [] } : { trialResults: [] };
    deepStrictEqual(runDifferences({ ...fresh, ...other }, shared, method), SHARED, method);
    deepStrictEqual(runDifferences(fresh, { ...shared, ...other }, method), SHARED, method);
  }
});

Deno.test("hostDifferences allows for what a kernel keeps of the memory", () => {
  const { host } = REPORT;
  deepStrictEqual(hostDifferences(host, { ...host, memoryBytes: 1019 }), []);
  deepStrictEqual(hostDifferences(host, { ...host, memoryBytes: 2000 }), [
    differs("host: memoryBytes", "1000", "2000"),
  ]);
});

Deno.test("resultDifferences looks at the request, and at the database where one takes part", () => {
  const other = {
    ...withEnv({ DB_POOL: "1" }),
    versions: { ...REPORT.versions, postgresql: "19" },
    scenarios: REPORT.scenarios.map((one) => ({ ...one, title: "another" })),
  };
  deepStrictEqual(resultDifferences(REPORT, other, { ...KEY, scenario: "text" }, "slices"), []);
  deepStrictEqual(resultDifferences(REPORT, other, { ...KEY, scenario: "sql1" }, "slices"), [
    differs("software: postgresql", "18", "19"),
    differs("load: DB_POOL", "10", "1"),
  ]);
  const moved = {
    ...REPORT,
    scenarios: REPORT.scenarios.map((one) => ({ ...one, path: "/x" })),
  };
  const [reason] = resultDifferences(REPORT, moved, { ...KEY, scenario: "text" }, "slices");
  strictEqual(reason?.kind === "differs" && reason.what, "scenario: request");
  deepStrictEqual(
    resultDifferences({ ...REPORT, scenarios: [] }, moved, { ...KEY, scenario: "text" }, "slices"),
    [],
  );
});

Deno.test("resultDifferences looks at the variables of the result's own server", () => {
  const told = withEnv({ DB_POOL: "10", WORKERS: "4" });
  const text = { ...KEY, scenario: "text" };
  deepStrictEqual(resultDifferences(REPORT, told, text, "slices"), [
    differs("load: WORKERS", null, "4"),
  ]);
  deepStrictEqual(resultDifferences(told, REPORT, text, "slices"), [
    differs("load: WORKERS", "4", null),
  ]);
  deepStrictEqual(resultDifferences(REPORT, told, { ...text, variant: "bun" }, "slices"), []);
});

Deno.test("versionDifferences tells the servers' own, which are what one compares", () => {
  const versions = { ...REPORT.versions, deno: "3", "bun: Bun": "2" };
  deepStrictEqual(versionDifferences(REPORT, { ...REPORT, versions }), [
    differs("bun: Bun", "1", "2"),
  ]);
});

Deno.test("windowDifferences names what drove a result, if that was another", () => {
  const text = { ...KEY, scenario: "text" };
  const other = { ...REPORT, generators: [{ id: "wrk", version: "5" }] } as unknown as Report;
  deepStrictEqual(resultDifferences(REPORT, REPORT, text, "windows"), []);
  deepStrictEqual(resultDifferences(REPORT, other, text, "windows"), [
    differs("software: load generator", "wrk 4", "wrk 5"),
  ]);
  deepStrictEqual(resultDifferences(REPORT, other, text, "slices"), [], "slices have their own");
});
