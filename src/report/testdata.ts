import type { Cell, Report } from "../model.ts";

const CELL: Cell = {
  target: "deno",
  scenario: "text",
  status: "ok",
  reason: null,
  rounds: 6,
  failedRounds: 0,
  requestsPerS: {
    ...{ median: 77_640.4, min: 70_001, max: 80_000 },
    interval: { low: 70_001, high: 80_000, coverage: 0.969 },
  },
  serverCpuUs: { median: 7.5, min: 7.1, max: 9, interval: null },
  p50Us: 119,
  p99Us: 2_010_000,
  answers: 500_000,
  errors: { transport: 0, timeout: 0, non2xx: 0 },
};

/** A report with a good cell, one with errors, an invalid one, a failed one and a hostile name. */
export const REPORT: Report = {
  schemaVersion: 1,
  id: "0",
  createdAt: "2026-01-01T00:00:00.000Z",
  command: ["deno", "task", "bench"],
  complete: true,
  host: {
    os: "linux",
    arch: "x86_64",
    kernel: "6.1",
    cpuModel: "Some CPU",
    cores: 2,
    memoryBytes: 24 * 2 ** 30,
  },
  versions: { deno: "2.9.6", postgresql: "18.4", autocannon: "9.0.0" },
  database: "postgres://127.0.0.1/x",
  config: {
    targets: ["deno"],
    scenarios: ["text", "json", "sql1", "delay"],
    generator: "autocannon",
    connections: null,
    defaultConnections: 10,
    durationS: 1.5,
    warmupS: 0.5,
    rounds: 6,
    seed: 7,
    serverEnv: {},
  },
  results: [],
  cells: [
    {
      ...CELL,
      scenario: "delay",
      requestsPerS: { median: 496.13, min: 496, max: 497, interval: null },
      serverCpuUs: null,
    },
    CELL,
    {
      ...CELL,
      scenario: "json",
      errors: { transport: 2, timeout: 0, non2xx: 1 },
      failedRounds: 1,
      rounds: 5,
      reason: "the generator hung",
    },
    { ...CELL, scenario: "sql1", status: "invalid", reason: "wrong", requestsPerS: null },
  ],
};
