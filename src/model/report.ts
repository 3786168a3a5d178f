/** The kinds of reports, and the summaries of runs in the index of `results/`. */
import { BlockResult } from "./block.ts";
import { CostAbsence, CostRecord } from "./costs.ts";
import { CountAbsence, CountRecord } from "./counts.ts";
import {
  Capacity,
  Changes,
  Comparison,
  GeneratorSummary,
  Noise,
  OpenCheck,
  OpenLoopResult,
  Result,
  type ResultKey,
  Scaling,
  ServerSummary,
} from "./derived.ts";
import { DistributedScenario, LeftOut } from "./distributed.ts";
import type { MedianWithInterval } from "./estimate.ts";
import { type ExperimentKind, ExperimentRecord, Slo } from "./experiment.ts";
import { Profile, SelfTimes } from "./profile.ts";
import { LaunchRecord, TrialResult } from "./raw.ts";
import { each } from "./scenario_schema.ts";
import * as s from "./schema.ts";
import type { Alpn } from "./server.ts";

export class Finding extends s.object("A property of a machine that affects measurements.", {
  name: s.text.is("Its name."),
  status: s.oneOf("ok", "warn", "unknown").is(
    "`warn`: it makes measurements less precise. `unknown`: the system does not report it.",
  ),
  found: s.text.is("Its value."),
  advice: s.text.orNull("Advice; null without any."),
}) {}

export class Host extends s.object("The machine that a report comes from.", {
  os: s.text.is("Operating system, as Deno names it."),
  arch: s.text.is("Architecture, as Deno names it."),
  kernel: s.text.is("Release of the operating system's kernel."),
  cpuModel: s.text.is(
    "Processor model, in a virtual machine with family, model and stepping, because its name may be that of several generations; `unknown` if the system does not report it.",
  ),
  cores: s.ordinal.is("Logical processors."),
  memoryBytes: s.count.is("Memory."),
  findings: s.list(Finding).is("Findings of `stampede doctor` about this machine."),
}) {}

export class Pinning extends s.object("The processors of each component.", {
  server: s.list(s.count).is("Processors of the server."),
  database: s.list(s.count).orNull("Processors of PostgreSQL; null without one."),
  generator: s.list(s.count).is("Processors of the load generator."),
}) {}

class Commit extends s.object("The state of a git work tree.", {
  id: s.text.is("Its commit, in hexadecimal."),
  isDirty: s.flag.is("Whether files that git tracks were changed since."),
}) {}

export class ScenarioSummary
  extends s.object("A scenario's request, and its checks before each window.", {
    id: s.text.is("Its id."),
    title: s.text.is("Title."),
    method: s.text.is("The request's method."),
    path: s.text.is("The request's path with its query; values that may be secret are left out."),
    hiddenPathSha256: s.text.orNull(
      "SHA-256 of the complete path in hexadecimal, if values are left out; null otherwise.",
    ),
    headerNames: s.list(s.text).is("Names of the request's headers; their values may be secrets."),
    bodySha256: s.text.orNull("SHA-256 of the request's body in hexadecimal; null without a body."),
    queries: s.amount.is("Minimum number of database statements of one response."),
    each,
    checks: s.list(s.text).is("Names of its checks."),
  }) {}

/** Format of reports. This version of Stampede writes this format and reads no other. */
export const FORMAT = 1;

/** Properties of every kind of report. */
const COMMON = {
  schemaVersion: s.literal(FORMAT).is("Version of this format."),
  id: s.text.is("Eight random characters."),
  createdAt: s.instant.is("Start time of the load, ISO 8601 in UTC."),
  program: s.list(s.text).is(
    "The program, as typed before the arguments, such as deno task bench.",
  ),
  command: s.list(s.text).is("The complete command, without secrets."),
  complete: s.flag.is("Whether the load was measured as planned: to its end, and by all runners."),
  tookS: s.amount.is("Duration of the measurement, in seconds."),
  versions: s.record(s.text).is(
    "Versions of Stampede and Deno; of a run also of PostgreSQL, the load generators and the servers.",
  ),
};

export class RunPart extends s.object("A part of a run that was resumed.", {
  createdAt: s.instant.is("Start time of the load, ISO 8601 in UTC."),
  command: s.list(s.text).is("The complete command, without secrets."),
  tookS: s.amount.is("Duration of the measurement, in seconds."),
}) {}

