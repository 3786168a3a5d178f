/**
 * The types of reports, for programs that read them. `deno task schemas` writes this file.
 *
 * @module
 */

/**
 * results/<time>-<id>.json: everything that a run found, or merged results of k6 runners; `kind` says which. `trialResults` is raw, one item for each window. Everything else is derived from it or explains how it was measured. Units are part of the names: S is seconds, Us microseconds, PerS per second. Null means unknown.
 */
export type StampedeReport = Report | DistributedReport;
/**
 * A reason, by kind.
 */
export type Reason = {
  /**
   * Which kind it is.
   */
  kind: "message";
  /**
   * The message.
   */
  text: string;
} | {
  /**
   * Which kind it is.
   */
  kind: "busy";
  /**
   * The component.
   */
  component: "server" | "database" | "generator";
  /**
   * Cores that it used; null if unknown.
   */
  cores: number | null;
  /**
   * Share of time that its busiest thread ran.
   */
  busiestThread: number | null;
  /**
   * Share of time that this thread waited to run.
   */
  runQueueWait: number | null;
} | {
  /**
   * Which kind it is.
   */
  kind: "only-shards-tell";
} | {
  /**
   * Which kind it is.
   */
  kind: "shards-changed";
  /**
   * Relative change: 0.1 is 10 % more.
   */
  gain: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "connections-changed";
  /**
   * Relative change: 0.1 is 10 % more.
   */
  gain: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "waited-for-processor";
} | {
  /**
   * Which kind it is.
   */
  kind: "near-ceiling";
  /**
   * The ceiling divided by the rate.
   */
  ceilingShare: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "server-unknown";
} | {
  /**
   * Which kind it is.
   */
  kind: "system-silent";
} | {
  /**
   * Which kind it is.
   */
  kind: "others-busy";
  /**
   * Cores that they used.
   */
  cores: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "stolen";
  /**
   * Share of the machine's CPU time.
   */
  share: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "machine-in-use";
  /**
   * Share of its CPU time.
   */
  used: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "connections-idle";
  /**
   * Share of connections with a pending request.
   */
  little: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "database-hidden";
} | {
  /**
   * Which kind it is.
   */
  kind: "all-idle";
  /**
   * Idle share of the machine; null if unknown.
   */
  idle: number | null;
} | {
  /**
   * Which kind it is.
   */
  kind: "wrong-responses";
  /**
   * Number.
   */
  count: number;
  /**
   * An example.
   */
  example: string | null;
} | {
  /**
   * Which kind it is.
   */
  kind: "probe-wrong";
  /**
   * Number.
   */
  count: number;
  /**
   * An example.
   */
  example: string | null;
} | {
  /**
   * Which kind it is.
   */
  kind: "no-response";
} | {
  /**
   * Which kind it is.
   */
  kind: "requests-failed";
  /**
   * Share of failed requests.
   */
  share: number;
  /**
   * Responses without a 2xx status, by status, or by its class.
   */
  statuses: {
    [k: string]: number;
  };
  /**
   * Requests without a response.
   */
  transportErrors: number;
  /**
   * Requests that timed out.
   */
  timeouts: number;
  /**
   * Errors of the probe.
   */
  probeErrors: number;
  /**
   * An example.
   */
  probeError: string | null;
} | {
  /**
   * Which kind it is.
   */
  kind: "too-few-writes";
  /**
   * Changed rows per response.
   */
  perResponse: number;
  /**
   * The expected number.
   */
  expected: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "wrong-statements";
  /**
   * Statements per response.
   */
  perResponse: number;
  /**
   * The scenario's number.
   */
  expected: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "few-requests";
  /**
   * Its largest number of requests.
   */
  requests: number;
  /**
   * Number of requests that the percentile needs.
   */
  needed: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "few-rounds";
  /**
   * Rounds with a value of all variants.
   */
  rounds: number;
  /**
   * Rounds that were measured.
   */
  of: number;
  /**
   * Rounds in which the load generator was late.
   */
  late: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "little-contradicts";
  /**
   * Rate times mean latency divided by connections: 1 if all are always busy.
   */
  little: number;
  /**
   * Number of connections.
   */
  connections: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "responses-in-waves";
  /**
   * One of this many requests waits.
   */
  every: number;
  /**
   * Duration of the wait, in seconds.
   */
  waitS: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "connections-taken";
  /**
   * Number.
   */
  connections: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "messages";
} | {
  /**
   * Which kind it is.
   */
  kind: "open-loop";
} | {
  /**
   * Which kind it is.
   */
  kind: "no-rehearsal";
} | {
  /**
   * Which kind it is.
   */
  kind: "responses-too-slow";
  /**
   * Median response time in milliseconds.
   */
  ms: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "none-held";
} | {
  /**
   * Which kind it is.
   */
  kind: "search-ended";
} | {
  /**
   * Which kind it is.
   */
  kind: "still-climbing";
  /**
   * The affected revision; null if there is only one.
   */
  where: string | null;
  /**
   * What climbed: windows, or rounds of slices.
   */
  what: "windows" | "slices";
  /**
   * Number of climbing ones.
   */
  climbing: number;
  /**
   * Total number.
   */
  of: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "contended";
  /**
   * The affected revision.
   */
  where: string;
  /**
   * Cores used by other programs.
   */
  otherCores: number;
  /**
   * Share of CPU time that the virtual machine's host took.
   */
  steal: number;
  /**
   * Cores of the machine.
   */
  cores: number;
} | {
  /**
   * Which kind it is.
   */
  kind: "absent";
  /**
   * The report or variant without it.
   */
  where: string;
} | {
  /**
   * Which kind it is.
   */
  kind: "rate-not-own";
} | {
  /**
   * Which kind it is.
   */
  kind: "no-common-round";
} | {
  /**
   * Which kind it is.
   */
  kind: "differs";
  /**
   * The setting.
   */
  what: string;
  /**
   * Its value before, as JSON unless it is text; null if it was missing.
   */
  was: string | null;
  /**
   * Its value now, likewise.
   */
  is: string | null;
} | {
  /**
   * Which kind it is.
   */
  kind: "no-inspector";
  /**
   * First word of its start command.
   */
  command: string;
} | {
  /**
   * Which kind it is.
   */
  kind: "not-started-here";
} | {
  /**
   * Which kind it is.
   */
  kind: "not-ok";
  /**
   * The result's status.
   */
  status: "invalid" | "failed";
  /**
   * The affected revision.
   */
  where: string;
  /**
   * The reason; null if unknown.
   */
  reason: Reason | null;
};

/**
 * Everything that a run found: its settings, machine, measurements and results.
 */
export interface Report {
  /**
   * Kind of report: an experiment that Stampede measured.
   */
  kind: "run";
  /**
   * Version of this format.
   */
  schemaVersion: 1;
  /**
   * Eight random characters.
   */
  id: string;
  /**
   * Start time of the load, ISO 8601 in UTC.
   */
  createdAt: string;
  /**
   * The program, as typed before the arguments, such as deno task bench.
   */
  program: string[];
  /**
   * The complete command, without secrets.
   */
  command: string[];
  /**
   * Whether the load was measured as planned: to its end, and by all runners.
   */
  complete: boolean;
  /**
   * Duration of the measurement, in seconds.
   */
  tookS: number;
  /**
   * Versions of Stampede and Deno; of a run also of PostgreSQL, the load generators and the servers.
   */
  versions: {
    [k: string]: string;
  };
  /**
   * The parts of a run that was resumed, the last one included; `tookS` is their sum. Empty for a run in one part.
   */
  parts: RunPart[];
  /**
   * Total duration of the measured windows and slices, in seconds.
   */
  measuredS: number;
  host: Host;
  /**
   * Commit of the folder in which the run was started; null outside a git work tree.
   */
  commit: Commit | null;
  /**
   * The database without its password; null if none was needed.
   */
  database: string | null;
  experiment: Experiment;
  /**
   * The processors of each component; null without pinning.
   */
  pinning: Pinning | null;
  /**
   * The scenarios.
   */
  scenarios: ScenarioSummary[];
  /**
   * The load generators that drove the run.
   */
  generators: GeneratorSummary[];
  /**
   * Derived: every requested server.
   */
  servers: ServerSummary[];
  /**
   * Raw: every start of a server.
   */
  launches: LaunchRecord[];
  /**
   * Every window, in the order of measurement.
   */
  trialResults: TrialResult[];
  /**
   * Raw: slices, in the order of measurement.
   */
  blocks: BlockResult[];
  /**
   * Every server at every workload.
   */
  results: Result[];
  /**
   * Checks of the open loop, one for each rate, for the kinds `rate` and `capacity`; empty otherwise.
   */
  openChecks: OpenCheck[];
  /**
   * Response times, for the kinds `rate` and `capacity`; empty otherwise.
   */
  openLoopResults: OpenLoopResult[];
  /**
   * Highest rates that meet the SLO, for the kind `capacity`; empty otherwise.
   */
  capacities: Capacity[];
  /**
   * Raw: costs apart from responses, for the kind `versus`; empty otherwise.
   */
  costs: CostRecord[];
  /**
   * The missing costs, with reasons.
   */
  costAbsences: CostAbsence[];
  /**
   * Raw: counts for each request and connection, for the kind `versus`; empty otherwise.
   */
  counts: CountRecord[];
  /**
   * The missing counts, with reasons.
   */
  countAbsences: CountAbsence[];
  /**
   * Raw: the times of functions, where base and head were profiled to compare them; empty otherwise.
   */
  selfTimes: SelfTimes[];
  /**
   * CPU profiles of servers, if requested; empty otherwise.
   */
  profiles: Profile[];
  /**
   * Effect of more workers, for the kind `scaling`; empty otherwise.
   */
  scaling: Scaling[];
  /**
   * Every pair of servers at every workload.
   */
  comparisons: Comparison[];
  /**
   * Noise of a server, for the kind `noise`; empty otherwise.
   */
  noise: Noise[];
  /**
   * Changes from base to head for the kind `versus`, and from each release to the next for `releases`; null otherwise.
   */
  changes: Changes | null;
}
/**
 * A part of a run that was resumed.
 */
export interface RunPart {
  /**
   * Start time of the load, ISO 8601 in UTC.
   */
  createdAt: string;
  /**
   * The complete command, without secrets.
   */
  command: string[];
  /**
   * Duration of the measurement, in seconds.
   */
  tookS: number;
}
/**
 * The machine.
 */
export interface Host {
  /**
   * Operating system, as Deno names it.
   */
  os: string;
  /**
   * Architecture, as Deno names it.
   */
  arch: string;
  /**
   * Release of the operating system's kernel.
   */
  kernel: string;
  /**
   * Processor model, in a virtual machine with family, model and stepping, because its name may be that of several generations; `unknown` if the system does not report it.
   */
  cpuModel: string;
  /**
   * Logical processors.
   */
  cores: number;
  /**
   * Memory.
   */
  memoryBytes: number;
  /**
   * Findings of `stampede doctor` about this machine.
   */
  findings: Finding[];
}
/**
 * A property of a machine that affects measurements.
 */
