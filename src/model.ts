/**
 * The central types: what is asked of a run, and raw, what it measured. What is derived from that lies
 * in findings.ts. Units stand in the names. What is unknown is null.
 */

/** One HTTP request. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
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
  /** Statements that one answer takes of the database; 0 if it needs none. */
  readonly queries: number;
  /** What is checked before the load; the first check sends `request` itself. */
  readonly checks: readonly Check[];
  /**
   * How the generator knows a right answer while it loads: `same`, the bytes that were verified
   * before; a regular expression that the whole body matches; by its status alone, `any`; or `stable`,
   * which is `same` if all answers were the same before the load, and else `any`.
   */
  readonly underLoad: "same" | "any" | "stable" | RegExp;
  /**
   * Throws a `Mismatch` unless a whole answer to `request` is right, as far as it can be told without
   * asking the database: what the witness checks while the load runs.
   */
  readonly expect: (answer: HttpAnswer, facts: Facts) => void;
  /** Connections, where the scenario needs a number of its own. */
  readonly connections: number | null;
  /** Seconds of warm-up, where servers need more than usual until their rate is steady. */
  readonly warmupS: number | null;
  /** Every `every`th request waits `waitS`, so that the answers come in waves. */
  readonly cycle: { readonly every: number; readonly waitS: number } | null;
  /** Whether it is measured where nobody names scenarios. */
  readonly isDefault: boolean;
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
  /** Why it is tuned, or what else a reader of its figures should know. */
  readonly why: string | null;
  /** Scenario ids with how each is implemented. */
  readonly scenarios: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whether WORKERS sets its processes or threads, or it has one always, or as many as it likes. */
  readonly workers: "configurable" | "one" | "unlimited";
  /** Whether no more of its threads run at a time than it has workers, however many there are. */
  readonly takesTurns: boolean;
  /** `minimal`: on raw sockets, asked for little of HTTP. */
  readonly http: "full" | "minimal";
  /** Checks that it need not pass, by their ids, each with the reason. */
  readonly exceptions: Readonly<Record<string, string>>;
  /** The folder of its sources, relative to its own. */
  readonly sources: string;
  readonly requires: readonly Requirement[];
  /** Commands that build the server, in order, in a copy of its sources. */
  readonly prepare: readonly (readonly string[])[];
  readonly start: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ready: { readonly path: string; readonly timeoutS: number };
  /** Where a server takes no more connections than this at once; null: as many as come. */
  readonly maxConnections: number | null;
  /** Seconds of load until its rate is steady, where that takes longer than usual. */
  readonly warmupS: number | null;
  /** Commands whose first line of output is a version, by what it is the version of. */
  readonly versions: Readonly<Record<string, readonly string[]>>;
  /** Absolute path of its manifest's folder, or once it is prepared of its build; commands run here. */
  readonly folder: string;
  /** Variables that it is started with, over those of the contract. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where it runs already, and as which process if that is known; null: it is to be started. */
  readonly attached: { readonly origin: string; readonly pid: number | null } | null;
}

/** A program that a server needs, and how to get it. */
export interface Requirement {
  /** Prints its version. */
  readonly command: readonly string[];
  /** What it is called, where the command does not say it. */
  readonly name?: string;
  readonly minimum: string;
  readonly install: string;
}

/** How hard a server is driven during one window. */
export interface Load {
  readonly connections: number;
  /** Processes that the load generator uses, which share the connections. */
  readonly shards: number;
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
  /** `scale`: only to see what more shards do to the rate; it counts for nothing else. */
  readonly purpose: "measure" | "scale";
  readonly round: number;
  readonly target: string;
  readonly scenario: string;
  readonly generator: string;
  readonly load: Load;
}

/** Latencies of one window, in microseconds; null is what the load generator does not tell. */
export interface Latency {
  readonly count: number;
  readonly meanUs: number | null;
  readonly minUs: number | null;
  readonly p50Us: number | null;
  readonly p90Us: number | null;
  readonly p99Us: number | null;
  readonly p999Us: number | null;
  readonly maxUs: number | null;
  /** The whole histogram, HdrHistogram V2, compressed, base64. */
  readonly histogram: string | null;
}

