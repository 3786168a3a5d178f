/** A run's report: what it was asked, on which machine, what it measured and what it found. */
import type { Cell, Comparison, GeneratorSummary, Noise, ServerSummary } from "./derived.ts";
import type { LaunchRecord, TrialResult } from "./raw.ts";

/** One thing about a machine that matters for measuring on it. */
export interface Finding {
  readonly name: string;
  readonly status: "ok" | "warn" | "unknown";
  readonly found: string;
  /** What to do about it; null if there is nothing to do. */
  readonly advice: string | null;
}

/** The machine that a report comes from. */
export interface Host {
  readonly os: string;
  readonly arch: string;
  readonly kernel: string;
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** What would spoil a measurement here, as `bench doctor` tells. */
  readonly findings: readonly Finding[];
}

/** Which processors each part was given. */
export interface Pinning {
  readonly server: readonly number[];
  readonly database: readonly number[] | null;
  readonly generator: readonly number[];
}

/** The state of a git work tree. */
export interface Commit {
  readonly id: string;
  /** Whether files that git tracks were changed since. */
  readonly isDirty: boolean;
}

/** What a scenario asks for, and what was verified before each of its windows. */
export interface ScenarioSummary {
  readonly id: string;
  readonly title: string;
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Names alone, since values may be secrets. */
  readonly headerNames: readonly string[];
  /** Of the request's body, in hexadecimal; null if it has none. */
  readonly bodySha256: string | null;
  /** Statements that one answer takes of the database. */
  readonly queries: number;
  /** The names of its checks. */
  readonly checks: readonly string[];
}

/** What a run was asked to do. */
export interface RunConfig {
  readonly targets: readonly string[];
  readonly scenarios: readonly string[];
  readonly generator: string;
  readonly shards: number;
  /** Each of them is measured. Null leaves them to the scenario, or else to the default. */
  readonly connections: readonly number[] | null;
  readonly defaultConnections: number;
  readonly durationS: number;
  /** Requests with which a window ends; null: by time, or as the scenario needs. */
  readonly requests: number | null;
  /** How long one answer may take. */
  readonly timeoutS: number;
  /** Null leaves it to the scenario, or else to the default. */
  readonly warmupS: number | null;
  readonly defaultWarmupS: number;
  /** Rounds that every server and scenario gets. */
  readonly rounds: number;
  /** Rounds that are added at most, up to this number, where intervals are wider than `width`. */
  readonly maxRounds: number;
  /** Half an interval's width over the median, at which no round is added any more. */
  readonly width: number;
  /** Seconds that added rounds may take altogether. */
  readonly budgetS: number;
  readonly seed: number;
  /** Null: not pinned. */
  readonly pinning: Pinning | null;
  /** Processes or scheduler threads of the servers that can be told. */
  readonly workers: number;
  /** Variables of the contract that every server is given, beside its address and the database. */
  readonly serverEnv: Readonly<Record<string, string>>;
}

/** Everything that a run found, as it is written to its file. */
export interface Report {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly createdAt: string;
  readonly command: readonly string[];
  /** Whether the run came to the end of its plan, rather than being stopped. */
  readonly complete: boolean;
  /** Seconds from the start of the run, and how much of it was measured windows. */
  readonly tookS: number;
  readonly measuredS: number;
  readonly host: Host;
  /** Of the folder that the run was started in; null where that is no git work tree. */
  readonly commit: Commit | null;
  /** Versions of Stampede, Deno, PostgreSQL, the generator and the servers' own. */
  readonly versions: Readonly<Record<string, string>>;
  readonly database: string | null;
  readonly config: RunConfig;
  /** Empty in files of Stampede 0.1 before this was recorded. */
  readonly scenarios: readonly ScenarioSummary[];
  readonly generators: readonly GeneratorSummary[];
  readonly servers: readonly ServerSummary[];
  readonly launches: readonly LaunchRecord[];
  readonly results: readonly TrialResult[];
  readonly cells: readonly Cell[];
  readonly comparisons: readonly Comparison[];
  /** Of `bench noise`; empty in any other report. */
  readonly noise: readonly Noise[];
}