/** The report of a run. */
export class Report extends s.object(
  "Everything that a run found: its settings, machine, measurements and results.",
  {
    kind: s.oneOf("run").is("Kind of report: an experiment that Stampede measured."),
    ...COMMON,
    parts: s.list(RunPart).is(
      "The parts of a run that was resumed, the last one included; `tookS` is their sum. Empty for a run in one part.",
    ),
    measuredS: s.amount.is("Total duration of the measured windows and slices, in seconds."),
    host: Host.is("The machine."),
    commit: Commit.orNull(
      "Commit of the folder in which the run was started; null outside a git work tree.",
    ),
    database: s.text.orNull("The database without its password; null if none was needed."),
    experiment: ExperimentRecord.is("The experiment."),
    pinning: Pinning.orNull("The processors of each component; null without pinning."),
    scenarios: s.list(ScenarioSummary).is("The scenarios."),
    generators: s.list(GeneratorSummary).is("The load generators that drove the run."),
    servers: s.list(ServerSummary).is("Derived: every requested server."),
    launches: s.list(LaunchRecord).is("Raw: every start of a server."),
    trialResults: s.list(TrialResult).is("Every window, in the order of measurement."),
    blocks: s.list(BlockResult).is("Raw: slices, in the order of measurement."),
    results: s.list(Result).is("Every server at every workload."),
    openChecks: s.list(OpenCheck).is(
      "Checks of the open loop, one for each rate, for the kinds `rate` and `capacity`; empty otherwise.",
    ),
    openLoopResults: s.list(OpenLoopResult).is(
      "Response times, for the kinds `rate` and `capacity`; empty otherwise.",
    ),
    capacities: s.list(Capacity).is(
      "Highest rates that meet the SLO, for the kind `capacity`; empty otherwise.",
    ),
    costs: s.list(CostRecord).is(
      "Raw: costs apart from responses, for the kind `versus`; empty otherwise.",
    ),
    costAbsences: s.list(CostAbsence).is("The missing costs, with reasons."),
    counts: s.list(CountRecord).is(
      "Raw: counts for each request and connection, for the kind `versus`; empty otherwise.",
    ),
    countAbsences: s.list(CountAbsence).is("The missing counts, with reasons."),
    selfTimes: s.list(SelfTimes).is(
      "Raw: the times of functions, where base and head were profiled to compare them; empty otherwise.",
    ),
    profiles: s.list(Profile).is("CPU profiles of servers, if requested; empty otherwise."),
    scaling: s.list(Scaling).is("Effect of more workers, for the kind `scaling`; empty otherwise."),
    comparisons: s.list(Comparison).is("Every pair of servers at every workload."),
    noise: s.list(Noise).is("Noise of a server, for the kind `noise`; empty otherwise."),
    changes: Changes.orNull(
      "Changes from base to head for the kind `versus`, and from each release to the next for `releases`; null otherwise.",
    ),
  },
) {}

export class DistributedReport
  extends s.object("Merged results of the k6 runners that shared a load on servers elsewhere.", {
    kind: s.oneOf("distributed").is("Kind of report: k6 runners measured, and Stampede merged."),
    ...COMMON,
    server: s.text.is("Address of the server; several are separated by commas."),
    test: s.text.is("Hash of the script's requests."),
    users: s.ordinal.is("Maximum number of pending requests of all runners together."),
    runners: s.ordinal.is("Number of merged runners."),
    missing: s.list(s.text).is("Segments of the load without a runner."),
    leftOut: s.list(LeftOut).is("Files that were not merged."),
    slo: Slo.is("The SLO."),
    bucketError: s.share.is(
      "Maximum distance of a value from the middle of its bucket: 0.0488 is 4.88 %.",
    ),
    scenarios: s.list(DistributedScenario).is("The results of each scenario."),
  }) {}

/** A report of any kind, as in its file. */
export type AnyReport = Report | DistributedReport;

/** Summary of one run. */
export interface IndexEntry extends Pick<Report, "createdAt" | "commit" | "complete"> {
  /** Name of the run's report in `results/`. */
  readonly file: string;
  readonly kind: ExperimentKind | DistributedReport["kind"];
  /** Whether the run still measures, so that its figures are not final. */
  readonly isUnderWay?: boolean;
  /** Protocol over TLS, HTTP/1.1 or HTTP/2; null without TLS. */
  readonly tls: Alpn | null;
  /** Number and model of the processors: `4 x AMD EPYC 7763`; null for merged runners. */
  readonly machine: string | null;
  /** Label of the reference server and version of Deno; null without a reference server. */
  readonly reference: string | null;
  /** Whether it has costs, such as memory. A run may have nothing else. */
  readonly hasCosts: boolean;
  readonly results: readonly IndexedResult[];
}

/** Summary of one result of a run. */
export interface IndexedResult
  extends ResultKey, Pick<Result, "isLowerBound" | "isTakenOver" | "rounds"> {
  readonly requestsPerS: MedianWithInterval | null;
  readonly serverCpuUs: MedianWithInterval | null;
  readonly relativeCpu: MedianWithInterval | null;
}
