/**
 * The output of one runner. A runner is one of several load generators, such as k6 processes, that share a
 * load. Stampede merges their outputs.
 */
import { Slo } from "./slo.ts";
import * as s from "./json_schema.ts";

/** Value of `format` in the output of a runner. */
export const RUNNER_FORMAT = "stampede-runner";
/** Version of this format. */
export const RUNNER_VERSION = 1;
/** Maximum of a count. It is above any real load, and sums of many runners stay exact integers. */
const MOST = 1e12;

/** Maximum duration of a load, in seconds: one day. */
const LONGEST_S = 86_400;

const tally: s.Schema<number> = s.upTo(MOST, s.count);
const length: s.Schema<number> = { ...s.upTo(LONGEST_S, s.positive), minimum: 0.1 };
/** Matches the part of a load that a runner has, in k6's notation. `0:1/4` is the first quarter. */
export const SEGMENT = /^(\d{1,9}(\/\d{1,9}|\.\d{1,9})?):(\d{1,9}(\/\d{1,9}|\.\d{1,9})?)$/;

export const RunnerScenario = s.object(
  "RunnerScenario",
  "Raw: outcomes of one runner's requests at one scenario.",
  {
    id: [s.text, "Id of the scenario."],
    perS: [s.upTo(MOST, s.positive), "Total rate of all runners, in requests per second."],
    durationS: [length, "Duration in seconds."],
    right: [tally, "Right responses."],
    refused: [tally, "Responses with a wrong status."],
    wrong: [tally, "Responses with the right status that are wrong otherwise."],
    failed: [tally, "Requests without a response."],
    dropped: [tally, "Scheduled requests that were not sent, because no virtual user was free."],
    buckets: [
      s.record(tally, { propertyNames: { pattern: "^(0|[1-9]\\d{0,2})$" } }),
      "Times of the sent requests: the count of each bucket of src/stats/buckets.ts.",
    ],
  },
);
export interface RunnerScenario extends s.Static<typeof RunnerScenario> {}

export const RunnerFile = s.object(
  "RunnerFile",
  "Raw: the output of one runner's script.",
  {
    format: [s.oneOf(RUNNER_FORMAT), "Name of this format."],
    version: [s.literal(RUNNER_VERSION), "Version of this format."],
    buckets: [s.literal(1), "Version of the list of buckets."],
    test: [
      s.matching(/^[0-9a-f]{16}$/),
      "Hash of the script's requests, equal for all its runners.",
    ],
    target: [s.text, "The server, without user and password."],
    segment: [s.matching(SEGMENT), "Its part of the load."],
    users: [s.ordinal, "Maximum number of pending requests of all runners together."],
    startedAt: [s.instant, "Start time, by its own clock."],
    endedAt: [s.instant, "End time, by its own clock."],
    slo: [Slo, "The SLO."],
    scenarios: [s.list(RunnerScenario, { minItems: 1 }), "Outcomes of its requests."],
  },
);
export interface RunnerFile extends s.Static<typeof RunnerFile> {}
