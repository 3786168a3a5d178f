/** The kinds of reports. */
import { BlockResult } from "./block.ts";
import { Capacity } from "./capacity.ts";
import { Changes, Comparison, GeneratorSummary, Noise, Result, ServerSummary } from "./derived.ts";
import { Scaling } from "./scaling.ts";
import { OpenCheck, OpenLoopResult } from "./open_loop_result.ts";
import { DistributedScenario, LeftOut } from "./distributed.ts";
import { ExperimentRecord } from "./experiment.ts";
import { Profile } from "./profile.ts";
import { parts } from "./scenario.ts";
import { Slo } from "./slo.ts";
import { LaunchRecord, TrialResult } from "./raw.ts";
import {
  amount,
  count,
  flag,
  instant,
  list,
  literal,
  nullable,
  object,
  oneOf,
  ordinal,
  properties,
  record,
  share,
  type Static,
  text,
} from "./json_schema.ts";

export const Finding = object(
  "Finding",
  "A property of a machine that affects measurements.",
  {
    name: [text, "Its name."],
    status: [
      oneOf("ok", "warn", "unknown"),
      "`warn`: it makes measurements less precise. `unknown`: the system does not report it.",
    ],
    found: [text, "Its value."],
    advice: [nullable(text), "Advice; null without any."],
  },
);
export interface Finding extends Static<typeof Finding> {}

export const Host = object("Host", "The machine that a report comes from.", {
  os: [text, "Operating system, as Deno names it."],
  arch: [text, "Architecture, as Deno names it."],
  kernel: [text, "Release of the operating system's kernel."],
  cpuModel: [text, "Processor model; `unknown` if the system does not report it."],
  cores: [ordinal, "Logical processors."],
  memoryBytes: [count, "Memory."],
  findings: [list(Finding), "Findings of `bench doctor` about this machine."],
});
export interface Host extends Static<typeof Host> {}

export const Pinning = object("Pinning", "The processors of each component.", {
  server: [list(count), "Processors of the server."],
  database: [nullable(list(count)), "Processors of PostgreSQL; null without one."],
  generator: [list(count), "Processors of the load generator."],
});
export interface Pinning extends Static<typeof Pinning> {}

export const Commit = object("Commit", "The state of a git work tree.", {
  id: [text, "Its commit, in hexadecimal."],
  isDirty: [flag, "Whether files that git tracks were changed since."],
});
export interface Commit extends Static<typeof Commit> {}

export const ScenarioSummary = object(
  "ScenarioSummary",
  "A scenario's request, and its checks before each window.",
  {
    id: [text, "Its id."],
    title: [text, "Title."],
    method: [text, "The request's method."],
    path: [
      text,
      "The request's path with its query; values that may be secret are left out.",
    ],
    hiddenPathSha256: [
      nullable(text),
      "SHA-256 of the complete path in hexadecimal, if values are left out; null otherwise.",
    ],
    headerNames: [list(text), "Names of the request's headers; their values may be secrets."],
    bodySha256: [
      nullable(text),
      "SHA-256 of the request's body in hexadecimal; null without a body.",
    ],
    queries: [amount, "Minimum number of database statements of one response."],
    each: [
      nullable(parts),
      "The items in one response, and their number; null if responses are counted.",
    ],
    checks: [list(text), "Names of its checks."],
  },
);
export interface ScenarioSummary extends Static<typeof ScenarioSummary> {}

/** Format of reports. This version of Stampede writes this format and reads no other. */
export const FORMAT = 1;

/** Properties of every kind of report. */
const COMMON = properties({
  schemaVersion: [literal(FORMAT), "Version of this format."],
  id: [text, "Eight random characters."],
  createdAt: [instant, "Start time of the load, ISO 8601 in UTC."],
  program: [list(text), "The program, as typed before the arguments, such as deno task bench."],
  command: [list(text), "The complete command, without secrets."],
  complete: [flag, "Whether the load was measured as planned: to its end, and by all runners."],
  tookS: [amount, "Duration of the measurement, in seconds."],
  versions: [
    record(text),
    "Versions of Stampede and Deno; of a run also of PostgreSQL, the load generators and the servers.",
  ],
});

export const Report = object(
  "Report",
  "Everything that a run found: its settings, machine, measurements and results.",
  {
    kind: [oneOf("run"), "Kind of report: an experiment that Stampede measured."],
    ...COMMON,
    measuredS: [amount, "Total duration of the measured windows and slices, in seconds."],
    host: [Host, "The machine."],
    commit: [
      nullable(Commit),
      "Commit of the folder in which the run was started; null outside a git work tree.",
    ],
    database: [nullable(text), "The database without its password; null if none was needed."],
    experiment: [ExperimentRecord, "The experiment."],
    pinning: [nullable(Pinning), "The processors of each component; null without pinning."],
    scenarios: [list(ScenarioSummary), "The scenarios."],
    generators: [list(GeneratorSummary), "The load generators that drove the run."],
    servers: [list(ServerSummary), "Derived: every requested server."],
    launches: [list(LaunchRecord), "Raw: every start of a server."],
    trialResults: [list(TrialResult), "Every window, in the order of measurement."],
    blocks: [list(BlockResult), "Raw: slices, in the order of measurement."],
    results: [list(Result), "Every server at every workload."],
    openChecks: [
      list(OpenCheck),
      "Checks of the open loop, one for each rate, for the kinds `rate` and `capacity`; empty otherwise.",
    ],
    openLoopResults: [
      list(OpenLoopResult),
      "Response times, for the kinds `rate` and `capacity`; empty otherwise.",
    ],
    capacities: [
      list(Capacity),
      "Highest rates that meet the SLO, for the kind `capacity`; empty otherwise.",
    ],
    profiles: [
      list(Profile),
      "CPU profiles of servers, if requested; empty otherwise.",
    ],
    scaling: [
      list(Scaling),
      "Effect of more workers, for the kind `scaling`; empty otherwise.",
    ],
    comparisons: [list(Comparison), "Every pair of servers at every workload."],
    noise: [list(Noise), "Noise of a server, for the kind `noise`; empty otherwise."],
    changes: [
      nullable(Changes),
      "Changes from base to head, for the kind `versus`; null otherwise.",
    ],
  },
);
/** The report of a run. */
export interface Report extends Static<typeof Report> {}

export const DistributedReport = object(
  "DistributedReport",
  "Merged results of the k6 runners that shared a load on servers elsewhere.",
  {
    kind: [oneOf("distributed"), "Kind of report: k6 runners measured, and Stampede merged."],
    ...COMMON,
    server: [text, "Address of the server; several are separated by commas."],
    test: [text, "Hash of the script's requests."],
    users: [ordinal, "Maximum number of pending requests of all runners together."],
    runners: [ordinal, "Number of merged runners."],
    missing: [list(text), "Segments of the load without a runner."],
    leftOut: [list(LeftOut), "Files that were not merged."],
    slo: [Slo, "The SLO."],
    bucketError: [
      share,
      "Maximum distance of a value from the middle of its bucket: 0.0488 is 4.88 %.",
    ],
    scenarios: [list(DistributedScenario), "The results of each scenario."],
  },
);
export interface DistributedReport extends Static<typeof DistributedReport> {}

/** A report of any kind, as in its file. */
export type AnyReport = Report | DistributedReport;
