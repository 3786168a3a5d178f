/**
 * The kinds of reports. The index of `results/`: a summary of each run.
 */

import { BlockResult } from "./block.ts";
import type { ResultKey } from "./comparison.ts";
import {
  Capacity,
  Changes,
  Comparison,
  GeneratorSummary,
  Noise,
  OpenCheck,
  OpenLoopResult,
  Result,
  Scaling,
  ServerSummary,
} from "./derived.ts";
import { DistributedScenario, LeftOut } from "./distributed.ts";
import type { MedianWithInterval } from "./estimate.ts";
import { type ExperimentKind, ExperimentRecord, Slo } from "./experiment.ts";
import { Profile } from "./profile.ts";
import { LaunchRecord, TrialResult } from "./raw.ts";
import { parts } from "./scenario.ts";
import * as s from "./schema.ts";
import type { Alpn } from "./server.ts";

const Finding = s.object("Finding", "A property of a machine that affects measurements.", {
  name: [s.text, "Its name."],
  status: [
    s.oneOf("ok", "warn", "unknown"),
    "`warn`: it makes measurements less precise. `unknown`: the system does not report it.",
  ],
  found: [s.text, "Its value."],
  advice: [s.nullable(s.text), "Advice; null without any."],
});
export interface Finding extends s.Static<typeof Finding> {}

const Host = s.object("Host", "The machine that a report comes from.", {
  os: [s.text, "Operating system, as Deno names it."],
  arch: [s.text, "Architecture, as Deno names it."],
  kernel: [s.text, "Release of the operating system's kernel."],
  cpuModel: [s.text, "Processor model; `unknown` if the system does not report it."],
  cores: [s.ordinal, "Logical processors."],
  memoryBytes: [s.count, "Memory."],
  findings: [s.list(Finding), "Findings of `bench doctor` about this machine."],
});
export interface Host extends s.Static<typeof Host> {}

const Pinning = s.object("Pinning", "The processors of each component.", {
  server: [s.list(s.count), "Processors of the server."],
  database: [s.nullable(s.list(s.count)), "Processors of PostgreSQL; null without one."],
  generator: [s.list(s.count), "Processors of the load generator."],
});
export interface Pinning extends s.Static<typeof Pinning> {}

const Commit = s.object("Commit", "The state of a git work tree.", {
  id: [s.text, "Its commit, in hexadecimal."],
  isDirty: [s.flag, "Whether files that git tracks were changed since."],
});
export interface Commit extends s.Static<typeof Commit> {}

const ScenarioSummary = s.object(
  "ScenarioSummary",
  "A scenario's request, and its checks before each window.",
  {
    id: [s.text, "Its id."],
    title: [s.text, "Title."],
    method: [s.text, "The request's method."],
    path: [s.text, "The request's path with its query; values that may be secret are left out."],
    hiddenPathSha256: [
      s.nullable(s.text),
      "SHA-256 of the complete path in hexadecimal, if values are left out; null otherwise.",
    ],
    headerNames: [s.list(s.text), "Names of the request's headers; their values may be secrets."],
    bodySha256: [
      s.nullable(s.text),
      "SHA-256 of the request's body in hexadecimal; null without a body.",
    ],
    queries: [s.amount, "Minimum number of database statements of one response."],
    each: [
      s.nullable(parts),
      "The items in one response, and their number; null if responses are counted.",
    ],
    checks: [s.list(s.text), "Names of its checks."],
  },
);
export interface ScenarioSummary extends s.Static<typeof ScenarioSummary> {}

/** Format of reports. This version of Stampede writes this format and reads no other. */
export const FORMAT = 1;

/** Properties of every kind of report. */
const COMMON = s.properties({
  schemaVersion: [s.literal(FORMAT), "Version of this format."],
  id: [s.text, "Eight random characters."],
  createdAt: [s.instant, "Start time of the load, ISO 8601 in UTC."],
  program: [s.list(s.text), "The program, as typed before the arguments, such as deno task bench."],
  command: [s.list(s.text), "The complete command, without secrets."],
  complete: [s.flag, "Whether the load was measured as planned: to its end, and by all runners."],
  tookS: [s.amount, "Duration of the measurement, in seconds."],
  versions: [
    s.record(s.text),
    "Versions of Stampede and Deno; of a run also of PostgreSQL, the load generators and the servers.",
  ],
});

