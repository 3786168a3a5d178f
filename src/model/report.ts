/** A run's report: what it was asked, on which machine, what it measured and what it found. */
import { BlockResult } from "./block.ts";
import { Capacity } from "./capacity.ts";
import { Changes, Comparison, GeneratorSummary, Noise, Result, ServerSummary } from "./derived.ts";
import { Scaling } from "./scaling.ts";
import { OpenCheck, OpenLoopResult } from "./open_loop_result.ts";
import { Distributed } from "./distributed.ts";
import { ExperimentRecord } from "./experiment.ts";
import { Profile } from "./profile.ts";
import { parts } from "./scenario.ts";
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
  record,
  type Static,
  text,
} from "./schema.ts";

export const Finding = object(
  "Finding",
  "One thing about a machine that matters for measuring on it.",
  {
    name: [text, "What it is about."],
    status: [
      oneOf("ok", "warn", "unknown"),
      "`warn`: it would blur what is measured. `unknown`: the system does not tell.",
    ],
    found: [text, "What was found."],
    advice: [nullable(text), "What to do about it; null if there is nothing to do."],
  },
);
export interface Finding extends Static<typeof Finding> {}

export const Host = object("Host", "The machine that a report comes from.", {
  os: [text, "Operating system, as Deno names it."],
  arch: [text, "Architecture, as Deno names it."],
  kernel: [text, "Release of the operating system's kernel."],
  cpuModel: [text, "Model of its processors; `unknown` if it does not tell."],
  cores: [ordinal, "Logical processors."],
  memoryBytes: [count, "Memory."],
  findings: [list(Finding), "What would spoil a measurement here, as `bench doctor` tells."],
});
export interface Host extends Static<typeof Host> {}

export const Pinning = object("Pinning", "Which processors each part was given.", {
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
  "What a scenario asks for, and what was verified before each of its windows.",
  {
    id: [text, "Its id."],
    title: [text, "What it is, in words."],
    method: [text, "The request's method."],
    path: [
      text,
      "The request's path with its query, without the query's values where they may be secrets.",
    ],
    hiddenPathSha256: [
      nullable(text),
      "Of the whole path, in hexadecimal, where values are left out; null where none is.",
    ],
    headerNames: [list(text), "Names of the request's headers; their values may be secrets."],
    bodySha256: [nullable(text), "Of the request's body, in hexadecimal; null if it has none."],
    queries: [amount, "Statements that one response takes of the database at least."],
    each: [
      nullable(parts),
      "What one response has many of, and how many; null: it is counted itself.",
    ],
    checks: [list(text), "The names of its checks."],
  },
);
export interface ScenarioSummary extends Static<typeof ScenarioSummary> {}

/** The format of reports that this version writes, and the only one that it reads. */
export const FORMAT = 1;

export const Report = object(
  "Report",
  "Everything that a run found, as it is written to its file.",
  {
    schemaVersion: [literal(FORMAT), "Version of this format."],
    id: [text, "Eight random characters."],
    createdAt: [instant, "When the run began, ISO 8601 in UTC."],
    program: [list(text), "What was typed before the arguments, such as deno task bench."],
    command: [list(text), "The whole command that made it, without secrets."],
    complete: [flag, "Whether the run came to the end of its plan, rather than being stopped."],
    tookS: [amount, "Seconds from the start of the run."],
    measuredS: [amount, "Of these, the seconds of measured windows."],
    host: [Host, "The machine."],
    commit: [
      nullable(Commit),
      "Of the folder that the run was started in; null where that is no git work tree.",
    ],
    versions: [
      record(text),
      "Versions of Stampede, Deno, PostgreSQL, the generator and the servers' own.",
    ],
    database: [nullable(text), "The database without its password; null if none was needed."],
    experiment: [ExperimentRecord, "What was asked for."],
    pinning: [nullable(Pinning), "Which processors each part was given; null: not pinned."],
    scenarios: [
      list(ScenarioSummary),
      "What was asked of servers, and verified before each window; empty in reports of bench import.",
    ],
    generators: [list(GeneratorSummary), "The load generators that drove the run."],
    servers: [list(ServerSummary), "Derived: every server that was asked for."],
    launches: [list(LaunchRecord), "Raw: every start of a server."],
    trialResults: [list(TrialResult), "Every window, in the order in which they were measured."],
    blocks: [list(BlockResult), "Raw: slices, in the order in which they were measured."],
    results: [list(Result), "Every server at every scenario."],
    openChecks: [
      list(OpenCheck),
      "Of the kinds `rate` and `capacity`, one for each rate that was checked; empty in any other report.",
    ],
    openLoopResults: [
      list(OpenLoopResult),
      "Of the kinds `rate` and `capacity`, how long users waited; empty in any other report.",
    ],
    capacities: [
      list(Capacity),
      "Of the kind `capacity`, the highest rates that meet its SLO; empty in any other report.",
    ],
    profiles: [
      list(Profile),
      "Where servers spent their time, if that was asked for; empty in any other report.",
    ],
    scaling: [
      list(Scaling),
      "Of the kind `scaling`, what more workers do; empty in any other report.",
    ],
    comparisons: [list(Comparison), "Every pair of servers at every scenario."],
    noise: [list(Noise), "Of the kind `noise`; empty in any other report."],
    changes: [
      nullable(Changes),
      "Of the kind `versus`, from its base to its head; null in any other report.",
    ],
    distributed: [
      nullable(Distributed),
      "Of the kind `distributed`, what several load generators found; null in any other report.",
    ],
  },
);
export interface Report extends Static<typeof Report> {}