/** Raw: what a load generator saw in one window. */
export interface Measurement {
  /** Length of the window by a monotonic clock. */
  readonly durationS: number;
  /** Answers by status code, or by its class, `2xx`, where the generator tells no more. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers from the first request of the warm-up to the end of the load, whatever their status. */
  readonly allAnswers: number;
  readonly transportErrors: number;
  /** Null where the generator does not tell. */
  readonly timeouts: number | null;
  /** Answers whose body was looked at. */
  readonly checkedBodies: number;
  /** Of these, the wrong ones, and one of them. */
  readonly wrongAnswers: number;
  readonly wrongAnswer: string | null;
  /** Received, headers included; null where the generator does not tell. */
  readonly bytes: number | null;
  /** Connections opened while the window was open; null where the generator does not tell. */
  readonly connectionsOpened: number | null;
  /** Answers per second in each quarter of a second, in order; empty where nobody tells. */
  readonly slicesPerS: readonly number[];
  /** Service time: from sending a request to the last byte of its answer. */
  readonly latency: Latency | null;
}

/**
 * Raw: what the witness saw in one window: our own client that sends at fixed times, on a connection
 * of its own, and looks at whole answers.
 */
export interface WitnessRecord {
  readonly intervalMs: number;
  readonly durationS: number;
  /** Requests whose time came while the window was open. */
  readonly due: number;
  /** Answers with a 2xx status, all of them checked whole. */
  readonly answers: number;
  /** Answers from the start of the warm-up on, whatever they were. */
  readonly allAnswers: number;
  readonly wrongAnswers: number;
  readonly wrongAnswer: string | null;
  /** Transport errors and answers without a 2xx status, and the first of them. */
  readonly errors: number;
  readonly error: string | null;
  /**
   * Response time: from the intended sending; a request without an answer counts with its age. Null
   * where answers take too long for the pace: it would be the witness's own queue.
   */
  readonly latency: Latency | null;
  /** How late the witness itself was to see that a request was due, 99th percentile. */
  readonly sendLagP99Us: number | null;
  /** Why there was no witness; null if there was. */
  readonly absence: string | null;
}

/** Raw: what one program, with all its descendants, used during a window. */
export interface ProgramUsage {
  readonly userUs: number;
  readonly systemUs: number;
  /** Share of the window (0 to 1) that its busiest thread ran, and that this thread waited to run. */
  readonly busiestThread: number | null;
  readonly runQueueWait: number | null;
  /** How long all its threads together waited for a processor. */
  readonly waitedUs: number | null;
  /** Resident memory before its load, and at most since then; shared pages count in each process. */
  readonly idleRssBytes: number | null;
  readonly peakRssBytes: number | null;
}

/** Raw: what everybody who took part in a window used; null where it is not known. */
export interface Usage {
  /** Between the two readings. */
  readonly durationS: number;
  readonly server: ProgramUsage | null;
  readonly database: ProgramUsage | null;
  readonly generator: ProgramUsage | null;
  /** Shares of the machine's processor time, 0 to 1. */
  readonly machine: { readonly idle: number; readonly steal: number } | null;
}

/** Raw: what PostgreSQL did during a whole load, its warm-up included, by pg_stat_statements. */
export interface DatabaseWork {
  readonly statements: readonly { readonly query: string; readonly calls: number }[];
}

/** Raw: what the load generator reached against a server that answers canned bytes. */
export interface Ceiling {
  /** Request method, size of the answer, connections and shards, in words. */
  readonly shape: string;
  readonly answerBytes: number;
  readonly answersPerS: number;
  /** Shares of the window that the busiest thread of each ran; null where it is not known. */
  readonly generatorBusiest: number | null;
  readonly cannedBusiest: number | null;
}

/** Raw: everything that was measured in one window; null where it is not known. */
export interface WindowRecord {
  readonly measurement: Measurement;
  readonly usage: Usage | null;
  readonly witness: WitnessRecord;
  readonly database: DatabaseWork | null;
  readonly ceiling: Ceiling | null;
}

/** Raw: one start of a server. */
export interface LaunchRecord {
  readonly target: string;
  readonly round: number;
  /** From its spawning to its first right answer; null if that was not right, or nobody saw it. */
  readonly startUpS: number | null;
  /** Resident memory then. */
  readonly idleRssBytes: number | null;
}

/** Why there is no window. */
export interface TrialFailure {
  /** What failed: starting the server, an answer before the load, or the window. */
  readonly kind: "start" | "verification" | "window";
  readonly message: string;
  /** What the load generator printed, if that is what cannot be read. */
  readonly output: string | null;
}

/** Raw: one window, or why there is none. */
export interface TrialResult {
  readonly trial: Trial;
  readonly startedAt: string;
  readonly window: WindowRecord | null;
  readonly failure: TrialFailure | null;
}
