import { deepStrictEqual } from "node:assert/strict";
import type { Report } from "../model/report.ts";
import { cellDifferences, runDifferences, versionDifferences } from "./comparable.ts";

const REPORT = {
  host: { os: "linux", arch: "x", kernel: "6", cpuModel: "C", cores: 2, memoryBytes: 1000 },
  versions: { stampede: "1", deno: "2", postgresql: "18", "deno: Deno": "2", "bun: Bun": "1" },
  generators: [{ id: "wrk", version: "4" }],
  config: {
    durationS: 1.5,
    requests: null,
    timeoutS: 10,
    warmupS: null,
    shards: 1,
    workers: 1,
    serverEnv: { DB_POOL: "10" },
    pinning: null,
  },
  database: "postgres://x",
  scenarios: [
    { id: "sql1", method: "GET", path: "/sql1", headerNames: [], bodySha256: null, queries: 1 },
    { id: "text", method: "GET", path: "/", headerNames: [], bodySha256: null, queries: 0 },
  ],
} as unknown as Report;
const KEY = { target: "deno", connections: 10 };

Deno.test("runDifferences names what of host, instrument and load differs", () => {
  deepStrictEqual(runDifferences(REPORT, REPORT), []);
  const other = {
    ...REPORT,
    host: { ...REPORT.host, kernel: "7", memoryBytes: 1001 },
    versions: { ...REPORT.versions, deno: "3", "bun: Bun": "2" },
    generators: [{ id: "wrk", version: "5" }],
    config: { ...REPORT.config, durationS: 3, serverEnv: { DB_POOL: "20", WORKERS: "4" } },
  } as unknown as Report;
  deepStrictEqual(runDifferences(REPORT, other), [
    "host: kernel (6, then 7)",
    "instrument: deno (2, then 3)",
    "instrument: load generator (wrk 4, then wrk 5)",
    "load: durationS (1.5, then 3)",
    'load: serverEnv ({}, then {"WORKERS":"4"})',
  ]);
  const bigger = { ...REPORT, host: { ...REPORT.host, memoryBytes: 2000 } };
  deepStrictEqual(runDifferences(REPORT, bigger), ["host: memoryBytes (1000, then 2000)"]);
});

Deno.test("cellDifferences looks at the request, and at the database where one takes part", () => {
  const other = {
    ...REPORT,
    versions: { ...REPORT.versions, postgresql: "19" },
    config: { ...REPORT.config, serverEnv: { DB_POOL: "1" } },
    scenarios: REPORT.scenarios.map((one) => ({ ...one, title: "another" })),
  };
  deepStrictEqual(cellDifferences(REPORT, other, { ...KEY, scenario: "text" }), []);
  deepStrictEqual(cellDifferences(REPORT, other, { ...KEY, scenario: "sql1" }), [
    "instrument: postgresql (18, then 19)",
    "load: DB_POOL (10, then 1)",
  ]);
  const moved = {
    ...REPORT,
    scenarios: REPORT.scenarios.map((one) => ({ ...one, path: "/x" })),
  };
  const [reason = ""] = cellDifferences(REPORT, moved, { ...KEY, scenario: "text" });
  deepStrictEqual(reason.startsWith("scenario: request ("), true);
  deepStrictEqual(
    cellDifferences({ ...REPORT, scenarios: [] }, moved, { ...KEY, scenario: "text" }),
    [],
  );
});

Deno.test("versionDifferences tells the servers' own, which are what one compares", () => {
  const versions = { ...REPORT.versions, deno: "3", "bun: Bun": "2" };
  deepStrictEqual(versionDifferences(REPORT, { ...REPORT, versions }), [
    "bun: Bun (1, then 2)",
  ]);
});