export interface Finding {
  /**
   * Its name.
   */
  name: string;
  /**
   * `warn`: it makes measurements less precise. `unknown`: the system does not report it.
   */
  status: "ok" | "warn" | "unknown";
  /**
   * Its value.
   */
  found: string;
  /**
   * Advice; null without any.
   */
  advice: string | null;
}
/**
 * The state of a git work tree.
 */
export interface Commit {
  /**
   * Its commit, in hexadecimal.
   */
  id: string;
  /**
   * Whether files that git tracks were changed since.
   */
  isDirty: boolean;
}
/**
 * The experiment.
 */
export interface Experiment {
  /**
   * Kind of experiment.
   */
  kind:
    | "run"
    | "rate"
    | "capacity"
    | "scaling"
    | "noise"
    | "versus"
    | "releases"
    | "generators"
    | "preset";
  /**
   * The compared variants, in order.
   */
  variants: Variant[];
  /**
   * Reference server of relative CPU, with its response to `/`, measured in the same slices; null without one.
   */
  reference: Variant | null;
  /**
   * Ids of the scenarios, in order.
   */
  scenarios: string[];
  load: LoadPlan;
  design: Design;
  /**
   * Search for the highest rate, for the kind `capacity`; null for other kinds.
   */
  search: SearchPlan | null;
}
/**
 * One variant of an experiment, which is compared with the others.
 */
export interface Variant {
  /**
   * Its id.
   */
  id: string;
  /**
   * Its name for people.
   */
  label: string;
  /**
   * Id of its server.
   */
  server: string;
  /**
   * Id of its load generator, or `auto` for the fastest one on the machine.
   */
  generator: string;
  /**
   * Environment variables of the server, in addition to its address and the database's.
   */
  env: {
    [k: string]: string;
  };
}
/**
 * The load on servers, and its duration.
 */
export interface LoadPlan {
  /**
   * Protocol over TLS, with a certificate made for the run; null means HTTP/1.1 without TLS, or as a URL says.
   */
  tls: ("http/1.1" | "h2") | null;
  /**
   * Numbers of connections; each is measured. Null uses the scenario's number, or the default.
   */
  connections: number[] | null;
  /**
   * Default number of connections.
   */
  defaultConnections: number;
  /**
   * Processes of a load generator, which share the connections.
   */
  shards: number;
  /**
   * Length of a window, in seconds.
   */
  durationS: number;
  /**
   * Requests that end a window; null means by time, or as the scenario needs.
   */
  requests: number | null;
  /**
   * Timeout of a response, in seconds.
   */
  timeoutS: number;
  /**
   * Warm-up before each window, in seconds. Null uses the scenario's or the server's, or the default.
   */
  warmupS: number | null;
  /**
   * Default warm-up before each window, in seconds.
   */
  defaultWarmupS: number;
  /**
   * Rates of open loops, in which requests do not wait for earlier responses; null for closed loops.
   */
  open: OpenPlan | null;
}
/**
 * The rates of open loops.
 */
export interface OpenPlan {
  /**
   * Rates in requests per second by scenario; each of them is measured.
   */
  perS: {
    [k: string]: number[];
  };
  /**
   * Closed-loop rate of the slowest server by scenario, if rates were given as shares of it; otherwise empty.
   */
  closedLoopPerS: {
    [k: string]: number;
  };
  /**
   * Distribution of the arrivals: random (Poisson process), or at equal intervals.
   */
  arrivals: "poisson" | "even";
}
/**
 * How often everything is measured, and when the run ends.
 */
export interface Design {
  /**
   * Rounds of every variant and scenario.
   */
  rounds: number;
  /**
   * Maximum number of rounds. Rounds are added while confidence intervals are wider than `width`.
   */
  maxRounds: number;
  /**
   * Target width: half the confidence interval divided by the median. Below it, no rounds are added. 0.03 is 3 %.
   */
  width: number;
  /**
   * What rounds are added for. `width`: for wide confidence intervals. `verdict`: once, for changes in slices that are neither proven nor excluded, up to `maxRounds`.
   */
  until: "width" | "verdict";
  /**
   * Maximum time of added rounds, in seconds; null means `budgetShare` times that of the first rounds.
   */
  budgetS: number | null;
  /**
   * Maximum time of added rounds, as a share of that of the first rounds.
   */
  budgetShare: number;
  /**
   * Whether only the ratios of variants matter, not their own figures. Windows are then left out if slices are possible.
   */
  ratiosOnly: boolean;
  /**
   * Slices that measure ratios; null means by windows only.
   */
  slices: SliceDesign | null;
  /**
   * Load generator that replaces a variant's if that would be the bottleneck; null if none does.
   */
  fallback: string | null;
  /**
   * Threshold of the gate. A larger regression is measured again before it counts. 0.05 is 5 %; null without a gate.
   */
  failOn: number | null;
  /**
   * Whether the run needs every variant's server.
   */
  needsAll: boolean;
  /**
   * Whether server, database and load generator get separate processors.
   */
  pins: boolean;
  /**
   * Seconds of load for profiling each server on V8, after all measurements; null means no profiles.
   */
  profileS: number | null;
  /**
   * Whether rates and times are measured at all, and not only counts.
   */
  isTimed: boolean;
  /**
   * Groups of costs to measure apart from responses, after the rounds.
   */
  costs: ("startup" | "cold" | "memory" | "idle" | "peak" | "p99" | "p99.9")[];
  /**
   * Thresholds of the gate for groups of costs, as shares.
   */
  failOnCosts: {
    [k: string]: number;
  };
  /**
   * Whether system calls, bytes and others are counted for each request, after all measurements.
   */
  counts: boolean;
  /**
   * Scenarios at which base and head are profiled, so that their functions can be compared: `changed` are those with a proven change.
   */
  differences: "none" | "changed" | "all";
  /**
   * Seed of the order of variants and scenarios.
   */
  seed: number;
}
/**
 * How servers that run at the same time are loaded in turn.
 */
export interface SliceDesign {
  /**
   * Load of each variant at each scenario in each round, in seconds.
   */
  durationS: number;
  /**
   * Minimum length of a slice, in milliseconds.
   */
  sliceMs: number;
  /**
   * Minimum number of responses of a slice.
   */
  responses: number;
}
/**
 * The search for the highest rate that meets an SLO.
 */
export interface SearchPlan {
  slo: Slo;
  /**
   * Maximum gap between the highest rate that meets the SLO and the lowest that does not: 0.1 is 10 %.
   */
  width: number;
  /**
   * Fractions of the capacity at which response times are measured at the end.
   */
  shares: number[];
}
/**
 * The SLO.
 */
export interface Slo {
  /**
   * Limits of response times in an open loop.
   */
  latencies: LatencyLimit[];
  /**
   * Upper limit of the share of requests without a right response, exclusive; null without a limit.
   */
  errorShare: number | null;
}
/**
 * Upper limit of a percentile of response times.
 */
export interface LatencyLimit {
  /**
   * The percentile, 0.99 for p99.
   */
  percentile: number;
  /**
   * Upper limit in microseconds, exclusive.
   */
  us: number;
}
/**
 * The processors of each component.
 */
export interface Pinning {
  /**
   * Processors of the server.
   */
  server: number[];
  /**
   * Processors of PostgreSQL; null without one.
   */
  database: number[] | null;
  /**
   * Processors of the load generator.
   */
  generator: number[];
}
/**
 * A scenario's request, and its checks before each window.
 */
export interface ScenarioSummary {
  /**
   * Its id.
   */
  id: string;
  /**
   * Title.
   */
  title: string;
  /**
   * The request's method.
   */
  method: string;
  /**
   * The request's path with its query; values that may be secret are left out.
   */
  path: string;
  /**
   * SHA-256 of the complete path in hexadecimal, if values are left out; null otherwise.
   */
  hiddenPathSha256: string | null;
  /**
   * Names of the request's headers; their values may be secrets.
   */
  headerNames: string[];
  /**
   * SHA-256 of the request's body in hexadecimal; null without a body.
   */
  bodySha256: string | null;
  /**
   * Minimum number of database statements of one response.
   */
  queries: number;
  /**
   * The items in one response, and their number; null if responses are counted.
   */
  each: {
    /**
     * Their number.
     */
    count: number;
    /**
     * Their name, such as events.
     */
    name: string;
  } | null;
  /**
   * Names of its checks.
   */
  checks: string[];
}
/**
 * A load generator of a run.
 */
export interface GeneratorSummary {
  /**
   * Its id.
   */
  id: string;
  /**
   * Its version.
   */
  version: string;
  /**
   * Whether it checks response bodies under load.
   */
  checksBodies: boolean;
  /**
   * Note on its latencies; null without one.
   */
  latencyNote: string | null;
}
/**
 * Derived: one server of a run, measured or not.
 */
export interface ServerSummary {
  /**
   * Its id.
   */
  id: string;
  /**
   * Its name.
   */
  name: string;
  /**
   * Its programming language.
   */
  language: string;
  /**
   * The runtime that runs it; null for machine code, or if it is unknown.
   */
  runtime: string | null;
  /**
   * Its framework; null without one.
   */
  framework: string | null;
  /**
   * Id of the server that it is built on; null without one.
   */
  basedOn: string | null;
  /**
   * `idiomatic`: written as its documentation recommends. `tuned`: optimised for speed.
   */
  approach: "idiomatic" | "tuned";
  /**
   * Why it is tuned, or another note for readers.
   */
  why: string | null;
  /**
   * Address of the guide to production that its settings follow; null without one.
   */
  guide: string | null;
  /**
   * Its settings for production by name; empty if they are not documented.
   */
  settings: {
    [k: string]: string;
  };
  /**
   * Ids of its scenarios, each with implementation notes.
   */
  scenarios: {
    [k: string]: {
      [k: string]: string;
    };
  };
  /**
   * Its processes or scheduler threads; null means that the server chooses. Ranks compare servers with the same number.
   */
  workers: number | null;
  /**
   * The tools that are missing on this machine, so it was not measured; null if none.
   */
  skipped: string | null;
  /**
   * Why its build failed; null if it did not.
   */
  failure: string | null;
  /**
   * Seconds from the start of its process to its first right response, over the rounds; null if unknown.
   */
  startUpS: Estimate | null;
  /**
   * Resident memory after that response, median over the rounds; null if unknown.
   */
  idleRssBytes: number | null;
  /**
   * Time from connecting to the end of a full handshake: median over the rounds of each round's median; null without TLS.
   */
  handshakeUs: Estimate | null;
  /**
   * CPU time of the server per handshake, median over the rounds; null if unknown.
   */
  handshakeCpuUs: number | null;
  /**
   * Costs without load, by name; empty if none was measured.
   */
  costs: {
    [k: string]: Estimate;
  };
}
/**
 * A figure over rounds, in the unit of its property.
 */
