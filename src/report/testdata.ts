import type { Cell, Estimate, Evidence, Report } from "../findings.ts";

/** An estimate of so many rounds whose interval reaches from the lowest to the highest. */
function estimate(median: number, low: number, high: number): Estimate {
  return {
    ...{ median, min: low, max: high, interval: { low, high, coverage: 0.969 } },
    ...{ cv: 0.02, mad: median / 100, outlierRounds: [], minimumDetectableEffect: 0.033 },
  };
}

const PART = { cores: 0.71, wantedCores: 0.75, busiestThread: 0.7, runQueueWait: 0.05 };
const EVIDENCE: Evidence = {
  server: PART,
  database: null,
  generator: { ...PART, cores: 0.97, busiestThread: 0.96 },
  machine: { idle: 0.1, steal: 0, otherCores: 0.1 },
  little: 0.99,
  ceilingPerS: 80_000,
  isCeilingReached: true,
  scaleGain: null,
};

const CELL: Cell = {
  target: "deno",
  scenario: "text",
  status: "ok",
  reason: null,
  rounds: 6,
  failedRounds: 0,
  requestsPerS: estimate(77_640.4, 70_001, 80_000),
  isLowerBound: true,
  capacityPerCore: 133_333,
  serverCpuUs: estimate(7.5, 7.1, 7.9),
  systemShare: 0.7,
  p50Us: 119,
  p99Us: 2_010_000,
  witness: {
    ...{ answers: 558, perS: 62, p50Us: 600, p99Us: 2200, sendLagP99Us: 1490, detects: 0.005 },
  },
  witnessAbsence: null,
  idleRssBytes: 100 * 2 ** 20,
  peakRssBytes: 166 * 2 ** 20,
  statementsPerAnswer: null,
  trend: 0,
  verdict: {
    limit: "generator",
    reasons: ["the load generator used 0.97 cores"],
    needsScaleTest: false,
    evidence: EVIDENCE,
  },
  rank: null,
  answers: 500_000,
  checkedBodies: 500_000,
  errors: { transport: 0, timeout: 0, non2xx: 0, witness: 0 },
};

/** A report with a good cell, one with errors, an invalid one, a failed one and a hostile name. */
export const REPORT: Report = {
  schemaVersion: 1,
  id: "0",
  createdAt: "2026-01-01T00:00:00.000Z",
  command: ["deno", "task", "bench"],
  complete: true,
  tookS: 100,
  measuredS: 60,
  host: {
    os: "linux",
    arch: "x86_64",
    kernel: "6.1",
    cpuModel: "Some CPU",
    cores: 2,
    memoryBytes: 24 * 2 ** 30,
    findings: [{ name: "cores", status: "warn", found: "2 cores, shared", advice: "use more" }],
  },
  versions: { deno: "2.9.6", postgresql: "18.4", autocannon: "9.0.0" },
  database: "postgres://127.0.0.1/x",
  config: {
    targets: ["deno"],
    scenarios: ["text", "json", "sql1", "delay"],
    ...{
      generator: "autocannon",
      shards: 1,
      maxRounds: 15,
      width: 0.03,
      budgetS: 60,
      pinning: null,
    },
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
      requestsPerS: { ...estimate(496.13, 496, 497), interval: null },
      ...{ isLowerBound: false, capacityPerCore: null, serverCpuUs: null, peakRssBytes: null },
      ...{ witness: null, witnessAbsence: "an answer takes 2 s" },
      verdict: {
        ...{ limit: "wait", reasons: ["nobody was busy"], needsScaleTest: false },
        evidence: EVIDENCE,
      },
    },
    CELL,
    {
      ...CELL,
      scenario: "json",
      errors: { transport: 2, timeout: 0, non2xx: 1, witness: 0 },
      failedRounds: 1,
      rounds: 5,
      reason: "the generator hung",
    },
    { ...CELL, scenario: "sql1", status: "invalid", reason: "wrong", requestsPerS: null },
  ],
  comparisons: [],
  noise: [],
};
