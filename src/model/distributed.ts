/** Runners, which are load generators (k6 processes) that share a load: their outputs and merged results. */
import { Slo } from "./experiment.ts";
import * as s from "./schema.ts";

export class BucketTime
  extends s.object("A time with the bucket that contains it, in microseconds.", {
    us: s.amount.is("Geometric middle of the bucket."),
    lowUs: s.amount.is("Lower edge of the bucket."),
    highUs: s.amount.orNull("Upper edge of the bucket; null for the last one."),
  }) {}

export class RunnerTally extends s.object("One runner's figures at one scenario.", {
  runner: s.text.is("Its file, with its segment if the file has several."),
  segment: s.text.is("Its part of the load."),
  share: s.share.is("Its share of all scheduled requests."),
  offered: s.count.is("Scheduled requests."),
  dropped: s.count.is("Scheduled requests that were not sent, because no virtual user was free."),
  right: s.count.is("Right responses."),
  p50: BucketTime.orNull("Median; null for too few requests."),
  p99: BucketTime.orNull("99th percentile; null for too few requests."),
}) {}

export class SloCheck extends s.object("One limit of the SLO.", {
  percentile: s.share.orNull("Percentile of the limit; null for the share of errors."),
  limit: s.positive.is("Upper limit (exclusive): microseconds, or a share."),
  found: s.amount.orNull("Measured value in the same unit; null for too few requests."),
  isMet: s.flag.orNull(
    "Whether the limit was met. Null if the limit is within the percentile's bucket, there are too few requests, or a part of the load is missing.",
  ),
}) {}

const outcomes = (tally: s.Type<number>) => ({
  right: tally.is("Right responses."),
  refused: tally.is("Responses with a wrong status."),
  wrong: tally.is("Responses with the right status that are wrong otherwise."),
  failed: tally.is("Requests without a response."),
  dropped: tally.is("Scheduled requests that were not sent, because no virtual user was free."),
});

export class DistributedScenario
  extends s.object("Derived: all runners together at one scenario.", {
    scenario: s.text.is("Id of the scenario."),
    perS: s.positive.is("Requested rate in requests per second."),
    durationS: s.positive.is("Duration in seconds."),
    offered: s.count.is("Scheduled requests."),
    sent: s.count.is("Requests that were sent."),
    ...outcomes(s.count),
    goodputPerS: s.amount.is("Right responses per second."),
    buckets: s.record(s.count).is(
      "Times of the sent requests: the count of each bucket of src/stats/histogram.ts.",
    ),
    p50: BucketTime.orNull("Median; null for too few requests."),
    p90: BucketTime.orNull("90th percentile; null for too few requests."),
    p99: BucketTime.orNull("99th percentile; null for too few requests."),
    p999: BucketTime.orNull("99.9th percentile; null for too few requests."),
    sloChecks: s.list(SloCheck).is("Each limit of the SLO."),
    runners: s.list(RunnerTally).is("Figures of each runner."),
    worst: s.text.orNull(
      "Runner with the highest 99th percentile; if several have it, the one with the smallest share of right responses. Null for a single runner.",
    ),
  }) {}

export class LeftOut extends s.object("A file that was not merged.", {
  file: s.text.is("The file."),
  problem: s.text.is("Why."),
}) {}

/** The change of one figure between two merged results, base and head. */
export interface MergedChange {
  readonly scenario: string;
  readonly figure: "goodputPerS" | "p50" | "p90" | "p99" | "p999";
  /** The figure: responses per second for `goodputPerS`, microseconds for the percentiles. */
  readonly base: number;
  readonly head: number;
  /**
   * `head` divided by `base`, and the range of that ratio: rates are exact, a time is known only as a
   * histogram bucket. `high` is null if the time in head is in the last bucket, which has no upper edge.
   */
  readonly ratio: { readonly low: number; readonly value: number; readonly high: number | null };
}

/** Value of `format` in the output of a runner. */
export const RUNNER_FORMAT = "stampede-runner";
/** Version of this format. */
export const RUNNER_VERSION = 1;
/** Line of a runner without output: the requests before the load failed. */
export const NOT_BEGUN = "The load did not begin";
/** Maximum of a count. It is above any real load, and sums of many runners stay exact integers. */
const MOST_COUNT = 1e12;
const tally = s.upTo(MOST_COUNT, s.count);
/** Matches the part of a load that a runner has, in k6's notation. `0:1/4` is the first quarter. */
const SEGMENT = /^(\d{1,9}(\/\d{1,9}|\.\d{1,9})?):(\d{1,9}(\/\d{1,9}|\.\d{1,9})?)$/;

export class RunnerScenario
  extends s.object("Raw: outcomes of one runner's requests at one scenario.", {
    id: s.text.is("Id of the scenario."),
    perS: s.upTo(MOST_COUNT, s.positive).is("Total rate of all runners, in requests per second."),
    durationS: s.upTo(86_400, s.positive, { minimum: 0.1 }).is("Duration in seconds."),
    ...outcomes(tally),
    buckets: s.record(tally, { propertyNames: { pattern: "^(0|[1-9]\\d{0,2})$" } }).is(
      "Times of the sent requests: the count of each bucket of src/stats/histogram.ts.",
    ),
  }) {}

export class RunnerFile extends s.object("Raw: the output of one runner's script.", {
  format: s.oneOf(RUNNER_FORMAT).is("Name of this format."),
  version: s.literal(RUNNER_VERSION).is("Version of this format."),
  buckets: s.literal(1).is("Version of the list of buckets."),
  test: s.matching(/^[0-9a-f]{16}$/).is(
    "Hash of the script's requests, equal for all its runners.",
  ),
  target: s.text.is("The server, without user and password."),
  segment: s.matching(SEGMENT).is("Its part of the load."),
  users: s.ordinal.is("Maximum number of pending requests of all runners together."),
  startedAt: s.instant.is("Start time, by its own clock."),
  endedAt: s.instant.is("End time, by its own clock."),
  slo: Slo.is("The SLO."),
  scenarios: s.list(RunnerScenario, { minItems: 1 }).is("Outcomes of its requests."),
}) {}