export interface Estimate {
  /**
   * Median of the rounds.
   */
  median: number;
  /**
   * Lowest round.
   */
  min: number;
  /**
   * Highest round.
   */
  max: number;
  /**
   * 95 % confidence interval of the median; null for too few rounds.
   */
  confidenceInterval: ConfidenceInterval | null;
  /**
   * Coefficient of variation: standard deviation divided by mean; null for one round.
   */
  cv: number | null;
  /**
   * Median absolute deviation, in the figure's unit.
   */
  mad: number;
  /**
   * Outliers among the rounds. They are marked, never dropped.
   */
  outlierRounds: number[];
  /**
   * Minimum detectable change of a comparison of two such runs with 80 % power: 0.03 is 3 %. Null for too few rounds.
   */
  minimumDetectableChange: number | null;
}
/**
 * A confidence interval: it covers the true value with the given probability.
 */
export interface ConfidenceInterval {
  /**
   * Lower end, in the unit of the estimate.
   */
  low: number;
  /**
   * Upper end, in the unit of the estimate.
   */
  high: number;
  /**
   * Probability that such an interval covers the true value, 0 to 1.
   */
  coverage: number;
}
/**
 * Raw: one start of a server.
 */
export interface LaunchRecord {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Round of the start.
   */
  round: number;
  /**
   * Seconds from the start of its process to its first right response. Null if its first response was wrong, its start was not observed, or other servers started at the same time.
   */
  startUpS: number | null;
  /**
   * Resident memory of the process and its descendants after that response; null if unknown.
   */
  idleRssBytes: number | null;
  /**
   * TLS handshakes before any load; null without TLS, or if other servers ran at the same time.
   */
  handshakes: Handshakes | null;
}
/**
 * Raw: TLS connections that were opened one after the other, each with a full handshake.
 */
export interface Handshakes {
  /**
   * Number of connections.
   */
  count: number;
  /**
   * Median time from connecting to the end of the handshake.
   */
  p50Us: number;
  /**
   * 99th percentile of that time.
   */
  p99Us: number;
  /**
   * CPU time of the server per handshake; null if unknown.
   */
  serverCpuUs: number | null;
}
/**
 * Raw: one window, or why it is missing.
 */
export interface TrialResult {
  trial: Trial;
  /**
   * Start time, ISO 8601 in UTC.
   */
  startedAt: string;
  /**
   * The measurements; null after a failure.
   */
  window: WindowRecord | null;
  /**
   * The failure; null if there is a window.
   */
  failure: TrialFailure | null;
}
/**
 * The planned trial.
 */
export interface Trial {
  /**
   * Position in the run, from 0.
   */
  index: number;
  /**
   * `scale`: tests whether more shards or connections raise the rate. `pilot`: a short window before the first round, which shows whether the load generator would be the bottleneck, or the start rate of a search. `search` and `confirm`: tests whether an SLO is met at a rate, by a process with earlier load or by a fresh one. Only `measure` counts for results.
   */
  purpose: "measure" | "scale" | "pilot" | "search" | "confirm";
  /**
   * Round of the trial, from 1.
   */
  round: number;
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Id of the load generator.
   */
  generator: string;
  load: Load;
  /**
   * Connections of its result, if a scale test loads with more; null means those of the load.
   */
  workloadConnections: number | null;
}
/**
 * The load on the server.
 */
export interface Load {
  /**
   * Connections, each with one pending request.
   */
  connections: number;
  /**
   * Processes of the load generator, which share the connections.
   */
  shards: number;
  /**
   * Minimum warm-up before the window, in seconds.
   */
  warmupS: number;
  /**
   * Maximum warm-up before the window, in seconds. It continues while the rate still climbs.
   */
  mostWarmupS: number;
  /**
   * Length of the window in seconds; with `responses`, approximately.
   */
  durationS: number;
  /**
   * Number of responses that ends the window, in whole cycles of the scenario; null means by time.
   */
  responses: number | null;
  /**
   * Timeout of a response, in seconds.
   */
  timeoutS: number;
  /**
   * The open loop; null for a closed loop, in which each connection waits for its response.
   */
  open: OpenLoad | null;
}
/**
 * Requests sent at a rate, without waiting for earlier responses.
 */
export interface OpenLoad {
  /**
   * Requests per second.
   */
  perS: number;
  /**
   * Distribution of the arrivals: random (Poisson process), or at equal intervals.
   */
  arrivals: "poisson" | "even";
  /**
   * Seed of random arrival times.
   */
  seed: number;
}
/**
 * Raw: all measurements of one window; null if unknown.
 */
export interface WindowRecord {
  measurement: Measurement;
  /**
   * CPU time and memory of each component.
   */
  usage: Usage | null;
  probe: ProbeRecord;
  /**
   * PostgreSQL's statements; null if not counted.
   */
  database: DatabaseActivity | null;
  /**
   * The generator's ceiling against canned bytes; null if not measured.
   */
  ceiling: Ceiling | null;
  /**
   * Microseconds of a fixed piece of work on one thread just before the window.
   */
  referenceUs: number | null;
  /**
   * Measurements of the scenario's side load; null without one.
   */
  beside: Measurement1 | null;
}
/**
 * The load generator's measurements.
 */
export interface Measurement {
  /**
   * Length of the window in seconds, by a monotonic clock.
   */
  durationS: number;
  /**
   * Responses by status code, or by class (`2xx`) if the generator reports no more.
   */
  statuses: {
    [k: string]: number;
  };
  /**
   * Responses from the first request of the warm-up to the end of the load, of any status.
   */
  allResponses: number;
  /**
   * Requests that failed without a response, and connections that the server closed.
   */
  transportErrors: number;
  /**
   * Requests without a response within `timeoutS`; null if the generator does not report them.
   */
  timeouts: number | null;
  /**
   * Responses with a checked body.
   */
  checkedBodies: number;
  /**
   * Wrong responses among these.
   */
  wrongResponses: number;
  /**
   * The start of the first wrong response; null if there was none.
   */
  wrongResponse: string | null;
  /**
   * Received bytes, including headers; null if the generator does not report them.
   */
  bytes: number | null;
  /**
   * Connections opened during the window; earlier ones are kept alive. Null if the generator does not report them.
   */
  connectionsOpened: number | null;
  /**
   * Responses per second in each quarter of a second, in order; empty if the generator does not report them.
   */
  slicesPerS: number[];
  /**
   * Service time: from sending a request to the last byte of its response; null without a response.
   */
  latency: Latency | null;
  /**
   * Measurements of each kind of request; empty without a mix.
   */
  kinds: Kind[];
  /**
   * Outcomes of the scheduled requests; null in a closed loop.
   */
  open: OpenRecord | null;
  /**
   * The warm-up; null if the generator does not report it.
   */
  warmup: Warmup | null;
}
/**
 * Latencies of one window in microseconds; null if the load generator does not report them.
 */
export interface Latency {
  /**
   * Number of recorded latencies.
   */
  count: number;
  /**
   * Mean.
   */
  meanUs: number | null;
  /**
   * Minimum.
   */
  minUs: number | null;
  /**
   * Median.
   */
  p50Us: number | null;
  /**
   * 90th percentile.
   */
  p90Us: number | null;
  /**
   * 99th percentile.
   */
  p99Us: number | null;
  /**
   * 99.9th percentile.
   */
  p999Us: number | null;
  /**
   * Maximum.
   */
  maxUs: number | null;
  /**
   * Complete histogram of microseconds: HdrHistogram V2, compressed, base64.
   */
  histogram: string | null;
}
/**
 * Raw: one kind of request of a mix, as the load generator measured it.
 */
export interface Kind {
  /**
   * Id of the scenario of the request.
   */
  scenario: string;
  /**
   * Responses of any status in the window.
   */
  responses: number;
  /**
   * Service time; null without a response.
   */
  latency: Latency | null;
}
/**
 * Raw: outcomes of the requests scheduled in a window of an open loop, including responses after the window.
 */
export interface OpenRecord {
  /**
   * Scheduled requests.
   */
  offered: number;
  /**
   * Requests that were sent.
   */
  sent: number;
  /**
   * Requests that failed because the connection ended, or that took longer than `timeoutS`.
   */
  failed: number;
  /**
   * Requests that were sent and were still pending at the end.
   */
  unanswered: number;
  /**
   * Requests that were not sent, because every connection was busy until the window closed.
   */
  shed: number;
  /**
   * Seconds from the end of the window until all requests were completed or given up.
   */
  recoveryS: number;
  /**
   * Response time, from the scheduled send time. A request without a response counts with the time that it has waited. Null if none was scheduled.
   */
  responseTime: Latency | null;
  /**
   * Part of the response time: the lateness of the load generator.
   */
  lateness: Latency | null;
  /**
   * Part of the response time: the wait for an idle or new connection.
   */
  wait: Latency | null;
  /**
   * Part of the response time: from sending to the last byte of the response; null without a response.
   */
  serviceTime: Latency | null;
}
/**
 * Raw: the warm-up of a window or of slices.
 */
export interface Warmup {
  /**
   * Duration in seconds.
   */
  tookS: number;
  /**
   * Answered requests.
   */
  requests: number;
  /**
   * Whether the rate had stopped climbing at its end; null if its length was fixed.
   */
  isSteady: boolean | null;
}
/**
 * Raw: resources that each component used in a window; null if unknown.
 */
export interface Usage {
  /**
   * Seconds between the two readings.
   */
  durationS: number;
  /**
   * The server.
   */
  server: ProgramUsage | null;
  /**
   * PostgreSQL, if Stampede started it.
   */
  database: ProgramUsage | null;
  /**
   * The load generator.
   */
  generator: ProgramUsage | null;
  /**
   * The whole machine.
   */
  machine: MachineUsage | null;
}
/**
 * Raw: resources that one program with all its descendants used in a window; null if unknown.
 */
export interface ProgramUsage {
  /**
   * CPU time in user mode.
   */
  userUs: number;
  /**
   * CPU time in the kernel.
   */
  systemUs: number;
  /**
   * Share of the window that its busiest thread ran, 0 to 1.
   */
  busiestThread: number | null;
  /**
   * Share of the window that this thread waited to run, 0 to 1.
   */
  runQueueWait: number | null;
  /**
   * Total time that its threads waited for a processor.
   */
  waitedUs: number | null;
  /**
   * Resident memory before the load; shared pages count in each process.
   */
  idleRssBytes: number | null;
  /**
   * Peak resident memory since then; shared pages count in each process.
   */
  peakRssBytes: number | null;
}
/**
 * Shares of the machine's CPU time.
 */
