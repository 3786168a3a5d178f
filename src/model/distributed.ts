/**
 * Merged results of several runners that shared a load. runner_file.ts describes their output. The
 * output of one runner. A runner is one of several load generators, such as k6 processes, that
 * share a load. Stampede merges their outputs.
 */

import { Slo } from "./experiment.ts";
import * as s from "./schema.ts";

const BucketTime = s.object(
  "BucketTime",
  "A time with the bucket that contains it, in microseconds.",
  {
    us: [s.amount, "Geometric middle of the bucket."],
    lowUs: [s.amount, "Lower edge of the bucket."],
    highUs: [s.nullable(s.amount), "Upper edge of the bucket; null for the last one."],
  },
);
export interface BucketTime extends s.Static<typeof BucketTime> {}

const RunnerTally = s.object("RunnerTally", "One runner's figures at one scenario.", {
  runner: [s.text, "Its file, with its segment if the file has several."],
  segment: [s.text, "Its part of the load."],
  share: [s.share, "Its share of all scheduled requests."],
  offered: [s.count, "Scheduled requests."],
  dropped: [s.count, "Scheduled requests that were not sent, because no virtual user was free."],
  right: [s.count, "Right responses."],
  p50: [s.nullable(BucketTime), "Median; null for too few requests."],
  p99: [s.nullable(BucketTime), "99th percentile; null for too few requests."],
});
export interface RunnerTally extends s.Static<typeof RunnerTally> {}

const SloCheck = s.object("SloCheck", "One limit of the SLO.", {
  percentile: [s.nullable(s.share), "Percentile of the limit; null for the share of errors."],
  limit: [s.positive, "Upper limit (exclusive): microseconds, or a share."],
  found: [s.nullable(s.amount), "Measured value in the same unit; null for too few requests."],
  isMet: [
    s.nullable(s.flag),
    "Whether the limit was met. Null if the limit is within the percentile's bucket, or there are too few requests.",
  ],
});
export interface SloCheck extends s.Static<typeof SloCheck> {}

export const DistributedScenario = s.object(
  "DistributedScenario",
  "Derived: all runners together at one scenario.",
  {
    scenario: [s.text, "Id of the scenario."],
    perS: [s.positive, "Requested rate in requests per second."],
    durationS: [s.positive, "Duration in seconds."],
    offered: [s.count, "Scheduled requests."],
    sent: [s.count, "Requests that were sent."],
    right: [s.count, "Right responses."],
    refused: [s.count, "Responses with a wrong status."],
    wrong: [s.count, "Responses with the right status that are wrong otherwise."],
    failed: [s.count, "Requests without a response."],
    dropped: [s.count, "Scheduled requests that were not sent, because no virtual user was free."],
    goodputPerS: [s.amount, "Right responses per second."],
    buckets: [
      s.record(s.count),
      "Times of the sent requests: the count of each bucket of src/stats/histogram.ts.",
    ],
    p50: [s.nullable(BucketTime), "Median; null for too few requests."],
    p90: [s.nullable(BucketTime), "90th percentile; null for too few requests."],
    p99: [s.nullable(BucketTime), "99th percentile; null for too few requests."],
    p999: [s.nullable(BucketTime), "99.9th percentile; null for too few requests."],
    sloChecks: [s.list(SloCheck), "Each limit of the SLO."],
    runners: [s.list(RunnerTally), "Figures of each runner."],
    worst: [
      s.nullable(s.text),
      "Runner with the highest 99th percentile; if several have it, the one with the smallest share of right responses. Null for a single runner.",
    ],
  },
);
export interface DistributedScenario extends s.Static<typeof DistributedScenario> {}

export const LeftOut = s.object("LeftOut", "A file that was not merged.", {
  file: [s.text, "The file."],
  problem: [s.text, "Why."],
});
export interface LeftOut extends s.Static<typeof LeftOut> {}

/**
 * Figures by which two merged results are compared: the rate of right responses, and percentiles of the
 * times.
 */
export const MERGED_FIGURES = ["goodputPerS", "p50", "p90", "p99", "p999"] as const;
export type MergedFigure = typeof MERGED_FIGURES[number];

/** The change of one figure between two merged results, base and head. */
export interface MergedChange {
  readonly scenario: string;
  readonly figure: MergedFigure;
  /** The figure in base: responses per second for `goodputPerS`, microseconds for the percentiles. */
  readonly base: number;
  /** The figure in head, in the same unit. */
  readonly head: number;
  /**
   * `head` divided by `base`, and the range of that ratio. Rates are exact, so `low` and `high` equal
   * `value`. A time is known only as a histogram bucket. `high` is null if the time in head is in the last
   * bucket, which has no upper edge.
   */
  readonly ratio: { readonly low: number; readonly value: number; readonly high: number | null };
}

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
const SEGMENT = /^(\d{1,9}(\/\d{1,9}|\.\d{1,9})?):(\d{1,9}(\/\d{1,9}|\.\d{1,9})?)$/;

const RunnerScenario = s.object(
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
      "Times of the sent requests: the count of each bucket of src/stats/histogram.ts.",
    ],
  },
);
export interface RunnerScenario extends s.Static<typeof RunnerScenario> {}

export const RunnerFile = s.object("RunnerFile", "Raw: the output of one runner's script.", {
  format: [s.oneOf(RUNNER_FORMAT), "Name of this format."],
  version: [s.literal(RUNNER_VERSION), "Version of this format."],
  buckets: [s.literal(1), "Version of the list of buckets."],
  test: [s.matching(/^[0-9a-f]{16}$/), "Hash of the script's requests, equal for all its runners."],
  target: [s.text, "The server, without user and password."],
  segment: [s.matching(SEGMENT), "Its part of the load."],
  users: [s.ordinal, "Maximum number of pending requests of all runners together."],
  startedAt: [s.instant, "Start time, by its own clock."],
  endedAt: [s.instant, "End time, by its own clock."],
  slo: [Slo, "The SLO."],
  scenarios: [s.list(RunnerScenario, { minItems: 1 }), "Outcomes of its requests."],
});
export interface RunnerFile extends s.Static<typeof RunnerFile> {}
