import type {
  Cell,
  Comparison,
  Estimate,
  Evidence,
  GeneratorSummary,
  Noise,
  PartEvidence,
  ServerSummary,
  Verdict,
} from "../model/derived.ts";
import type { Report, ScenarioSummary } from "../model/report.ts";
import type {
  Latency,
  Measurement,
  ProgramUsage,
  TrialResult,
  WindowRecord,
  WitnessRecord,
} from "../model/raw.ts";

/** Text that would steer a terminal, a page or a template if it were more than text. */
export const HOSTILE = "<b>Deno</b> | $& %s \x1b[2J\x07";

/** An estimate of so many rounds whose interval reaches from the lowest to the highest. */
function estimate(median: number, low: number, high: number): Estimate {
  return {
    median,
    min: low,
    max: high,
    interval: { low, high, coverage: 0.969 },
    cv: 0.02,
    mad: median / 100,
    outlierRounds: [],
    minimumDetectableEffect: 0.033,
  };
}

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

const MEASUREMENT: Measurement = {
  durationS: 1.5,
  statuses: { "200": 125_000 },
  allAnswers: 160_000,
  transportErrors: 0,
  timeouts: 0,
  checkedBodies: 125_000,
  wrongAnswers: 0,
  wrongAnswer: null,
  bytes: 12 * 2 ** 20,
  connectionsOpened: 0,
  slicesPerS: [77_000, 78_000, 77_500],
  latency: LATENCY,
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

const WITNESS: WitnessRecord = {
  intervalMs: 16,
  durationS: 1.5,
  due: 93,
  answers: 93,
  allAnswers: 120,
  wrongAnswers: 0,
  wrongAnswer: null,
  error: null,
  errors: 0,
  latency: LATENCY,
  sendLagP99Us: 1490,
  absence: null,
};

const WINDOW: WindowRecord = {
  measurement: MEASUREMENT,
  usage: {
    durationS: 1.5,
    server: USED,
    database: USED,
    generator: USED,
    machine: { idle: 0.1, steal: 0.004 },
  },
  witness: WITNESS,
  database: { statements: [{ query: "SELECT now()\n  AS ts", calls: 160_120 }] },
  ceiling: {
    shape: "GET, answers up to 1 KiB",
    answerBytes: 11,
    answersPerS: 80_000,
    generatorBusiest: 0.99,
    nullServerBusiest: 0.6,
  },
  referenceUs: 640,
};

const RESULT: TrialResult = {
  trial: {
    index: 0,
    purpose: "measure",
    round: 1,
    target: "deno",
    scenario: "text",
    generator: "autocannon",
    load: {
      connections: 10,
      shards: 1,
      warmupS: 0.5,
      durationS: 1.5,
      answers: null,
      timeoutS: 10,
    },
  },
  startedAt: "2026-01-01T00:00:01.000Z",
  window: WINDOW,
  failure: null,
};

function part(
  cores: number,
  wantedCores: number,
  busiestThread: number,
  runQueueWait: number,
): PartEvidence {
  return { cores, wantedCores, busiestThread, runQueueWait };
}

/** No two of its figures are the same. */
const EVIDENCE: Evidence = {
  server: part(0.71, 0.75, 0.68, 0.052),
  database: part(0.12, 0.14, 0.11, 0.021),
  generator: part(0.97, 0.98, 0.96, 0.013),
  machine: { idle: 0.1, steal: 0.004, otherCores: 0.17 },
  little: 0.99,
  ceilingPerS: 80_000,
  isCeilingReached: true,
  scaleGain: 0.34,
};

const VERDICT: Verdict = {
  limit: "generator",
  reasons: ["the load generator was busy"],
  needsScaleTest: false,
  evidence: EVIDENCE,
};

const CELL: Cell = {
  target: "deno",
  scenario: "text",
  connections: 10,
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
    answers: 558,
    perS: 62,
    p50Us: 600,
    p99Us: 2200,
    sendLagP99Us: 1490,
    detects: 0.005,
  },
  witnessAbsence: null,
  idleRssBytes: 100 * 2 ** 20,
  peakRssBytes: 166 * 2 ** 20,
  statementsPerAnswer: 1.0006,
  trend: 0,
  verdict: VERDICT,
  rank: null,
  answers: 500_000,
  checkedBodies: 500_000,
  errors: { transport: 0, timeout: 0, non2xx: 0, witness: 0 },
};

/** What a cell without a rate is like. */
const WITHOUT_RATE: Cell = {
  ...CELL,
  requestsPerS: null,
  isLowerBound: false,
  capacityPerCore: null,
  serverCpuUs: null,
  verdict: null,
  witness: null,
  witnessAbsence: null,
};