export interface MachineUsage {
  /**
   * Idle share, 0 to 1.
   */
  idle: number;
  /**
   * Share that the virtual machine's host took, 0 to 1.
   */
  steal: number;
}
/**
 * The probe's measurements.
 */
export interface ProbeRecord {
  /**
   * Milliseconds between two requests; 0 without a probe.
   */
  intervalMs: number;
  /**
   * Duration in seconds; 0 without a probe.
   */
  durationS: number;
  /**
   * Requests scheduled in the window.
   */
  due: number;
  /**
   * Responses with a 2xx status, all completely checked.
   */
  responses: number;
  /**
   * Responses since the start of the warm-up, right or wrong.
   */
  allResponses: number;
  /**
   * Wrong responses among those with a 2xx status.
   */
  wrongResponses: number;
  /**
   * Error of the first wrong response; null if there was none.
   */
  wrongResponse: string | null;
  /**
   * Transport errors and responses without a 2xx status.
   */
  errors: number;
  /**
   * The first of these errors; null if there was none.
   */
  error: string | null;
  /**
   * Response time, from the scheduled send time. A request without a response counts with its age. Null without requests, and if responses take longer than the interval, because the probe's own queue would count.
   */
  latency: Latency | null;
  /**
   * 99th percentile of the probe's own lateness; null without requests.
   */
  sendLatenessP99Us: number | null;
  /**
   * Why there was no probe; null if there was one.
   */
  absence: Reason | null;
}
/**
 * Raw: PostgreSQL's statements during a load and its warm-up, from pg_stat_statements.
 */
export interface DatabaseActivity {
  /**
   * The most frequent first.
   */
  statements: Statement[];
}
/**
 * One statement.
 */
export interface Statement {
  /**
   * First 200 characters, with constants replaced.
   */
  query: string;
  /**
   * Number of executions.
   */
  calls: number;
  /**
   * Changed rows; null for statements that change none.
   */
  changed: number | null;
}
/**
 * Raw: the load generator's rate against a server with canned responses.
 */
export interface Ceiling {
  /**
   * Request method, response size, connections and shards, in words.
   */
  shape: string;
  /**
   * Length of the response's body.
   */
  responseBytes: number;
  /**
   * Responses per second.
   */
  responsesPerS: number;
  /**
   * Share of the window that the generator's busiest thread ran, 0 to 1; null if unknown.
   */
  generatorBusiest: number | null;
  /**
   * Share of the window that the null server's busiest thread ran, 0 to 1; null if unknown.
   */
  nullServerBusiest: number | null;
}
/**
 * Raw: the load generator's measurements of one window.
 */
export interface Measurement1 {
  /**
   * Length of the window in seconds, by a monotonic clock.
   */
  durationS: number;
  /**
   * Responses by status code, or by class (`2xx`) if the generator reports no more.
   */
  statuses: {
    [k: string]: number;
  };
  /**
   * Responses from the first request of the warm-up to the end of the load, of any status.
   */
  allResponses: number;
  /**
   * Requests that failed without a response, and connections that the server closed.
   */
  transportErrors: number;
  /**
   * Requests without a response within `timeoutS`; null if the generator does not report them.
   */
  timeouts: number | null;
  /**
   * Responses with a checked body.
   */
  checkedBodies: number;
  /**
   * Wrong responses among these.
   */
  wrongResponses: number;
  /**
   * The start of the first wrong response; null if there was none.
   */
  wrongResponse: string | null;
  /**
   * Received bytes, including headers; null if the generator does not report them.
   */
  bytes: number | null;
  /**
   * Connections opened during the window; earlier ones are kept alive. Null if the generator does not report them.
   */
  connectionsOpened: number | null;
  /**
   * Responses per second in each quarter of a second, in order; empty if the generator does not report them.
   */
  slicesPerS: number[];
  /**
   * Service time: from sending a request to the last byte of its response; null without a response.
   */
  latency: Latency | null;
  /**
   * Measurements of each kind of request; empty without a mix.
   */
  kinds: Kind[];
  /**
   * Outcomes of the scheduled requests; null in a closed loop.
   */
  open: OpenRecord | null;
  /**
   * The warm-up; null if the generator does not report it.
   */
  warmup: Warmup | null;
}
/**
 * Why a window is missing.
 */
export interface TrialFailure {
  /**
   * The failed step: starting the server, the verification before the load, or the window.
   */
  kind: "start" | "verification" | "window";
  /**
   * The error message.
   */
  message: string;
  /**
   * Unreadable output of the load generator; null otherwise.
   */
  output: string | null;
}
/**
 * Raw: one block and its failures.
 */
export interface BlockResult {
  block: Block;
  /**
   * Start time, ISO 8601 in UTC.
   */
  startedAt: string;
  /**
   * The measured slices; null if there are none.
   */
  slices: Slices | null;
  /**
   * Variants without slices, each with the reason.
   */
  failures: VariantFailure[];
}
/**
 * The planned block.
 */
export interface Block {
  /**
   * `confirm`: whether a regression is found again. Such a block counts for nothing else.
   */
  purpose: "measure" | "confirm";
  /**
   * Round of the block, from 1.
   */
  round: number;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * Ids of the variants, including the reference.
   */
  variants: string[];
  /**
   * Timeout of a response, in seconds.
   */
  timeoutS: number;
  /**
   * Minimum warm-up of each variant, in seconds of slices.
   */
  warmupS: number;
  /**
   * Maximum warm-up in seconds. It continues while a variant still becomes faster.
   */
  mostWarmupS: number;
  /**
   * Seconds of slices of each variant that warms up before the others, by its id; for example on a JVM.
   */
  earlyS: {
    [k: string]: number;
  };
  /**
   * Measured slices of each variant, in seconds.
   */
  durationS: number;
}
/**
 * Raw: the slices of all variants of a block.
 */
export interface Slices {
  /**
   * For each pass, the indexes of the variants in the order of their slices.
   */
  order: number[][];
  /**
   * Time from the first slice to the last, in seconds.
   */
  durationS: number;
  /**
   * Whether idle processors were kept from sleeping.
   */
  isAwake: boolean;
  /**
   * The warm-up slices: the time of the variant that climbed longest, without `earlyS`, and the requests of all. Null if not recorded.
   */
  warmup: Warmup | null;
  /**
   * CPU time from before the warm-up to the last slice. `server` is all variants together; `generator` is the driver and the threads that keep processors awake. Null if unknown.
   */
  usage: Usage | null;
  /**
   * The loaded variants; `order` contains their indexes.
   */
  variants: VariantSlices[];
}
/**
 * Raw: one variant in the slices of a block. Lists have one entry for each pass, in order.
 */
export interface VariantSlices {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Responses of any status to the requests sent in the slice.
   */
  responses: number[];
  /**
   * Total microseconds in which connections waited for these responses. Connections times responses divided by this is the rate.
   */
  busyUs: number[];
  /**
   * Median service time of these requests in microseconds; 0 without a response.
   */
  p50Us: number[];
  /**
   * CPU time of the server's processes during its slice, in microseconds; null if unknown.
   */
  cpuUs: number[] | null;
  /**
   * Round trip of a cache line between the load generator's processor and the server's before each slice, in nanoseconds; null if one of them was busy. Null as a whole if unknown.
   */
  roundTripNs: (number | null)[] | null;
  /**
   * CPU time of the server's processes from the first slice of any variant to the last, in microseconds. It includes the time between its own slices. Null if unknown.
   */
  totalCpuUs: number | null;
  /**
   * Responses of all slices by status code.
   */
  statuses: {
    [k: string]: number;
  };
  /**
   * Requests that failed without a response, and connections that the server closed.
   */
  transportErrors: number;
  /**
   * Requests that timed out.
   */
  timeouts: number;
  /**
   * Responses with a checked body.
   */
  checkedBodies: number;
  /**
   * Wrong responses among these.
   */
  wrongResponses: number;
  /**
   * The start of the first wrong response; null if there was none.
   */
  wrongResponse: string | null;
  /**
   * Error of the first failed request; null if none failed.
   */
  error: string | null;
}
/**
 * Why a variant has no slices.
 */
export interface VariantFailure {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * The failed step: starting the server, the verification before the load, or the load.
   */
  kind: "start" | "verification" | "slices";
  /**
   * The error message.
   */
  message: string;
}
/**
 * Derived: all rounds of one server at one workload.
 */
export interface Result {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * `ok`: the result is valid. `invalid`: the measurement cannot be trusted. `failed`: nothing was measured.
   */
  status: "ok" | "invalid" | "failed";
  /**
   * Why there is no rate, or why rounds are missing; null otherwise.
   */
  reason: Reason | null;
  /**
   * Rounds that were measured.
   */
  rounds: number;
  /**
   * Rounds that failed.
   */
  failedRounds: number;
  /**
   * Responses with a 2xx status per second, including the probe's; null without a rate.
   */
  requestsPerS: Estimate | null;
  /**
   * Rate relative to the reference server's; null without slices.
   */
  relativeRate: RelativeFigure | null;
  /**
   * Responses per second and core: one second divided by the CPU time per response. Null if the rate is the server's own.
   */
  capacityPerCore: number | null;
  /**
   * The server's CPU time per response; null if unknown.
   */
  serverCpuUs: Estimate | null;
  /**
   * CPU time per response relative to the reference server; null without slices.
   */
  relativeCpu: RelativeFigure | null;
  /**
   * Median service time: median over the rounds of each round's median; null without a response.
   */
  p50Us: number | null;
  /**
   * 99th percentile of the service time: median over the rounds of each round's; null without a response.
   */
  p99Us: number | null;
  /**
   * Peak resident memory of the server under load, median over the rounds; null if unknown.
   */
  peakRssBytes: number | null;
  /**
   * Resident memory of the server before the load, median over the rounds; null if unknown.
   */
  idleRssBytes: number | null;
  /**
   * The kernel's share of the server's CPU time, 0 to 1; null if unknown.
   */
  systemShare: number | null;
  /**
   * Database statements per response; null if they are not counted.
   */
  statementsPerResponse: number | null;
  /**
   * Received bytes per response to the generator, headers included, median over the rounds; null if the generator does not report them.
   */
  bytesPerResponse: number | null;
  /**
   * Whether another load generator replaced the variant's, which would have been the bottleneck.
   */
  isTakenOver: boolean;
  /**
   * Whether the server has a higher capacity: the load generator or the machine was the bottleneck.
   */
  isLowerBound: boolean;
  /**
   * Why existing latencies are not shown; null if they are.
   */
  latencyAbsence: Reason | null;
  /**
   * Figures of each kind of request; empty without a mix.
   */
  kinds: ResultKind[];
  /**
   * The probe's figures; null without a probe.
   */
  probe: ProbeSummary | null;
  /**
   * Why there is no probe; null if there is one.
   */
  probeAbsence: Reason | null;
  /**
   * The reason if most of its windows or slices began before the server had warmed up. The result is then not compared. Null otherwise.
   */
  climbing: Reason | null;
  /**
   * How much faster the second half of a window was than the first, median: 0.05 is 5 %. Null if unknown.
   */
  trend: number | null;
  /**
   * The bottleneck; null without a rate.
   */
  bottleneck: Bottleneck | null;
  /**
   * Rank among servers with the same number of workers at this workload: one plus the number of servers proven better. Null for a single server, or without confidence intervals.
   */
  rank: number | null;
  /**
   * Responses of all rounds to the generator, of any status.
   */
  responses: number;
  /**
   * Responses with a body that the generator checked.
   */
  checkedBodies: number;
  errors: Errors;
}
/**
 * A figure relative to the reference server's, from slices.
 */
