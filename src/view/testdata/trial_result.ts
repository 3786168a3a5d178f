/** A trial result of one window. */
import type {
  Latency,
  Measurement,
  ProbeRecord,
  ProgramUsage,
  TrialResult,
  WindowRecord,
} from "../../model/raw.ts";

const LATENCY: Latency = {
  count: 125_000,
  meanUs: 128,
  minUs: 20,
  p50Us: 119,
  p90Us: 210,
  p99Us: 900,
  p999Us: 3000,
  maxUs: 8000,
  histogram: "HISTFAAAADR4nJNpmSzMwMCgxsDAwMjAwMDMAAEgNgO7Oh+Uy8B4nHGCjOACeVyok/sF00kJDQBTRAz6",
};

export const MEASUREMENT: Measurement = {
  durationS: 1.5,
  statuses: { "200": 125_000 },
  allResponses: 160_000,
  transportErrors: 0,
  timeouts: 0,
  checkedBodies: 125_000,
  wrongResponses: 0,
  wrongResponse: null,
  bytes: 12 * 2 ** 20,
  connectionsOpened: 0,
  slicesPerS: [77_000, 78_000, 77_500],
  latency: LATENCY,
  kinds: [],
  open: null,
  warmup: null,
};

const USED: ProgramUsage = {
  userUs: 700_000,
  systemUs: 300_000,
  busiestThread: 0.68,
  runQueueWait: 0.05,
  waitedUs: 60_000,
  idleRssBytes: 100 * 2 ** 20,
  peakRssBytes: 166 * 2 ** 20,
};

const PROBE: ProbeRecord = {
  intervalMs: 16,
  durationS: 1.5,
  due: 93,
  responses: 93,
  allResponses: 120,
  wrongResponses: 0,
  wrongResponse: null,
  error: null,
  errors: 0,
  latency: LATENCY,
  sendLatenessP99Us: 1490,
  absence: null,
};

export const WINDOW: WindowRecord = {
  measurement: MEASUREMENT,
  usage: {
    durationS: 1.5,
    server: USED,
    database: USED,
    generator: USED,
    machine: { idle: 0.1, steal: 0.004 },
  },
  probe: PROBE,
  database: { statements: [{ query: "SELECT now()\n  AS ts", calls: 160_120, changed: null }] },
  ceiling: {
    shape: "GET, responses up to 1 KiB",
    responseBytes: 11,
    responsesPerS: 80_000,
    generatorBusiest: 0.99,
    nullServerBusiest: 0.6,
  },
  referenceUs: 640,
  beside: null,
};

export const TRIAL_RESULT: TrialResult = {
  trial: {
    index: 0,
    purpose: "measure",
    workloadConnections: null,
    round: 1,
    variant: "deno",
    scenario: "text",
    generator: "autocannon",
    load: {
      connections: 10,
      shards: 1,
      warmupS: 0.5,
      mostWarmupS: 0.5,
      durationS: 1.5,
      responses: null,
      timeoutS: 10,
      open: null,
    },
  },
  startedAt: "2026-01-01T00:00:01.000Z",
  window: WINDOW,
  failure: null,
};
