/** The schema of those properties of a scenario that can be stored as JSON. */

import { MOST } from "./limits.ts";
import type { ScenarioData } from "./scenario.ts";
import * as s from "./schema.ts";

/** A path with its query. It is percent-encoded except for visible ASCII. */
export const requestPath = s.matching(/^\/[!-~]*$/);

/** A header's name: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A header's value in Latin-1: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
export const HEADER_VALUE = /^[\t -~\x80-\xff]*$/;

const request = s.object("One HTTP request.", {
  method: s.oneOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS").is("The method."),
  path: requestPath.is("Path with its query, percent-encoded."),
  headers: s.record(s.matching(HEADER_VALUE), { propertyNames: { pattern: HEADER_NAME.source } })
    .is("Headers by name."),
  body: s.text.orNull("The body; null without one."),
});

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

export const each: s.Property<ScenarioData["each"]> = parts.orNull(
  "The items in one response, and their number; null if responses are counted.",
);

export const SCENARIO: s.Type<ScenarioData> = s.object(
  "The serialisable properties of a scenario.",
  {
    id: s.matching(/^[\w./-]+$/).is("Its id."),
    title: s.text.is("Title."),
    request: request.is("The request that the load generator repeats."),
    queries: s.amount.is(
      "Minimum number of database statements of one response; 0 without a database.",
    ),
    moreQueries: s.count.is("Number of further statements that one response may take."),
    writes: s.count.is("Rows that one response changes; rows drawn twice count once."),
    readsAhead: s.flag.is("Whether servers read the database before they answer."),
    protocol: s.oneOf("http", "websocket").is("Protocol over a connection."),
    pipelined: s.ordinal.is("Requests sent at once on each connection; 1 means no pipelining."),
    each,
    connections: s.upTo(MOST.connections, s.ordinal).orNull(
      "Number of connections, if the scenario needs a certain number.",
    ),
    warmupS: s.upTo(MOST.warmupS, s.amount).orNull(
      "Warm-up in seconds, if servers need more than the default until their rate is steady.",
    ),
    cycle: cycle.orNull("The waves of its responses; null without waves."),
    isDefault: s.flag.is("Whether it is measured if the user names no scenario."),
  },
);