export interface RelativeFigure {
  /**
   * Rounds with both.
   */
  rounds: number;
  /**
   * The figure divided by the reference's.
   */
  ratio: number;
  /**
   * 95 % confidence interval; null for too few rounds.
   */
  confidenceInterval: ConfidenceInterval | null;
}
/**
 * Derived: one kind of request of a mix.
 */
export interface ResultKind {
  /**
   * Id of the scenario of the request.
   */
  scenario: string;
  /**
   * Responses per second, of any status: median over the rounds.
   */
  requestsPerS: number;
  /**
   * Median service time: median over the rounds of each round's median.
   */
  p50Us: number | null;
  /**
   * 99th percentile of the service time: median over the rounds of each round's.
   */
  p99Us: number | null;
}
/**
 * The probe's figures over all rounds of a result.
 */
export interface ProbeSummary {
  /**
   * Responses with a 2xx status.
   */
  responses: number;
  /**
   * Responses per second.
   */
  perS: number;
  /**
   * Median response time.
   */
  p50Us: number;
  /**
   * 99th percentile of the response time; null for too few responses.
   */
  p99Us: number | null;
  /**
   * Lateness of its requests: median over the rounds of the 99th percentiles; null if unknown.
   */
  sendLatenessP99Us: number | null;
  /**
   * Smallest share of wrong responses that it detects with 95 % probability, 0 to 1.
   */
  detects: number;
}
/**
 * The bottleneck of a result, and why.
 */
export interface Bottleneck {
  /**
   * The component that limits the rate. `idle`: nothing was busy. `unknown`: the evidence does not decide.
   */
  kind: "server" | "database" | "generator" | "connections" | "idle" | "machine" | "unknown";
  /**
   * The reasons.
   */
  reasons: Reason[];
  /**
   * Scale test that would decide but was not run; null if none.
   */
  needsScaleTest: ("shards" | "connections") | null;
  evidence: Evidence;
}
/**
 * The evidence.
 */
export interface Evidence {
  /**
   * The server.
   */
  server: ComponentEvidence | null;
  /**
   * PostgreSQL, if Stampede started it.
   */
  database: ComponentEvidence | null;
  /**
   * The load generator.
   */
  generator: ComponentEvidence | null;
  /**
   * The whole machine.
   */
  machine: MachineEvidence | null;
  /**
   * Share of connections with a pending request, by Little's law: rate times mean latency divided by connections.
   */
  little: number | null;
  /**
   * Responses per second of the generator against canned bytes; null if not measured.
   */
  ceilingPerS: number | null;
  /**
   * Whether this was the generator's own maximum. If not, it could have reached more.
   */
  isCeilingReached: boolean | null;
  /**
   * Smallest gain from doubling the shards in any pair of windows: 0.1 is 10 %. Null without a scale test.
   */
  scaleGain: number | null;
  /**
   * Smallest gain from doubling the connections, likewise.
   */
  connectionsGain: number | null;
}
/**
 * CPU use of one program, as medians over the windows of a result; null if unknown.
 */
export interface ComponentEvidence {
  /**
   * Cores that the program used.
   */
  cores: number;
  /**
   * Cores that the program would have used if it had never waited for a processor.
   */
  wantedCores: number | null;
  /**
   * Share of time that its busiest thread ran, 0 to 1.
   */
  busiestThread: number | null;
  /**
   * Share of time that this thread waited for a processor, 0 to 1.
   */
  runQueueWait: number | null;
}
/**
 * The whole machine, as medians over the windows of a result.
 */
export interface MachineEvidence {
  /**
   * Idle share of CPU time, 0 to 1.
   */
  idle: number;
  /**
   * Share of CPU time that the virtual machine's host took, 0 to 1.
   */
  steal: number;
  /**
   * Cores used by programs other than server, database and load generator.
   */
  otherCores: number;
}
/**
 * Errors of all rounds, by kind.
 */
export interface Errors {
  /**
   * Requests of the generator that failed without a response, and connections that the server closed.
   */
  transport: number;
  /**
   * Requests of the generator that timed out; null if it does not report them.
   */
  timeout: number | null;
  /**
   * Responses to the generator without a 2xx status.
   */
  non2xx: number;
  /**
   * Errors of the probe, of any kind.
   */
  probe: number;
}
/**
 * Raw: check of Stampede's open loop before the run, against a server with response times known from theory.
 */
export interface OpenCheck {
  /**
   * Requests per second.
   */
  perS: number;
  /**
   * Distribution of the arrivals.
   */
  arrivals: "poisson" | "even";
  /**
   * Service time of that server when it was always busy.
   */
  serviceUs: number;
  /**
   * Median response time without other pending requests.
   */
  aloneUs: number;
  /**
   * Scheduled requests.
   */
  offered: number;
  /**
   * Response times by theory, for the same arrivals.
   */
  expected: {
    /**
     * Median.
     */
    p50Us: number | null;
    /**
     * 90th percentile.
     */
    p90Us: number | null;
    /**
     * 99th percentile.
     */
    p99Us: number | null;
  };
  /**
   * Measured response times.
   */
  found: {
    /**
     * Median.
     */
    p50Us: number | null;
    /**
     * 90th percentile.
     */
    p90Us: number | null;
    /**
     * 99th percentile.
     */
    p99Us: number | null;
  };
}
/**
 * Derived: all rounds of one server at one scenario, in an open loop at one rate.
 */
export interface OpenLoopResult {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * `unreached`: fewer requests were sent or answered than the rate requires. `failed`: nothing was measured.
   */
  status: "ok" | "unreached" | "failed";
  /**
   * Rounds that were measured.
   */
  rounds: number;
  /**
   * Scheduled requests.
   */
  offered: number;
  /**
   * Requests that were sent.
   */
  sent: number;
  /**
   * Requests that failed because the connection ended, or that timed out.
   */
  failed: number;
  /**
   * Responses without a 2xx status.
   */
  refused: number;
  /**
   * Requests that were still pending at the end.
   */
  unanswered: number;
  /**
   * Requests that were not sent, because every connection was busy.
   */
  shed: number;
  /**
   * Right responses per second in the windows, at most the number scheduled in them; median over the rounds.
   */
  goodputPerS: number | null;
  /**
   * Right responses per second of the scenario's side load, median over the rounds; null without a side load.
   */
  besidePerS: number | null;
  /**
   * Time from the end of a window until all its requests were completed, median over the rounds.
   */
  recoveryS: number | null;
  /**
   * Response time, from the scheduled send time. A request without a response counts with the time that it has waited.
   */
  responseTime: LatencySummary | null;
  /**
   * Part of the response time: the lateness of the load generator.
   */
  lateness: LatencySummary | null;
  /**
   * Part of the response time: the wait for a free connection.
   */
  wait: LatencySummary | null;
  /**
   * Part of the response time: from sending to the last byte of the response.
   */
  serviceTime: LatencySummary | null;
  /**
   * Highest percentile that belongs to the server. Higher percentiles are upper bounds, because the load generator's own lateness is a large part of them, or was in the check before the run. 0 means that even the median is a bound.
   */
  measurableUpTo: number;
}
/**
 * Times over all rounds, in microseconds; null for percentiles with too few requests.
 */
export interface LatencySummary {
  /**
   * Number of requests.
   */
  count: number;
  /**
   * Mean.
   */
  meanUs: number;
  /**
   * Median.
   */
  p50Us: number;
  /**
   * 90th percentile.
   */
  p90Us: number | null;
  /**
   * 99th percentile.
   */
  p99Us: number | null;
  /**
   * 99.9th percentile.
   */
  p999Us: number | null;
  /**
   * Maximum.
   */
  maxUs: number;
}
/**
 * Derived: the highest rate at which a variant meets the SLO at a scenario.
 */
export interface Capacity {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Maximum number of connections of the load.
   */
  connections: number;
  /**
   * Start rate of the search, from a closed loop; null if nothing was answered.
   */
  startPerS: number | null;
  /**
   * Highest rate that met the SLO, on a process with earlier load and on fresh ones; null if none did.
   */
  heldPerS: number | null;
  /**
   * Lowest rate that did not meet the SLO; null if none is known.
   */
  failedPerS: number | null;
  /**
   * Whether the load generator was the limit. The server may then have a higher capacity.
   */
  isOfGenerator: boolean;
  /**
   * The bottleneck at `failedPerS`; null if unknown.
   */
  bottleneck: Bottleneck | null;
  /**
   * The trials, in order.
   */
  trials: CapacityTrial[];
  /**
   * Why there is no rate; null if there is one.
   */
  reason: Reason | null;
}
/**
 * One short window at a rate.
 */
export interface CapacityTrial {
  /**
   * Requests per second.
   */
  perS: number;
  /**
   * Whether its server process had no load before.
   */
  isFresh: boolean;
  /**
   * Whether the SLO was met.
   */
  isMet: boolean;
  /**
   * Whether the trial counts. It does not if the SLO was missed only because the load generator was late.
   */
  isMeasurable: boolean;
  /**
   * Right responses per second.
   */
  achievedPerS: number;
}
/**
 * Raw: a cost of one variant in one round, by a fresh process.
 */
