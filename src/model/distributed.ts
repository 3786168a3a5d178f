/** Merged results of several runners that shared a load. runner_file.ts describes their output. */
import * as s from "./json_schema.ts";

export const BucketTime = s.object(
  "BucketTime",
  "A time with the bucket that contains it, in microseconds.",
  {
    us: [s.amount, "Geometric middle of the bucket."],
    lowUs: [s.amount, "Lower edge of the bucket."],
    highUs: [s.nullable(s.amount), "Upper edge of the bucket; null for the last one."],
  },
);
export interface BucketTime extends s.Static<typeof BucketTime> {}

export const RunnerTally = s.object("RunnerTally", "One runner's figures at one scenario.", {
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

export const SloCheck = s.object("SloCheck", "One limit of the SLO.", {
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
      "Times of the sent requests: the count of each bucket of src/stats/buckets.ts.",
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