export const Report = s.object(
  "Report",
  "Everything that a run found: its settings, machine, measurements and results.",
  {
    kind: [s.oneOf("run"), "Kind of report: an experiment that Stampede measured."],
    ...COMMON,
    measuredS: [s.amount, "Total duration of the measured windows and slices, in seconds."],
    host: [Host, "The machine."],
    commit: [
      s.nullable(Commit),
      "Commit of the folder in which the run was started; null outside a git work tree.",
    ],
    database: [s.nullable(s.text), "The database without its password; null if none was needed."],
    experiment: [ExperimentRecord, "The experiment."],
    pinning: [s.nullable(Pinning), "The processors of each component; null without pinning."],
    scenarios: [s.list(ScenarioSummary), "The scenarios."],
    generators: [s.list(GeneratorSummary), "The load generators that drove the run."],
    servers: [s.list(ServerSummary), "Derived: every requested server."],
    launches: [s.list(LaunchRecord), "Raw: every start of a server."],
    trialResults: [s.list(TrialResult), "Every window, in the order of measurement."],
    blocks: [s.list(BlockResult), "Raw: slices, in the order of measurement."],
    results: [s.list(Result), "Every server at every workload."],
    openChecks: [
      s.list(OpenCheck),
      "Checks of the open loop, one for each rate, for the kinds `rate` and `capacity`; empty otherwise.",
    ],
    openLoopResults: [
      s.list(OpenLoopResult),
      "Response times, for the kinds `rate` and `capacity`; empty otherwise.",
    ],
    capacities: [
      s.list(Capacity),
      "Highest rates that meet the SLO, for the kind `capacity`; empty otherwise.",
    ],
    profiles: [s.list(Profile), "CPU profiles of servers, if requested; empty otherwise."],
    scaling: [s.list(Scaling), "Effect of more workers, for the kind `scaling`; empty otherwise."],
    comparisons: [s.list(Comparison), "Every pair of servers at every workload."],
    noise: [s.list(Noise), "Noise of a server, for the kind `noise`; empty otherwise."],
    changes: [
      s.nullable(Changes),
      "Changes from base to head, for the kind `versus`; null otherwise.",
    ],
  },
);
/** The report of a run. */
export interface Report extends s.Static<typeof Report> {}

export const DistributedReport = s.object(
  "DistributedReport",
  "Merged results of the k6 runners that shared a load on servers elsewhere.",
  {
    kind: [s.oneOf("distributed"), "Kind of report: k6 runners measured, and Stampede merged."],
    ...COMMON,
    server: [s.text, "Address of the server; several are separated by commas."],
    test: [s.text, "Hash of the script's requests."],
    users: [s.ordinal, "Maximum number of pending requests of all runners together."],
    runners: [s.ordinal, "Number of merged runners."],
    missing: [s.list(s.text), "Segments of the load without a runner."],
    leftOut: [s.list(LeftOut), "Files that were not merged."],
    slo: [Slo, "The SLO."],
    bucketError: [
      s.share,
      "Maximum distance of a value from the middle of its bucket: 0.0488 is 4.88 %.",
    ],
    scenarios: [s.list(DistributedScenario), "The results of each scenario."],
  },
);
export interface DistributedReport extends s.Static<typeof DistributedReport> {}

/** A report of any kind, as in its file. */
export type AnyReport = Report | DistributedReport;

/** Summary of one run. */
export interface IndexEntry {
  /** Name of the run's report in `results/`. */
  readonly file: string;
  readonly createdAt: string;
  readonly commit: Commit | null;
  readonly kind: ExperimentKind | DistributedReport["kind"];
  readonly complete: boolean;
  /** Whether the run still measures, so that its figures are not final. */
  readonly isUnderWay?: boolean;
  /** Protocol over TLS, HTTP/1.1 or HTTP/2; null without TLS. */
  readonly tls: Alpn | null;
  /** Number and model of the processors: `4 x AMD EPYC 7763`; null for merged runners. */
  readonly machine: string | null;
  /** Label of the reference server and version of Deno; null without a reference server. */
  readonly reference: string | null;
  readonly results: readonly IndexedResult[];
}

/** Summary of one result of a run. */
export interface IndexedResult extends ResultKey {
  readonly requestsPerS: MedianWithInterval | null;
  readonly isLowerBound: boolean;
  /** Whether another load generator replaced the usual one, which would have been the bottleneck. */
  readonly isTakenOver: boolean;
  /** CPU time of the server per response, in microseconds. */
  readonly serverCpuUs: MedianWithInterval | null;
  /** CPU time per response relative to the reference; null if it was not measured. */
  readonly relativeCpu: MedianWithInterval | null;
  readonly rounds: number;
}