export interface CostRecord {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Round, from 1.
   */
  round: number;
  /**
   * Id of the scenario of the load; null without load.
   */
  scenario: string | null;
  /**
   * Rate of the load, in requests per second; null without load.
   */
  perS: number | null;
  /**
   * The cost: `tail99Us`: 99th percentile of the response time at a tenth of the maximum rate, in microseconds; `tail999Us`: 99.9th percentile of the response time at a tenth of the maximum rate, in microseconds; `peakRssBytes`: largest resident memory under load: the sum of the peaks of all processes, in bytes; `peakPssBytes`: largest memory of the process tree after a turn; processes that share a page share its size, in bytes; `grownBytes`: memory after the last turn minus that after the first one (PSS), at least 0, in bytes; `idleBytes`: private memory of the process tree after its first response, in bytes; `connectionBytes`: private memory for one of many idle connections, in bytes; `startUpUs`: time from the start of the process to its first right response, in microseconds; `startUpCpuUs`: CPU time of the process tree until its first right response, in microseconds; `coldStartUpUs`: start-up with an empty page cache, in microseconds; `idleCpuUs`: CPU time in a second without a connection, in microseconds; `idleWakeUps`: wake-ups of the server's threads in a second without a connection; `connectedCpuUs`: CPU time in a second with 100 idle connections, in microseconds; `quietCpuUs`: CPU time in a second with 100 requests of the first scenario that it implements, in microseconds; `quietWakeUps`: wake-ups of the server's threads in such a second.
   */
  cost:
    | "tail99Us"
    | "tail999Us"
    | "peakRssBytes"
    | "peakPssBytes"
    | "grownBytes"
    | "idleBytes"
    | "connectionBytes"
    | "startUpUs"
    | "startUpCpuUs"
    | "coldStartUpUs"
    | "idleCpuUs"
    | "idleWakeUps"
    | "connectedCpuUs"
    | "quietCpuUs"
    | "quietWakeUps";
  /**
   * The value, in the unit of the cost.
   */
  value: number;
  /**
   * Whether the load generator was late, so that the value is not the server's. It is not compared.
   */
  isLate: boolean;
}
/**
 * The reason for a missing cost.
 */
export interface CostAbsence {
  /**
   * Group of the missing costs.
   */
  group: "startup" | "cold" | "memory" | "idle" | "peak" | "p99" | "p99.9";
  /**
   * Id of the variant; null if it concerns no single one.
   */
  variant: string | null;
  /**
   * Id of the scenario; null for costs without load.
   */
  scenario: string | null;
  /**
   * The only round without the costs; null if they are missing in the whole run.
   */
  round: number | null;
  /**
   * A reason, by kind.
   */
  reason: {
    /**
     * Which kind it is.
     */
    kind: "message";
    /**
     * The message.
     */
    text: string;
  } | {
    /**
     * Which kind it is.
     */
    kind: "busy";
    /**
     * The component.
     */
    component: "server" | "database" | "generator";
    /**
     * Cores that it used; null if unknown.
     */
    cores: number | null;
    /**
     * Share of time that its busiest thread ran.
     */
    busiestThread: number | null;
    /**
     * Share of time that this thread waited to run.
     */
    runQueueWait: number | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "only-shards-tell";
  } | {
    /**
     * Which kind it is.
     */
    kind: "shards-changed";
    /**
     * Relative change: 0.1 is 10 % more.
     */
    gain: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "connections-changed";
    /**
     * Relative change: 0.1 is 10 % more.
     */
    gain: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "waited-for-processor";
  } | {
    /**
     * Which kind it is.
     */
    kind: "near-ceiling";
    /**
     * The ceiling divided by the rate.
     */
    ceilingShare: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "server-unknown";
  } | {
    /**
     * Which kind it is.
     */
    kind: "system-silent";
  } | {
    /**
     * Which kind it is.
     */
    kind: "others-busy";
    /**
     * Cores that they used.
     */
    cores: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "stolen";
    /**
     * Share of the machine's CPU time.
     */
    share: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "machine-in-use";
    /**
     * Share of its CPU time.
     */
    used: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "connections-idle";
    /**
     * Share of connections with a pending request.
     */
    little: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "database-hidden";
  } | {
    /**
     * Which kind it is.
     */
    kind: "all-idle";
    /**
     * Idle share of the machine; null if unknown.
     */
    idle: number | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "wrong-responses";
    /**
     * Number.
     */
    count: number;
    /**
     * An example.
     */
    example: string | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "probe-wrong";
    /**
     * Number.
     */
    count: number;
    /**
     * An example.
     */
    example: string | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "no-response";
  } | {
    /**
     * Which kind it is.
     */
    kind: "requests-failed";
    /**
     * Share of failed requests.
     */
    share: number;
    /**
     * Responses without a 2xx status, by status, or by its class.
     */
    statuses: {
      [k: string]: number;
    };
    /**
     * Requests without a response.
     */
    transportErrors: number;
    /**
     * Requests that timed out.
     */
    timeouts: number;
    /**
     * Errors of the probe.
     */
    probeErrors: number;
    /**
     * An example.
     */
    probeError: string | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "too-few-writes";
    /**
     * Changed rows per response.
     */
    perResponse: number;
    /**
     * The expected number.
     */
    expected: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "wrong-statements";
    /**
     * Statements per response.
     */
    perResponse: number;
    /**
     * The scenario's number.
     */
    expected: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "few-requests";
    /**
     * Its largest number of requests.
     */
    requests: number;
    /**
     * Number of requests that the percentile needs.
     */
    needed: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "few-rounds";
    /**
     * Rounds with a value of all variants.
     */
    rounds: number;
    /**
     * Rounds that were measured.
     */
    of: number;
    /**
     * Rounds in which the load generator was late.
     */
    late: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "little-contradicts";
    /**
     * Rate times mean latency divided by connections: 1 if all are always busy.
     */
    little: number;
    /**
     * Number of connections.
     */
    connections: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "responses-in-waves";
    /**
     * One of this many requests waits.
     */
    every: number;
    /**
     * Duration of the wait, in seconds.
     */
    waitS: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "connections-taken";
    /**
     * Number.
     */
    connections: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "messages";
  } | {
    /**
     * Which kind it is.
     */
    kind: "open-loop";
  } | {
    /**
     * Which kind it is.
     */
    kind: "no-rehearsal";
  } | {
    /**
     * Which kind it is.
     */
    kind: "responses-too-slow";
    /**
     * Median response time in milliseconds.
     */
    ms: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "none-held";
  } | {
    /**
     * Which kind it is.
     */
    kind: "search-ended";
  } | {
    /**
     * Which kind it is.
     */
    kind: "still-climbing";
    /**
     * The affected revision; null if there is only one.
     */
    where: string | null;
    /**
     * What climbed: windows, or rounds of slices.
     */
    what: "windows" | "slices";
    /**
     * Number of climbing ones.
     */
    climbing: number;
    /**
     * Total number.
     */
    of: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "contended";
    /**
     * The affected revision.
     */
    where: string;
    /**
     * Cores used by other programs.
     */
    otherCores: number;
    /**
     * Share of CPU time that the virtual machine's host took.
     */
    steal: number;
    /**
     * Cores of the machine.
     */
    cores: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "absent";
    /**
     * The report or variant without it.
     */
    where: string;
  } | {
    /**
     * Which kind it is.
     */
    kind: "rate-not-own";
  } | {
    /**
     * Which kind it is.
     */
    kind: "no-common-round";
  } | {
    /**
     * Which kind it is.
     */
    kind: "differs";
    /**
     * The setting.
     */
    what: string;
    /**
     * Its value before, as JSON unless it is text; null if it was missing.
     */
    was: string | null;
    /**
     * Its value now, likewise.
     */
    is: string | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "no-inspector";
    /**
     * First word of its start command.
     */
    command: string;
  } | {
    /**
     * Which kind it is.
     */
    kind: "not-started-here";
  } | {
    /**
     * Which kind it is.
     */
    kind: "not-ok";
    /**
     * The result's status.
     */
    status: "invalid" | "failed";
    /**
     * The affected revision.
     */
    where: string;
    /**
     * The reason; null if unknown.
     */
    reason: Reason | null;
  };
}
/**
 * Raw: a count of one variant, without any load. Nothing is timed meanwhile.
 */
export interface CountRecord {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Kind of the count. `context-switch` counts the voluntary switches, `allocated-bytes` counts the bytes of V8's heap. The segments are TCP segments with data.
   */
  kind:
    | "system-call"
    | "context-switch"
    | "bytes-sent"
    | "segments-received"
    | "segments-sent"
    | "statement"
    | "allocated-bytes";
  /**
   * Name of the system call; null for other kinds.
   */
  name: string | null;
  /**
   * The unit that is counted.
   */
  per: "request" | "connection";
  /**
   * For each fresh process, the count for one request or connection, in each of several segments.
   */
  processes: number[][];
}
/**
 * The reason for a missing count.
 */
