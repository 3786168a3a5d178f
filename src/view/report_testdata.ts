import type { Comparison, GeneratorSummary, Noise, ServerSummary } from "../model/derived.ts";
import type { VariantRecord } from "../model/experiment.ts";
import type { Report, ScenarioSummary } from "../model/report.ts";
import { BOTTLENECK, estimate, messageReason, RESULT, WITHOUT_RATE } from "./testdata/result.ts";
import { TRIAL_RESULT } from "./testdata/trial_result.ts";

/**
 * A text with HTML, an escape sequence of terminals, and placeholders of templates. Every output must
 * escape it.
 */
export const HOSTILE = "<b>Deno</b> | $& %s \x1b[2J\x07";

const GENERATOR: GeneratorSummary = {
  id: "autocannon",
  version: "9.0.0",
  checksBodies: true,
  latencyNote: null,
};

export const SERVER: ServerSummary = {
  handshakeUs: null,
  handshakeCpuUs: null,
  id: "deno",
  name: "Deno",
  language: "TypeScript",
  runtime: "Deno",
  framework: null,
  basedOn: null,
  approach: "idiomatic",
  why: null,
  guide: null,
  settings: {},
  scenarios: { text: {} },
  workers: 1,
  skipped: null,
  failure: null,
  startUpS: estimate(0.085, 0.081, 0.093),
  idleRssBytes: 62 * 2 ** 20,
  costs: {},
};

const TEXT: ScenarioSummary = {
  id: "text",
  title: "Fixed text",
  method: "GET",
  path: "/",
  headerNames: [],
  queries: 0,
  hiddenPathSha256: null,
  each: null,
  bodySha256: null,
  checks: ["answers Hello world"],
};

export const VARIANT: VariantRecord = {
  id: "deno",
  label: "Deno",
  server: "deno",
  generator: "autocannon",
  env: { WORKERS: "1" },
};

/** A report with a good result, one with errors, an invalid one, a failed one, and hostile texts. */
export const REPORT: Report = {
  schemaVersion: 1,
  kind: "run",
  id: "0",
  createdAt: "2026-01-01T00:00:00.000Z",
  program: ["deno", "task", "bench"],
  command: ["deno", "task", "bench"],
  complete: true,
  tookS: 100,
  parts: [],
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
  experiment: {
    kind: "run",
    variants: [VARIANT],
    reference: null,
    scenarios: ["text", "json", "sql1", "delay", "books"],
    load: {
      tls: null,
      connections: null,
      defaultConnections: 10,
      shards: 1,
      durationS: 1.5,
      requests: null,
      timeoutS: 10,
      warmupS: null,
      defaultWarmupS: 0.5,
      open: null,
    },
    design: {
      rounds: 6,
      maxRounds: 15,
      until: "width",
      width: 0.03,
      isTimed: true,
      costs: [],
      failOnCosts: {},
      counts: false,
      differences: "none",
      budgetS: 60,
      budgetShare: 0.4,
      ratiosOnly: false,
      slices: null,
      fallback: null,
      failOn: null,
      needsAll: false,
      pins: false,
      profileS: null,
      seed: 7,
    },
    search: null,
  },
  pinning: null,
  scenarios: [TEXT, {
    ...TEXT,
    id: "json",
    title: HOSTILE,
    method: "POST",
    path: "/json?a=1",
    queries: 1,
    headerNames: ["x-a"],
    hiddenPathSha256: null,
    each: null,
    bodySha256: "e3b0c442",
    checks: [HOSTILE, "another"],
  }],
  generators: [GENERATOR],
  servers: [SERVER],
  launches: [{
    variant: "deno",
    round: 1,
    startUpS: 0.0851,
    idleRssBytes: 62 * 2 ** 20,
    handshakes: null,
  }],
  trialResults: [TRIAL_RESULT, {
    ...TRIAL_RESULT,
    trial: { ...TRIAL_RESULT.trial, index: 1, scenario: "books" },
    window: null,
    failure: { kind: "window", message: HOSTILE, output: null },
  }],
  results: [
    {
      ...RESULT,
      scenario: "delay",
      requestsPerS: { ...estimate(496.13, 496, 497), confidenceInterval: null },
      isLowerBound: false,
      capacityPerCore: null,
      serverCpuUs: null,
      peakRssBytes: null,
      probe: null,
      probeAbsence: messageReason("a response takes 2 s"),
      bottleneck: { ...BOTTLENECK, kind: "idle", reasons: [{ kind: "all-idle", idle: null }] },
    },
    RESULT,
    {
      ...RESULT,
      scenario: "json",
      errors: { transport: 2, timeout: 0, non2xx: 1, probe: 0 },
      failedRounds: 1,
      rounds: 5,
      reason: messageReason("the generator hung"),
    },
    { ...WITHOUT_RATE, scenario: "sql1", status: "invalid", reason: messageReason("wrong") },
    {
      ...WITHOUT_RATE,
      scenario: "books",
      status: "failed",
      reason: messageReason("killed:\nby 9"),
    },
  ],
  openChecks: [],
  openLoopResults: [],
  capacities: [],
  scaling: [],
  costs: [],
  costAbsences: [],
  counts: [],
  countAbsences: [],
  selfTimes: [],
  profiles: [],
  blocks: [],
  comparisons: [],
  noise: [],
  changes: null,
};

const COMPARISON: Comparison = {
  scenario: "text",
  connections: 10,
  perS: null,
  a: "deno",
  b: "node",
  metric: "serverCpuUs",
  method: "windows",
  rounds: 6,
  ratio: 0.81,
  confidenceInterval: { low: 0.79, high: 0.84, coverage: 0.969 },
  pValue: 0.03125,
  better: "deno",
};

export const NOISE: Noise = {
  variant: "deno",
  scenario: "text",
  connections: 10,
  perS: null,
  method: "windows",
  requestsPerS: {
    rounds: 6,
    ratio: 1.002,
    confidenceInterval: { low: 0.98, high: 1.013, coverage: 0.969 },
    floor: 0.02,
  },
  serverCpuUs: null,
};

/** A report of two servers on separate CPUs. */
export const DUEL: Report = {
  ...REPORT,
  experiment: {
    ...REPORT.experiment,
    variants: [VARIANT, { ...VARIANT, id: "node", label: "Node", server: "node" }, {
      ...VARIANT,
      id: "encore",
      label: "Encore",
      server: "encore",
    }],
    scenarios: ["text"],
  },
  pinning: { server: [0], database: [1], generator: [2, 3] },
  servers: [SERVER, { ...SERVER, id: "node", name: "Node", startUpS: null }, {
    ...SERVER,
    id: "encore",
    name: "Encore",
    startUpS: null,
    idleRssBytes: null,
    skipped: "encore not found (install it)",
  }],
  results: [{ ...RESULT, rank: 1 }, { ...RESULT, variant: "node", rank: 2 }],
  comparisons: [COMPARISON],
  noise: [NOISE],
};
