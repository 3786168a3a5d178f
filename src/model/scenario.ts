/** Scenarios: kinds of requests, each with the check of its response. */

/** One HTTP request. */
export interface HttpRequest {
  /** The method. */
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** Path with its query, percent-encoded. */
  readonly path: string;
  /** Headers by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; null without one. */
  readonly body: string | null;
}

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

/** The properties of a scenario that can be stored as JSON (src/model/scenario_schema.ts). */
export interface ScenarioData {
  readonly id: string;
  readonly title: string;
  /** The request that the load generator repeats. */
  readonly request: HttpRequest;
  /** Minimum number of database statements of one response; 0 without a database. */
  readonly queries: number;
  /** Number of further statements that one response may take. */
  readonly moreQueries: number;
  /** Rows that one response changes; rows drawn twice count once. */
  readonly writes: number;
  /** Whether servers read the database before they answer. */
  readonly readsAhead: boolean;
  /** Protocol over a connection. */
  readonly protocol: "http" | "websocket";
  /** Requests sent at once on each connection; 1 means no pipelining. */
  readonly pipelined: number;
  /** The items in one response, such as `events`, and their number; null if responses are counted. */
  readonly each: { readonly count: number; readonly name: string } | null;
  /** Number of connections, if the scenario needs a certain number. */
  readonly connections: number | null;
  /** Warm-up in seconds, if servers need more than the default until their rate is steady. */
  readonly warmupS: number | null;
  /** Periodic waits: one of every few requests waits, so responses come in waves; null without. */
  readonly cycle: { readonly every: number; readonly waitS: number } | null;
  /** Whether it is measured if the user names no scenario. */
  readonly isDefault: boolean;
}

/** Suffix of the ids of scenarios in which servers compute on the thread that also sends responses. */
export const INLINE = "-inline";

/** One kind of request with the check of its response. */
export interface Scenario extends ScenarioData {
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

/** Returns whether a scenario pipelines, mixes requests, or sends WebSocket messages. Few load generators can. */
export function isSpecial(
  { protocol = "http", pipelined = 1, mix }: Partial<
    Pick<Scenario, "protocol" | "pipelined" | "mix">
  >,
): boolean {
  return protocol !== "http" || pipelined > 1 || mix !== undefined;
}