export interface CountAbsence {
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Name of the missing count.
   */
  what: string;
  /**
   * A reason, by kind.
   */
  reason: {
    /**
     * Which kind it is.
     */
    kind: "message";
    /**
     * The message.
     */
    text: string;
  } | {
    /**
     * Which kind it is.
     */
    kind: "busy";
    /**
     * The component.
     */
    component: "server" | "database" | "generator";
    /**
     * Cores that it used; null if unknown.
     */
    cores: number | null;
    /**
     * Share of time that its busiest thread ran.
     */
    busiestThread: number | null;
    /**
     * Share of time that this thread waited to run.
     */
    runQueueWait: number | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "only-shards-tell";
  } | {
    /**
     * Which kind it is.
     */
    kind: "shards-changed";
    /**
     * Relative change: 0.1 is 10 % more.
     */
    gain: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "connections-changed";
    /**
     * Relative change: 0.1 is 10 % more.
     */
    gain: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "waited-for-processor";
  } | {
    /**
     * Which kind it is.
     */
    kind: "near-ceiling";
    /**
     * The ceiling divided by the rate.
     */
    ceilingShare: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "server-unknown";
  } | {
    /**
     * Which kind it is.
     */
    kind: "system-silent";
  } | {
    /**
     * Which kind it is.
     */
    kind: "others-busy";
    /**
     * Cores that they used.
     */
    cores: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "stolen";
    /**
     * Share of the machine's CPU time.
     */
    share: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "machine-in-use";
    /**
     * Share of its CPU time.
     */
    used: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "connections-idle";
    /**
     * Share of connections with a pending request.
     */
    little: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "database-hidden";
  } | {
    /**
     * Which kind it is.
     */
    kind: "all-idle";
    /**
     * Idle share of the machine; null if unknown.
     */
    idle: number | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "wrong-responses";
    /**
     * Number.
     */
    count: number;
    /**
     * An example.
     */
    example: string | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "probe-wrong";
    /**
     * Number.
     */
    count: number;
    /**
     * An example.
     */
    example: string | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "no-response";
  } | {
    /**
     * Which kind it is.
     */
    kind: "requests-failed";
    /**
     * Share of failed requests.
     */
    share: number;
    /**
     * Responses without a 2xx status, by status, or by its class.
     */
    statuses: {
      [k: string]: number;
    };
    /**
     * Requests without a response.
     */
    transportErrors: number;
    /**
     * Requests that timed out.
     */
    timeouts: number;
    /**
     * Errors of the probe.
     */
    probeErrors: number;
    /**
     * An example.
     */
    probeError: string | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "too-few-writes";
    /**
     * Changed rows per response.
     */
    perResponse: number;
    /**
     * The expected number.
     */
    expected: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "wrong-statements";
    /**
     * Statements per response.
     */
    perResponse: number;
    /**
     * The scenario's number.
     */
    expected: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "few-requests";
    /**
     * Its largest number of requests.
     */
    requests: number;
    /**
     * Number of requests that the percentile needs.
     */
    needed: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "few-rounds";
    /**
     * Rounds with a value of all variants.
     */
    rounds: number;
    /**
     * Rounds that were measured.
     */
    of: number;
    /**
     * Rounds in which the load generator was late.
     */
    late: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "little-contradicts";
    /**
     * Rate times mean latency divided by connections: 1 if all are always busy.
     */
    little: number;
    /**
     * Number of connections.
     */
    connections: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "responses-in-waves";
    /**
     * One of this many requests waits.
     */
    every: number;
    /**
     * Duration of the wait, in seconds.
     */
    waitS: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "connections-taken";
    /**
     * Number.
     */
    connections: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "messages";
  } | {
    /**
     * Which kind it is.
     */
    kind: "open-loop";
  } | {
    /**
     * Which kind it is.
     */
    kind: "no-rehearsal";
  } | {
    /**
     * Which kind it is.
     */
    kind: "responses-too-slow";
    /**
     * Median response time in milliseconds.
     */
    ms: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "none-held";
  } | {
    /**
     * Which kind it is.
     */
    kind: "search-ended";
  } | {
    /**
     * Which kind it is.
     */
    kind: "still-climbing";
    /**
     * The affected revision; null if there is only one.
     */
    where: string | null;
    /**
     * What climbed: windows, or rounds of slices.
     */
    what: "windows" | "slices";
    /**
     * Number of climbing ones.
     */
    climbing: number;
    /**
     * Total number.
     */
    of: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "contended";
    /**
     * The affected revision.
     */
    where: string;
    /**
     * Cores used by other programs.
     */
    otherCores: number;
    /**
     * Share of CPU time that the virtual machine's host took.
     */
    steal: number;
    /**
     * Cores of the machine.
     */
    cores: number;
  } | {
    /**
     * Which kind it is.
     */
    kind: "absent";
    /**
     * The report or variant without it.
     */
    where: string;
  } | {
    /**
     * Which kind it is.
     */
    kind: "rate-not-own";
  } | {
    /**
     * Which kind it is.
     */
    kind: "no-common-round";
  } | {
    /**
     * Which kind it is.
     */
    kind: "differs";
    /**
     * The setting.
     */
    what: string;
    /**
     * Its value before, as JSON unless it is text; null if it was missing.
     */
    was: string | null;
    /**
     * Its value now, likewise.
     */
    is: string | null;
  } | {
    /**
     * Which kind it is.
     */
    kind: "no-inspector";
    /**
     * First word of its start command.
     */
    command: string;
  } | {
    /**
     * Which kind it is.
     */
    kind: "not-started-here";
  } | {
    /**
     * Which kind it is.
     */
    kind: "not-ok";
    /**
     * The result's status.
     */
    status: "invalid" | "failed";
    /**
     * The affected revision.
     */
    where: string;
    /**
     * The reason; null if unknown.
     */
    reason: Reason | null;
  };
}
/**
 * Raw: a short profile of a fresh process, as samples by function.
 */
export interface SelfTimes {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * Its round, from 1.
   */
  round: number;
  /**
   * CPU time per response, in microseconds; null if unknown.
   */
  cpuUs: number | null;
  /**
   * Sampled time per response, in microseconds, without waits for a processor. Null without responses.
   */
  sampledUs: number | null;
  /**
   * Samples of all threads, also those outside of JavaScript.
   */
  samples: number;
  /**
   * Its functions with samples.
   */
  functions: SelfSamples[];
  /**
   * Reason for a missing profile; null with a profile.
   */
  reason: Reason | null;
}
/**
 * Raw: the samples in which one function ran itself.
 */
export interface SelfSamples {
  /**
   * Its name; empty for all functions without a name in its file.
   */
  name: string;
  /**
   * Its module and line; null if it is not JavaScript.
   */
  place: string | null;
  /**
   * Origin of the code, as in a profile.
   */
  kind: "own" | "package" | "runtime" | "native";
  /**
   * Number of samples.
   */
  samples: number;
}
/**
 * CPU profile of a server under a separate load, which contributes no other figure.
 */
export interface Profile {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * Number of sampled threads.
   */
  threads: number;
  /**
   * The samples; null without any.
   */
  foldedStacks: FoldedStacks | null;
  /**
   * Raw: share of time that the server's busiest thread ran, 0 to 1; null if unknown.
   */
  busiestThread: number | null;
  /**
   * Raw: responses during the profile. Sampling slows the server down.
   */
  responses: number;
  /**
   * Files with V8's profiles next to the report, one for each thread.
   */
  files: string[];
  /**
   * Reason for a missing profile; null with a profile.
   */
  reason: Reason | null;
}
/**
 * Derived: the samples of a profile, merged by equal calls.
 */
export interface FoldedStacks {
  /**
   * Duration of sampling, in seconds.
   */
  durationS: number;
  /**
   * Samples of all threads.
   */
  samples: number;
  /**
   * Samples in a called JavaScript function or in the garbage collector. In the other samples V8 was idle: the thread waited, or the runtime or the kernel worked.
   */
  inCalls: number;
  /**
   * The functions, each before its callees. Functions with too few samples to draw are left out.
   */
  frames: Frame[];
}
/**
 * Derived: a function as one caller called it.
 */
export interface Frame {
  /**
   * Number of functions between it and the root.
   */
  depth: number;
  /**
   * Its name; empty if it has none.
   */
  name: string;
  /**
   * Its module and line; null if it is not JavaScript.
   */
  place: string | null;
  /**
   * Origin of the code: `own` for the server's files, `package`, `runtime` for modules of Deno or Node.js, `native` for code that is not JavaScript, such as the garbage collector.
   */
  kind: "own" | "package" | "runtime" | "native";
  /**
   * Samples in which it ran itself.
   */
  self: number;
  /**
   * Samples in which it or one of its callees ran.
   */
  total: number;
}
/**
 * Derived: a server at one workload with some number of workers, compared with its smallest number.
 */
export interface Scaling {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * Id of the server.
   */
  server: string;
  /**
   * Its processes or scheduler threads.
   */
  workers: number;
  /**
   * Smallest measured number of workers.
   */
  baseWorkers: number;
  /**
   * Rate divided by that with the fewest workers; null for the fewest.
   */
  rate: Comparison | null;
  /**
   * CPU time per response divided by that with the fewest workers; null for the fewest.
   */
  cpu: Comparison | null;
  /**
   * Rate ratio divided by worker ratio: 1 is twice the rate with twice the workers.
   */
  efficiency: number | null;
  /**
   * Whether workers, load generator and database have to share processors. The rate is then not the server's own.
   */
  isShared: boolean;
}
/**
 * Two servers at one workload, measured in the same rounds.
 */
export interface Comparison {
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * Id of one variant.
   */
  a: string;
  /**
   * Id of the other.
   */
  b: string;
  /**
   * The compared metric. Higher is better for requestsPerS, lower for the others.
   */
  metric: "serverCpuUs" | "requestsPerS" | "p50Us";
  /**
   * The method: slices of servers that run at the same time, or windows of each server in turn.
   */
  method: "slices" | "windows";
  /**
   * Rounds with both.
   */
  rounds: number;
  /**
   * a's figure divided by b's: the Hodges-Lehmann estimate of the paired ratios.
   */
  ratio: number;
  /**
   * 95 % confidence interval of the ratio; null for too few rounds.
   */
  confidenceInterval: ConfidenceInterval | null;
  /**
   * Two-sided p-value of the hypothesis that the servers are equal, 0 to 1.
   */
  pValue: number;
  /**
   * Id of the variant that is proven better; null if the confidence interval proves nothing.
   */
  better: string | null;
}
/**
 * A server compared with itself at one workload. Any difference is noise.
 */
export interface Noise {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * The method: slices of servers that run at the same time, or windows of each server in turn.
   */
  method: "slices" | "windows";
  /**
   * Noise of responses per second; null if unknown.
   */
  requestsPerS: NoiseOf | null;
  /**
   * Noise of CPU time per response; null if unknown.
   */
  serverCpuUs: NoiseOf | null;
}
/**
 * The noise of one figure.
 */
export interface NoiseOf {
  /**
   * Rounds with both.
   */
  rounds: number;
  /**
   * The server's figure divided by its twin's.
   */
  ratio: number;
  /**
   * 95 % confidence interval of the ratio; null for too few rounds.
   */
  confidenceInterval: ConfidenceInterval | null;
  /**
   * Largest distance of the confidence interval from 1: 0.03 is 3 %; null without an interval.
   */
  floor: number | null;
}
/**
 * Changes from one revision to another, tested together as one family.
 */
export interface Changes {
  /**
   * The changes.
   */
  changes: Change[];
  /**
   * The changes of costs; empty if none was measured.
   */
  costs: CostChange[];
  /**
   * Rounds that the family needs for a decision; null if it had enough.
   */
  neededRounds: number | null;
  /**
   * Time of a fixed piece of work in head divided by that in base: 1.06 is 6 % longer. Null if unknown.
   */
  machineRatio: number | null;
  /**
   * Report of `stampede noise` that sets the noise floor; null if none does.
   */
  noiseSource: string | null;
  /**
   * Counts that differ; null if nothing was counted.
   */
  counts: CountChanges | null;
  /**
   * Functions that changed, for each workload that was profiled on both sides.
   */
  functions: FunctionChanges[];
}
/**
 * Derived: the difference of one server at one workload between two runs, or between two revisions in one run.
 */
export interface Change {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * The verdict. For costs, `faster` is less, and `slower` is more.
   */
  verdict: "faster" | "slower" | "same" | "incomparable";
  /**
   * Why it cannot be compared; empty if it can.
   */
  reasons: Reason[];
  /**
   * Median over the rounds of base, in the metric's unit.
   */
  base: number | null;
  /**
   * Median over the rounds of head, in the metric's unit.
   */
  head: number | null;
  /**
   * Rounds of base.
   */
  baseRounds: number;
  /**
   * Rounds of head.
   */
  headRounds: number;
  /**
   * head's figure divided by base's.
   */
  ratio: number | null;
  /**
   * 95 % confidence interval of the ratio, for this change only.
   */
  confidenceInterval: ConfidenceInterval | null;
  /**
   * Confidence interval at a level that gives 95 % for all changes together; null for too few rounds.
   */
  familyConfidenceInterval: ConfidenceInterval | null;
  /**
   * p-value, adjusted for the number of comparisons.
   */
  pValue: number | null;
  /**
   * Minimum detectable change, as a share; null if no change could have been detected.
   */
  minimumDetectableChange: number | null;
  /**
   * Noise floor: relative changes up to this are the machine's noise or its change of speed.
   */
  floor: number;
  /**
   * Whether the result was valid in base and is invalid or failed in head.
   */
  isBroken: boolean;
  /**
   * The compared metric. Higher is better for requestsPerS, lower for the others.
   */
  metric: "requestsPerS" | "serverCpuUs" | "relativeCpu" | "p50Us";
  /**
   * The method: slices of servers that run at the same time, or windows of each server in turn.
   */
  method: "slices" | "windows";
  /**
   * Whether fresh rounds confirmed a regression beyond the gate's threshold; null if it was not tested, or in too few rounds.
   */
  isConfirmed: boolean | null;
}
/**
 * Derived: the difference of a cost between two revisions in one run.
 */
