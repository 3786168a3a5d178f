/** Scenarios: kinds of requests, each with the check of its response. */
import { MOST } from "./limits.ts";
import * as s from "./schema.ts";

/** A path with its query. It is percent-encoded except for visible ASCII. */
export const requestPath = s.matching(/^\/[!-~]*$/);

/** A header's name: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A header's value in Latin-1: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
export const HEADER_VALUE = /^[\t -~\x80-\xff]*$/;

export class HttpRequest extends s.object("One HTTP request.", {
  method: s.oneOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS").is("The method."),
  path: requestPath.is("Path with its query, percent-encoded."),
  headers: s.record(s.matching(HEADER_VALUE), { propertyNames: { pattern: HEADER_NAME.source } })
    .is("Headers by name."),
  body: s.text.orNull("The body; null without one."),
}) {}

/** One HTTP response with its complete body. */
export type HttpResponse = Readonly<{ status: number; headers: Headers; text: string }>;

/** Facts with which checks compare responses. */
export interface Facts {
  /** Content of the file that `/delay` returns. */
  readonly helloHtml: string;
  /** Queries the servers' database and returns the rows. */
  rows(sql: string, values?: readonly unknown[]): Promise<readonly unknown[]>;
}

/** A check. `run` throws a `Mismatch` if it fails. `client` trusts the run's TLS certificate. */
export interface Check {
  readonly name: string;
  run(
    ask: (request: HttpRequest) => Promise<HttpResponse>,
    facts: Facts,
    origin: string,
    client?: Deno.HttpClient,
  ): Promise<void>;
}

const cycle = s.object(
  "Periodic waits: one of every few requests waits, so responses come in waves.",
  {
    every: s.ordinal.is("Number of requests in a period."),
    waitS: s.upTo(MOST.waitS, s.positive).is("Duration of the wait, in seconds."),
  },
);

const parts = s.object("The items in one response.", {
  count: s.ordinal.is("Their number."),
  name: s.text.is("Their name, such as events."),
});

/** The properties of a scenario that can be stored as JSON. */
export const scenarioData = {
  id: s.matching(/^[\w./-]+$/).is("Its id."),
  title: s.text.is("Title."),
  request: HttpRequest.is("The request that the load generator repeats."),
  queries: s.amount.is(
    "Minimum number of database statements of one response; 0 without a database.",
  ),
  moreQueries: s.count.is("Number of further statements that one response may take."),
  writes: s.count.is("Rows that one response changes; rows drawn twice count once."),
  readsAhead: s.flag.is("Whether servers read the database before they answer."),
  protocol: s.oneOf("http", "websocket").is("Protocol over a connection."),
  pipelined: s.ordinal.is("Requests sent at once on each connection; 1 means no pipelining."),
  each: parts.orNull("The items in one response, and their number; null if responses are counted."),
  connections: s.upTo(MOST.connections, s.ordinal).orNull(
    "Number of connections, if the scenario needs a certain number.",
  ),
  warmupS: s.upTo(MOST.warmupS, s.amount).orNull(
    "Warm-up in seconds, if servers need more than the default until their rate is steady.",
  ),
  cycle: cycle.orNull("The waves of its responses; null without waves."),
  isDefault: s.flag.is("Whether it is measured if the user names no scenario."),
};
const ScenarioData = s.object("The serialisable properties of a scenario.", scenarioData);

/** Suffix of the ids of scenarios in which servers compute on the thread that also sends responses. */
export const INLINE = "-inline";

/** One kind of request with the check of its response. */
export interface Scenario extends s.Static<typeof ScenarioData> {
  /** Checks that run before the load. The first one sends `request`. */
  readonly checks: readonly Check[];
  /**
   * How the load generator recognises a right response.
   * - `same`: its bytes equal those of the verified response.
   * - A regular expression: it matches the whole body.
   * - `any`: only the status counts.
   * - `stable`: `same` if all responses before the load were equal, otherwise `any`.
   */
  readonly underLoad: "same" | "any" | "stable" | RegExp;
  /** Checks a complete response during the load, without a query. Throws a `Mismatch` if it is wrong. */
  readonly expect: (response: HttpResponse, facts: Facts) => void;
  /** Scenarios with requests that replace `request`, in turn and in proportion to their weights. */
  readonly mix?: readonly { readonly scenario: Scenario; readonly weight: number }[];
  /**
   * A second load during the measurement: another scenario in a closed loop. The scenario itself then runs in
   * an open loop, by default at `perS` requests per second.
   */
  readonly beside?: Readonly<{ scenario: Scenario; connections: number; perS: number }>;
}

/** Returns whether servers need the database for a scenario. */
export function needsDatabase(scenario: Pick<Scenario, "queries" | "readsAhead">): boolean {
  return scenario.queries > 0 || scenario.readsAhead;
}
