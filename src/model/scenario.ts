/** Kinds of work that servers are measured at, and what a right answer is. */

import {
  amount,
  count,
  flag,
  matching,
  nullable,
  object,
  oneOf,
  ordinal,
  positive,
  properties,
  record,
  type Static,
  text,
  unnamed,
} from "./schema.ts";

export const HttpRequest = object("HttpRequest", "One HTTP request.", {
  method: [
    oneOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
    "The method.",
  ],
  path: [text, "Path with its query."],
  headers: [record(text), "By their names."],
  body: [nullable(text), "Null: none."],
});
export interface HttpRequest extends Static<typeof HttpRequest> {}

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

const cycle = unnamed("Every so many requests, one waits, so that the answers come in waves.", {
  every: [ordinal, "How many requests that is."],
  waitS: [positive, "How long that one waits."],
});

/** What of a scenario is data. */
export const scenarioData = properties({
  id: [matching(/^[\w./-]+$/), "Its id."],
  title: [text, "What it is, in words."],
  request: [HttpRequest, "What the load generator sends, over and over."],
  queries: [count, "Statements that one answer takes of the database; 0 if it needs none."],
  connections: [nullable(ordinal), "Connections, where the scenario needs a number of its own."],
  warmupS: [
    nullable(amount),
    "Seconds of warm-up, where servers need more than usual until their rate is steady.",
  ],
  cycle: [nullable(cycle), "The waves that its answers come in; null: none."],
  isDefault: [flag, "Whether it is measured where no scenario is named."],
});
export const ScenarioData = unnamed("What of a scenario is data.", scenarioData);

/** A kind of work that servers are measured at. */
export interface Scenario extends Static<typeof ScenarioData> {
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
}