export interface CostChange {
  /**
   * Id of the variant.
   */
  variant: string;
  /**
   * Id of the scenario of the load; null without load.
   */
  scenario: string | null;
  /**
   * Rate of the load, in requests per second; null without load.
   */
  perS: number | null;
  /**
   * The verdict. For costs, `faster` is less, and `slower` is more.
   */
  verdict: "faster" | "slower" | "same" | "incomparable";
  /**
   * Why it cannot be compared; empty if it can.
   */
  reasons: Reason[];
  /**
   * Median over the rounds of base, in the metric's unit.
   */
  base: number | null;
  /**
   * Median over the rounds of head, in the metric's unit.
   */
  head: number | null;
  /**
   * Rounds of base.
   */
  baseRounds: number;
  /**
   * Rounds of head.
   */
  headRounds: number;
  /**
   * head's figure divided by base's.
   */
  ratio: number | null;
  /**
   * 95 % confidence interval of the ratio, for this change only.
   */
  confidenceInterval: ConfidenceInterval | null;
  /**
   * Confidence interval at a level that gives 95 % for all changes together; null for too few rounds.
   */
  familyConfidenceInterval: ConfidenceInterval | null;
  /**
   * p-value, adjusted for the number of comparisons.
   */
  pValue: number | null;
  /**
   * Minimum detectable change, as a share; null if no change could have been detected.
   */
  minimumDetectableChange: number | null;
  /**
   * Noise floor: relative changes up to this are the machine's noise or its change of speed.
   */
  floor: number;
  /**
   * The cost. Less is better.
   */
  metric:
    | "tail99Us"
    | "tail999Us"
    | "peakRssBytes"
    | "peakPssBytes"
    | "grownBytes"
    | "idleBytes"
    | "connectionBytes"
    | "startUpUs"
    | "startUpCpuUs"
    | "coldStartUpUs"
    | "idleCpuUs"
    | "idleWakeUps"
    | "connectedCpuUs"
    | "quietCpuUs"
    | "quietWakeUps";
  /**
   * Rounds that are left out, because the load generator was late.
   */
  lateRounds: number;
}
/**
 * Derived: the counts of base and head, compared.
 */
export interface CountChanges {
  /**
   * The counts that differ, the largest relative changes first.
   */
  changes: CountChange[];
  /**
   * Counts that repeat, so that they could be compared.
   */
  compared: number;
  /**
   * Names of the counts that vary without a change. They were not compared.
   */
  varying: string[];
  /**
   * The missing counts, with reasons.
   */
  absences: CountAbsence[];
}
/**
 * Derived: a count that differs between base and head.
 */
export interface CountChange {
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Kind of the count. `context-switch` counts the voluntary switches, `allocated-bytes` counts the bytes of V8's heap. The segments are TCP segments with data.
   */
  kind:
    | "system-call"
    | "context-switch"
    | "bytes-sent"
    | "segments-received"
    | "segments-sent"
    | "statement"
    | "allocated-bytes";
  /**
   * Name of the system call; null for other kinds.
   */
  name: string | null;
  /**
   * The unit that is counted.
   */
  per: "request" | "connection";
  /**
   * Count for base.
   */
  base: number;
  /**
   * Count for head.
   */
  head: number;
  /**
   * Whether both are whole numbers that all segments of all processes repeated, except for one segment and a few calls of background threads.
   */
  isExact: boolean;
}
/**
 * Derived: the functions that changed at one workload.
 */
export interface FunctionChanges {
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Connections of the load to each server; in an open loop, the maximum.
   */
  connections: number;
  /**
   * Requests per second of an open loop; null in a closed loop.
   */
  perS: number | null;
  /**
   * Reason for missing profiles; null with profiles.
   */
  reason: Reason | null;
  /**
   * Number of compared functions.
   */
  compared: number;
  /**
   * Functions by the size of their change, the largest first.
   */
  changes: FunctionChange[];
}
/**
 * Derived: how the time of one function changed.
 */
export interface FunctionChange {
  /**
   * Its name in head, or in base if head does not call it.
   */
  name: string;
  /**
   * Its name in base, if it was renamed; null otherwise.
   */
  was: string | null;
  /**
   * Its module and line; null if it is not JavaScript.
   */
  place: string | null;
  /**
   * Origin of its code. `outside` is all CPU time outside of JavaScript, as one entry.
   */
  kind: "own" | "package" | "runtime" | "native" | "outside";
  /**
   * Time per response in base, mean over the rounds.
   */
  baseUs: number;
  /**
   * Time per response in head, mean over the rounds.
   */
  headUs: number;
  /**
   * Lower end of the change's interval, in microseconds.
   */
  low: number;
  /**
   * Upper end; the interval is at a level of 95 % for all functions together.
   */
  high: number;
  /**
   * Whether its interval excludes 0, and it changed beyond the floor. If it is not JavaScript, it also changed in the same direction in every round.
   */
  isProven: boolean;
}
/**
 * Merged results of the k6 runners that shared a load on servers elsewhere.
 */
export interface DistributedReport {
  /**
   * Kind of report: k6 runners measured, and Stampede merged.
   */
  kind: "distributed";
  /**
   * Version of this format.
   */
  schemaVersion: 1;
  /**
   * Eight random characters.
   */
  id: string;
  /**
   * Start time of the load, ISO 8601 in UTC.
   */
  createdAt: string;
  /**
   * The program, as typed before the arguments, such as deno task bench.
   */
  program: string[];
  /**
   * The complete command, without secrets.
   */
  command: string[];
  /**
   * Whether the load was measured as planned: to its end, and by all runners.
   */
  complete: boolean;
  /**
   * Duration of the measurement, in seconds.
   */
  tookS: number;
  /**
   * Versions of Stampede and Deno; of a run also of PostgreSQL, the load generators and the servers.
   */
  versions: {
    [k: string]: string;
  };
  /**
   * Address of the server; several are separated by commas.
   */
  server: string;
  /**
   * Hash of the script's requests.
   */
  test: string;
  /**
   * Maximum number of pending requests of all runners together.
   */
  users: number;
  /**
   * Number of merged runners.
   */
  runners: number;
  /**
   * Segments of the load without a runner.
   */
  missing: string[];
  /**
   * Files that were not merged.
   */
  leftOut: LeftOut[];
  slo: Slo1;
  /**
   * Maximum distance of a value from the middle of its bucket: 0.0488 is 4.88 %.
   */
  bucketError: number;
  /**
   * The results of each scenario.
   */
  scenarios: DistributedScenario[];
}
/**
 * A file that was not merged.
 */
export interface LeftOut {
  /**
   * The file.
   */
  file: string;
  /**
   * Why.
   */
  problem: string;
}
/**
 * The SLO.
 */
export interface Slo1 {
  /**
   * Limits of response times in an open loop.
   */
  latencies: LatencyLimit[];
  /**
   * Upper limit of the share of requests without a right response, exclusive; null without a limit.
   */
  errorShare: number | null;
}
/**
 * Derived: all runners together at one scenario.
 */
export interface DistributedScenario {
  /**
   * Id of the scenario.
   */
  scenario: string;
  /**
   * Requested rate in requests per second.
   */
  perS: number;
  /**
   * Duration in seconds.
   */
  durationS: number;
  /**
   * Scheduled requests.
   */
  offered: number;
  /**
   * Requests that were sent.
   */
  sent: number;
  /**
   * Right responses.
   */
  right: number;
  /**
   * Responses with a wrong status.
   */
  refused: number;
  /**
   * Responses with the right status that are wrong otherwise.
   */
  wrong: number;
  /**
   * Requests without a response.
   */
  failed: number;
  /**
   * Scheduled requests that were not sent, because no virtual user was free.
   */
  dropped: number;
  /**
   * Right responses per second.
   */
  goodputPerS: number;
  /**
   * Times of the sent requests: the count of each bucket of src/stats/histogram.ts.
   */
  buckets: {
    [k: string]: number;
  };
  /**
   * Median; null for too few requests.
   */
  p50: BucketTime | null;
  /**
   * 90th percentile; null for too few requests.
   */
  p90: BucketTime | null;
  /**
   * 99th percentile; null for too few requests.
   */
  p99: BucketTime | null;
  /**
   * 99.9th percentile; null for too few requests.
   */
  p999: BucketTime | null;
  /**
   * Each limit of the SLO.
   */
  sloChecks: SloCheck[];
  /**
   * Figures of each runner.
   */
  runners: RunnerTally[];
  /**
   * Runner with the highest 99th percentile; if several have it, the one with the smallest share of right responses. Null for a single runner.
   */
  worst: string | null;
}
/**
 * A time with the bucket that contains it, in microseconds.
 */
export interface BucketTime {
  /**
   * Geometric middle of the bucket.
   */
  us: number;
  /**
   * Lower edge of the bucket.
   */
  lowUs: number;
  /**
   * Upper edge of the bucket; null for the last one.
   */
  highUs: number | null;
}
/**
 * One limit of the SLO.
 */
export interface SloCheck {
  /**
   * Percentile of the limit; null for the share of errors.
   */
  percentile: number | null;
  /**
   * Upper limit (exclusive): microseconds, or a share.
   */
  limit: number;
  /**
   * Measured value in the same unit; null for too few requests.
   */
  found: number | null;
  /**
   * Whether the limit was met. Null if the limit is within the percentile's bucket, there are too few requests, or a part of the load is missing.
   */
  isMet: boolean | null;
}
/**
 * One runner's figures at one scenario.
 */
export interface RunnerTally {
  /**
   * Its file, with its segment if the file has several.
   */
  runner: string;
  /**
   * Its part of the load.
   */
  segment: string;
  /**
   * Its share of all scheduled requests.
   */
  share: number;
  /**
   * Scheduled requests.
   */
  offered: number;
  /**
   * Scheduled requests that were not sent, because no virtual user was free.
   */
  dropped: number;
  /**
   * Right responses.
   */
  right: number;
  /**
   * Median; null for too few requests.
   */
  p50: BucketTime | null;
  /**
   * 99th percentile; null for too few requests.
   */
  p99: BucketTime | null;
}
