/** Kinds of work that servers are measured at, and what a right response is. */

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
  type Schema,
  type Static,
  text,
  unnamed,
  upTo,
} from "./schema.ts";
import { LONGEST_WAIT_S, LONGEST_WARMUP_S, MOST_CONNECTIONS } from "./limits.ts";

/** A path with its query, as it travels: all but visible ASCII is percent-encoded. */
export const requestPath: Schema<string> = matching(/^\/[!-~]*$/);

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters of Latin-1, blanks and tabs: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
export const HEADER_VALUE = /^[\t -~\x80-\xff]*$/;

export const HttpRequest = object("HttpRequest", "One HTTP request.", {
  method: [
    oneOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
    "The method.",
  ],
  path: [requestPath, "Path with its query, percent-encoded."],
  headers: [
    record(matching(HEADER_VALUE), { propertyNames: { pattern: HEADER_NAME.source } }),
    "By their names.",
  ],
  body: [nullable(text), "Null: none."],
});
export interface HttpRequest extends Static<typeof HttpRequest> {}

/** One HTTP response, read whole. */
export interface HttpResponse {
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

/** One thing that a right server does: `run` throws a `Mismatch` if it does not. `client` trusts it over TLS. */
export interface Check {
  readonly name: string;
  run(
    ask: (request: HttpRequest) => Promise<HttpResponse>,
    facts: Facts,
    origin: string,
    client?: Deno.HttpClient,
  ): Promise<void>;
}

const cycle = unnamed("Every so many requests, one waits, so that the responses come in waves.", {
  every: [ordinal, "How many requests that is."],
  waitS: [upTo(LONGEST_WAIT_S, positive), "How long that one waits."],
});

const protocol = oneOf("http", "websocket");
/** What is spoken over a connection: requests of HTTP, or messages that are to come back as they are. */
export type Protocol = Static<typeof protocol>;

export const parts = unnamed("What one response has many of.", {
  count: [ordinal, "How many."],
  name: [text, "Of what, such as events."],
});

/** What of a scenario is data. */
export const scenarioData = properties({
  id: [matching(/^[\w./-]+$/), "Its id."],
  title: [text, "What it is, in words."],
  request: [HttpRequest, "What the load generator sends, over and over."],
  queries: [
    amount,
    "Statements that one response takes of the database at least; 0 if it needs none.",
  ],
  moreQueries: [count, "Statements more that it may take."],
  writes: [count, "Rows that one response changes, but for those that it draws twice."],
  readsAhead: [flag, "Whether servers read the database before they answer."],
  protocol: [protocol, "What is spoken over a connection."],
  pipelined: [
    ordinal,
    "Requests that are sent at once on each connection; 1: one after the other.",
  ],
  each: [
    nullable(parts),
    "What one response has many of, and how many; null: it is counted itself.",
  ],
  connections: [
    nullable(upTo(MOST_CONNECTIONS, ordinal)),
    "Connections, where the scenario needs a number of its own.",
  ],
  warmupS: [
    nullable(upTo(LONGEST_WARMUP_S, amount)),
    "Seconds of warm-up, where servers need more than usual until their rate is steady.",
  ],
  cycle: [nullable(cycle), "The waves that its responses come in; null: none."],
  isDefault: [flag, "Whether it is measured where no scenario is named."],
});
export const ScenarioData = unnamed("What of a scenario is data.", scenarioData);

/** Whether servers need the database for a scenario. */
export function needsDatabase(
  { queries, readsAhead }: Pick<Static<typeof ScenarioData>, "queries" | "readsAhead">,
): boolean {
  return queries > 0 || readsAhead;
}

/** How the id of a scenario ends that does the work of another on the thread that answers. */
export const INLINE = "-inline";

/** A kind of work that servers are measured at. */
export interface Scenario extends Static<typeof ScenarioData> {
  /** What is checked before the load; the first check sends `request` itself. */
  readonly checks: readonly Check[];
  /**
   * How the generator knows a right response while it loads: `same`, the bytes that were verified
   * before; a regular expression that the whole body matches; by its status alone, `any`; or `stable`,
   * which is `same` if all responses were the same before the load, and else `any`.
   */
  readonly underLoad: "same" | "any" | "stable" | RegExp;
  /**
   * Throws a `Mismatch` unless a whole response to `request` is right, as far as it can be told without
   * asking the database: what the probe checks while the load runs.
   */
  readonly expect: (response: HttpResponse, facts: Facts) => void;
  /** Kinds of requests that are sent in turn in place of `request`, each as often as its weight says. */
  readonly mix?: readonly { readonly scenario: Scenario; readonly weight: number }[];
  /** What else the server is asked meanwhile, in a closed loop: it is measured at a rate then. */
  readonly beside?: {
    readonly scenario: Scenario;
    readonly connections: number;
    /** Requests of this scenario a second, where nothing else is said. */
    readonly perS: number;
  };
}
