/** Kinds of work that servers are measured at, and what a right answer is. */

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
