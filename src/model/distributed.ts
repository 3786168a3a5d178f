/** What several load generators found together: merged from the files of runner_file.ts. */
import { Slo } from "./slo.ts";
import {
  amount,
  count,
  flag,
  list,
  nullable,
  object,
  oneOf,
  ordinal,
  positive,
  record,
  share,
  type Static,
  text,
} from "./schema.ts";

export const BucketTime = object(
  "BucketTime",
  "A time of which the bucket is known that it lies in, in microseconds.",
  {
    us: [amount, "The middle of the bucket, by ratio."],
    lowUs: [amount, "Where the bucket begins."],
    highUs: [nullable(amount), "Where it ends; null: nowhere."],
  },
);
export interface BucketTime extends Static<typeof BucketTime> {}

export const RunnerTally = object("RunnerTally", "What one runner did at one scenario.", {
  runner: [text, "Its file, with its segment where the file holds several."],
  segment: [nullable(text), "Which part of the load it had; null: its file does not tell."],
  share: [share, "Its part of all requests that were due."],
  offered: [count, "Requests that were due."],
  dropped: [count, "Of these, those that were not sent, since no virtual user was free."],
  right: [count, "Right responses."],
  p50: [nullable(BucketTime), "Median; null for too few requests."],
  p99: [nullable(BucketTime), "99th percentile; null for too few requests."],
});
export interface RunnerTally extends Static<typeof RunnerTally> {}

export const SloCheck = object("SloCheck", "One limit of the SLO.", {
  percentile: [nullable(share), "Which percentile has the limit; null: the share of errors."],
  limit: [positive, "Less than so many microseconds, or so large a share."],
  found: [nullable(amount), "What was found, in the same unit; null for too few requests."],
  isMet: [
    nullable(flag),
    "Null: the limit lies within the bucket of the percentile, or there are too few requests.",
  ],
});
export interface SloCheck extends Static<typeof SloCheck> {}

export const DistributedScenario = object(
  "DistributedScenario",
  "Derived: all runners together at one scenario.",
  {
    scenario: [text, "Id of the scenario."],
    perS: [nullable(positive), "Requests a second that were asked for; null: not known."],
    durationS: [nullable(positive), "For how long; null: not known."],
    offered: [count, "Requests that were due."],
    sent: [count, "Of these, those that were sent."],
    right: [count, "Right responses."],
    refused: [count, "Responses with another status than the right one."],
    wrong: [count, "Responses with the right status and something else that is wrong."],
    failed: [count, "Requests without a response."],
    dropped: [count, "Requests that were not sent, since no virtual user was free."],
    goodputPerS: [
      nullable(amount),
      "Right responses a second; null where the length is not known.",
    ],
    buckets: [
      record(count),
      "How long requests took that were sent: how many in which bucket of src/stats/buckets.ts.",
    ],
    p50: [nullable(BucketTime), "Median; null for too few requests."],
    p90: [nullable(BucketTime), "90th percentile; null for too few requests."],
    p99: [nullable(BucketTime), "99th percentile; null for too few requests."],
    p999: [nullable(BucketTime), "99.9th percentile; null for too few requests."],
    sloChecks: [list(SloCheck), "Each limit of the SLO; empty without one."],
    runners: [list(RunnerTally), "What each of them did."],
    worst: [
      nullable(text),
      "The runner with the highest 99th percentile, and of several of these with the smallest share of right responses; null of one alone.",
    ],
  },
);
export interface DistributedScenario extends Static<typeof DistributedScenario> {}

const LeftOut = object("LeftOut", "A file that was left out.", {
  file: [text, "The file."],
  problem: [text, "Why."],
});

export const Distributed = object(
  "Distributed",
  "What several load generators found together.",
  {
    source: [
      oneOf("k6", "hdr"),
      "Who wrote the files: the script of `bench export k6`, or a program that writes HdrHistogram V2.",
    ],
    test: [nullable(text), "The script by what it asks; null of histograms."],
    runners: [ordinal, "How many runners were merged."],
    missing: [list(text), "Segments of the load that no runner had."],
    leftOut: [list(LeftOut), "Files that were left out."],
    slo: [nullable(Slo), "What users were to be given; null: nothing is said of it."],
    bucketError: [
      share,
      "How far the middle of a bucket may be from what is in it: 0.0488 is 4.88 %.",
    ],
    scenarios: [list(DistributedScenario), "What was found at each scenario."],
  },
);
export interface Distributed extends Static<typeof Distributed> {}

/** What two merged loads have in common, by its name. */
export const MERGED_FIGURES = ["goodputPerS", "p50", "p90", "p99", "p999"] as const;
export type MergedFigure = typeof MERGED_FIGURES[number];

/** A figure of two merged loads; null: one of them does not know it. */
export interface MergedChange {
  readonly scenario: string;
  readonly figure: MergedFigure;
  /** Responses a second, or microseconds. */
  readonly base: number;
  readonly head: number;
  /** Head by base: what is known of it. Rates are counted; of times only the buckets are known. */
  readonly ratio: { readonly low: number; readonly value: number; readonly high: number | null };
}