const GENERATOR: GeneratorSummary = {
  id: "autocannon",
  version: "9.0.0",
  checksBodies: true,
  latencyNote: null,
};

const SERVER: ServerSummary = {
  id: "deno",
  name: "Deno",
  language: "TypeScript",
  framework: null,
  basedOn: null,
  approach: "idiomatic",
  why: null,
  scenarios: { text: {} },
  workers: 1,
  skipped: null,
  failure: null,
  startUpS: estimate(0.085, 0.081, 0.093),
  idleRssBytes: 62 * 2 ** 20,
};

const TEXT: ScenarioSummary = {
  id: "text",
  title: "Fixed text",
  method: "GET",
  path: "/",
  headerNames: [],
  queries: 0,
  bodySha256: null,
  checks: ["answers Hello world"],
};

/** A report with a good cell, one with errors, an invalid one, a failed one, and hostile texts. */
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
    cpuModel: `Some CPU ${HOSTILE}`,
    cores: 2,
    memoryBytes: 24 * 2 ** 30,
    findings: [{ name: "cores", status: "warn", found: "2 cores, shared", advice: "use more" }],
  },
  commit: { id: "0123456789abcdef0123456789abcdef01234567", isDirty: false },
  versions: { deno: "2.9.6", postgresql: "18.4", autocannon: "9.0.0" },
  database: "postgres://127.0.0.1/x",
  config: {
    targets: ["deno"],
    scenarios: ["text", "json", "sql1", "delay", "books"],
    generator: "autocannon",
    shards: 1,
    connections: null,
    defaultConnections: 10,
    durationS: 1.5,
    requests: null,
    timeoutS: 10,
    warmupS: null,
    defaultWarmupS: 0.5,
    rounds: 6,
    maxRounds: 15,
    width: 0.03,
    budgetS: 60,
    seed: 7,
    pinning: null,
    workers: 1,
    serverEnv: {},
  },
  scenarios: [TEXT, {
    ...TEXT,
    id: "json",
    title: HOSTILE,
    method: "POST",
    path: "/json?a=1",
    queries: 1,
    headerNames: ["x-a"],
    bodySha256: "e3b0c442",
    checks: [HOSTILE, "another"],
  }],
  generators: [GENERATOR],
  servers: [SERVER],
  launches: [{ target: "deno", round: 1, startUpS: 0.0851, idleRssBytes: 62 * 2 ** 20 }],
  results: [RESULT, {
    ...RESULT,
    trial: { ...RESULT.trial, index: 1, scenario: "books" },
    window: null,
    failure: { kind: "window", message: HOSTILE, output: null },
  }],
  cells: [
    {
      ...CELL,
      scenario: "delay",
      requestsPerS: { ...estimate(496.13, 496, 497), interval: null },
      isLowerBound: false,
      capacityPerCore: null,
      serverCpuUs: null,
      peakRssBytes: null,
      witness: null,
      witnessAbsence: "an answer takes 2 s",
      verdict: { ...VERDICT, limit: "wait", reasons: ["nobody was busy"] },
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
    { ...WITHOUT_RATE, scenario: "sql1", status: "invalid", reason: "wrong" },
    { ...WITHOUT_RATE, scenario: "books", status: "failed", reason: "killed:\nby 9" },
  ],
  comparisons: [],
  noise: [],
};

const COMPARISON: Comparison = {
  scenario: "text",
  connections: 10,
  a: "deno",
  b: "node",
  metric: "serverCpuUs",
  rounds: 6,
  ratio: 0.81,
  interval: { low: 0.79, high: 0.84, coverage: 0.969 },
  pValue: 0.03125,
  better: "deno",
};

const NOISE: Noise = {
  target: "deno",
  scenario: "text",
  connections: 10,
  requestsPerS: {
    rounds: 6,
    ratio: 1.002,
    interval: { low: 0.98, high: 1.013, coverage: 0.969 },
    floor: 0.02,
  },
  serverCpuUs: null,
};

/** A report of two servers on processors of their own. */
export const DUEL: Report = {
  ...REPORT,
  config: {
    ...REPORT.config,
    targets: ["deno", "node", "encore"],
    scenarios: ["text"],
    pinning: { server: [0], database: [1], generator: [2, 3] },
  },
  servers: [SERVER, { ...SERVER, id: "node", name: "Node", startUpS: null }, {
    ...SERVER,
    id: "encore",
    name: "Encore",
    startUpS: null,
    idleRssBytes: null,
    skipped: "encore not found (install it)",
  }],
  cells: [{ ...CELL, rank: 1 }, { ...CELL, target: "node", rank: 2 }],
  comparisons: [COMPARISON],
  noise: [NOISE],
};
