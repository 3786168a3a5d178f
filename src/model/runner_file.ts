/** What one of several load generators writes, to be merged with what the others do. */
import { Slo } from "./slo.ts";
import {
  count,
  instant,
  list,
  literal,
  matching,
  object,
  oneOf,
  ordinal,
  positive,
  record,
  type Schema,
  type Static,
  text,
  upTo,
} from "./schema.ts";

/** What a runner's output says that it is. */
export const RUNNER_FORMAT = "stampede-runner";
/** Version of what it writes. */
export const RUNNER_VERSION = 1;
/** More than any runner does, and few enough that sums of many stay whole numbers. */
const MOST = 1e12;

/** A day, in seconds. */
const LONGEST_S = 86_400;

const tally: Schema<number> = upTo(MOST, count);
const length: Schema<number> = { ...upTo(LONGEST_S, positive), minimum: 0.1 };
/** The part of a load that a runner has, as k6 writes it: from, and to, as shares of 1. */
export const SEGMENT = /^(\d{1,9}(\/\d{1,9}|\.\d{1,9})?):(\d{1,9}(\/\d{1,9}|\.\d{1,9})?)$/;

export const RunnerScenario = object(
  "RunnerScenario",
  "Raw: what became of one runner's requests at one scenario.",
  {
    id: [text, "Id of the scenario."],
    perS: [upTo(MOST, positive), "Requests a second that all runners together were to send."],
    durationS: [length, "For how long, in seconds."],
    right: [tally, "Right responses."],
    refused: [tally, "Responses with another status than the right one."],
    wrong: [tally, "Responses with the right status and something else that is wrong."],
    failed: [tally, "Requests without a response."],
    dropped: [tally, "Requests that were due and were not sent, since no virtual user was free."],
    buckets: [
      record(tally, { propertyNames: { pattern: "^(0|[1-9]\\d{0,2})$" } }),
      "How long each request that was sent took: how many in which bucket of src/stats/buckets.ts.",
    ],
  },
);
export interface RunnerScenario extends Static<typeof RunnerScenario> {}

export const RunnerFile = object(
  "RunnerFile",
  "Raw: what one runner's script wrote in the end.",
  {
    format: [oneOf(RUNNER_FORMAT), "What it is."],
    version: [literal(RUNNER_VERSION), "Version of this format."],
    buckets: [literal(1), "Version of the list of buckets."],
    test: [matching(/^[0-9a-f]{16}$/), "The script by what it asks: that of all its runners."],
    target: [text, "The server, without user and password."],
    segment: [matching(SEGMENT), "Which part of the load it had."],
    users: [ordinal, "Requests that all runners together may have had under way at once."],
    startedAt: [instant, "When it began, by its own clock."],
    endedAt: [instant, "When it ended, by its own clock."],
    slo: [Slo, "What users were to be given."],
    scenarios: [list(RunnerScenario, { minItems: 1 }), "What became of its requests."],
  },
);
export interface RunnerFile extends Static<typeof RunnerFile> {}
