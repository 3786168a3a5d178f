/** The central types: what is asked of a run. Units stand in the names. What is unknown is null. */

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
