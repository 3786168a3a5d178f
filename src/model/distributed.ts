/** Merged results of several runners that shared a load. runner_file.ts describes their output. */
import {
  amount,
  count,
  flag,
  list,
  nullable,
  object,
  positive,
  record,
  share,
  type Static,
  text,
} from "./json_schema.ts";

export const BucketTime = object(
  "BucketTime",
  "A time with the bucket that contains it, in microseconds.",
  {
    us: [amount, "Geometric middle of the bucket."],
    lowUs: [amount, "Lower edge of the bucket."],
    highUs: [nullable(amount), "Upper edge of the bucket; null for the last one."],
  },
);
export interface BucketTime extends Static<typeof BucketTime> {}

export const RunnerTally = object("RunnerTally", "One runner's figures at one scenario.", {
  runner: [text, "Its file, with its segment if the file has several."],
  segment: [text, "Its part of the load."],
  share: [share, "Its share of all scheduled requests."],
  offered: [count, "Scheduled requests."],
  dropped: [count, "Scheduled requests that were not sent, because no virtual user was free."],
  right: [count, "Right responses."],
  p50: [nullable(BucketTime), "Median; null for too few requests."],
  p99: [nullable(BucketTime), "99th percentile; null for too few requests."],
});
export interface RunnerTally extends Static<typeof RunnerTally> {}

export const SloCheck = object("SloCheck", "One limit of the SLO.", {
  percentile: [nullable(share), "Percentile of the limit; null for the share of errors."],
  limit: [positive, "Upper limit (exclusive): microseconds, or a share."],
  found: [nullable(amount), "Measured value in the same unit; null for too few requests."],
  isMet: [
    nullable(flag),
    "Whether the limit was met. Null if the limit is within the percentile's bucket, or there are too few requests.",
  ],
});
export interface SloCheck extends Static<typeof SloCheck> {}

export const DistributedScenario = object(
  "DistributedScenario",
  "Derived: all runners together at one scenario.",
  {
    scenario: [text, "Id of the scenario."],
    perS: [positive, "Requested rate in requests per second."],
    durationS: [positive, "Duration in seconds."],
    offered: [count, "Scheduled requests."],
    sent: [count, "Requests that were sent."],
    right: [count, "Right responses."],
    refused: [count, "Responses with a wrong status."],
    wrong: [count, "Responses with the right status that are wrong otherwise."],
    failed: [count, "Requests without a response."],
    dropped: [count, "Scheduled requests that were not sent, because no virtual user was free."],
    goodputPerS: [amount, "Right responses per second."],
    buckets: [
      record(count),
      "Times of the sent requests: the count of each bucket of src/stats/buckets.ts.",
    ],
    p50: [nullable(BucketTime), "Median; null for too few requests."],
    p90: [nullable(BucketTime), "90th percentile; null for too few requests."],
    p99: [nullable(BucketTime), "99th percentile; null for too few requests."],
    p999: [nullable(BucketTime), "99.9th percentile; null for too few requests."],
    sloChecks: [list(SloCheck), "Each limit of the SLO."],
    runners: [list(RunnerTally), "Figures of each runner."],
    worst: [
      nullable(text),
      "Runner with the highest 99th percentile; if several have it, the one with the smallest share of right responses. Null for a single runner.",
    ],
  },
);
export interface DistributedScenario extends Static<typeof DistributedScenario> {}

export const LeftOut = object("LeftOut", "A file that was not merged.", {
  file: [text, "The file."],
  problem: [text, "Why."],
});
export interface LeftOut extends Static<typeof LeftOut> {}

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
