/**
 * The central types. Raw (what was measured), derived (what was computed from it) and rendered (text)
 * are kept apart; this file holds the first two. Units stand in the names. What is unknown is null.
 */

/** One HTTP request. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** One HTTP answer, read whole. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a check may ask of the world besides the server: what is true. */
export interface Facts {
  /** The file that `/delay` answers. */
  readonly helloHtml: string;
  /** Rows of a query on the servers' database. */
  rows(sql: string, values?: readonly unknown[]): Promise<readonly unknown[]>;
}

/** One thing that a right server does: `run` throws a `Mismatch` if it does not. */
export interface Check {
  readonly name: string;
  run(ask: (request: HttpRequest) => Promise<HttpAnswer>, facts: Facts): Promise<void>;
}

/** A kind of work that servers are measured at. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What the load generator sends, over and over. */
  readonly request: HttpRequest;
  /** Whether the servers need a database for it. */
  readonly usesDatabase: boolean;
  /** What is checked before the load; the first check sends `request` itself. */
  readonly checks: readonly Check[];
  /**
   * How the generator knows a right answer while it loads: `same`, the bytes that were verified
   * before, or a regular expression that the whole body matches.
   */
  readonly underLoad: "same" | RegExp;
  /** Connections, where the scenario needs a number of its own. */
  readonly connections: number | null;
  /** Every `every`th request waits `waitS`, so that the answers come in waves. */
  readonly cycle: { readonly every: number; readonly waitS: number } | null;
}

/** A server's manifest, as in `server.json`, with the folder that it lies in. */
export interface Target {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly framework: string | null;
  /** The id of the server whose runtime or library this one is built on. */
  readonly basedOn: string | null;
  readonly approach: "idiomatic" | "tuned";
  /** Scenario ids with how each is implemented. */
  readonly scenarios: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly requires: readonly Requirement[];
  /** Commands that build the server, in order. */
  readonly prepare: readonly (readonly string[])[];
  readonly start: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ready: { readonly path: string; readonly timeoutS: number };
  /** Commands whose first line of output is a version, by what it is the version of. */
  readonly versions: Readonly<Record<string, readonly string[]>>;
  /** Absolute path; commands run here. */
  readonly folder: string;
}

/** A program that a server needs, and how to get it. */
export interface Requirement {
  /** Prints its version. */
  readonly command: readonly string[];
  readonly minimum: string;
  readonly install: string;
}

/** How hard a server is driven during one window. */
export interface Load {
  readonly connections: number;
  readonly warmupS: number;
  /** Length of the window, or with `answers` about that. */
  readonly durationS: number;
  /** The window ends with this many answers, whole cycles of the scenario; null: by time alone. */
  readonly answers: number | null;
  /** How long one answer may take. */
  readonly timeoutS: number;
}

/** One window to be measured, with its place in the run. */
export interface Trial {
  readonly index: number;
  readonly round: number;
  readonly target: string;
  readonly scenario: string;
  readonly generator: string;
  readonly load: Load;
}

/** Latency of the answers of one window, from the sending of the request; microseconds. */
export interface Latency {
  readonly count: number;
  readonly meanUs: number;
  readonly minUs: number;
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly maxUs: number;
  /** The whole histogram, HdrHistogram V2, compressed, base64. */
  readonly histogram: string;
}

/** Raw: what a load generator saw in one window. */
export interface Measurement {
  /** Length of the window by a monotonic clock. */
  readonly durationS: number;
  /** Answers by status code. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly transportErrors: number;
  readonly timeouts: number;
  /** Answers whose body was wrong, and one of them. */
  readonly wrongAnswers: number;
  readonly wrongAnswer: string | null;
  /** Received, headers included. */
  readonly bytes: number;
  readonly latency: Latency | null;
}

/** Processor time. */
export interface CpuTime {
  readonly userUs: number;
  readonly systemUs: number;
}

/** Raw: processor time of everybody who took part in a window; null where it is not known. */
export interface Usage {
  readonly server: CpuTime | null;
  readonly database: CpuTime | null;
  readonly generator: CpuTime | null;
}

/** Raw: one window, or why there is none. */
export interface TrialResult {
  readonly trial: Trial;
  readonly startedAt: string;
  readonly measurement: Measurement | null;
  readonly usage: Usage | null;
  readonly failure: { readonly kind: "verification" | "window"; readonly message: string } | null;
}

/** A median over rounds. */
export interface Estimate {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Ends that cover the true median with the given probability; null for too few rounds. */
  readonly interval:
    | { readonly low: number; readonly high: number; readonly coverage: number }
    | null;
}

/** Derived: all rounds of one server at one scenario. */
export interface Cell {
  readonly target: string;
  readonly scenario: string;
  readonly status: "ok" | "invalid" | "failed";
  /** Why there is no rate, or why rounds are missing; null if nothing is. */
  readonly reason: string | null;
  readonly rounds: number;
  readonly failedRounds: number;
  /** Answers with a 2xx status per second of the window, over the rounds. */
  readonly requestsPerS: Estimate | null;
  /** The server's processor time for each answer, over the rounds; null where it is not known. */
  readonly serverCpuUs: Estimate | null;
  /** Median over the rounds of each round's percentile. */
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly answers: number;
  readonly errors: {
    readonly transport: number;
    readonly timeout: number;
    readonly non2xx: number;
  };
}

/** The machine that a report comes from. */
export interface Host {
  readonly os: string;
  readonly arch: string;
  readonly kernel: string;
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
}

/** What a run was asked to do. */
export interface RunConfig {
  readonly targets: readonly string[];
  readonly scenarios: readonly string[];
  readonly generator: string;
  /** What the person asked for; null leaves it to the scenario, or else to the default. */
  readonly connections: number | null;
  readonly defaultConnections: number;
  readonly durationS: number;
  readonly warmupS: number;
  readonly rounds: number;
  readonly seed: number;
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
  readonly host: Host;
  /** Versions of Stampede, Deno, PostgreSQL, the generator and the servers' own. */
  readonly versions: Readonly<Record<string, string>>;
  readonly database: string | null;
  readonly config: RunConfig;
  readonly results: readonly TrialResult[];
  readonly cells: readonly Cell[];
}
