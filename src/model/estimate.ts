/** Estimates over rounds, with their uncertainty. */
import {
  amount,
  list,
  nullable,
  number,
  object,
  ordinal,
  positive,
  share,
  type Static,
} from "./json_schema.ts";

export const ConfidenceInterval = object(
  "ConfidenceInterval",
  "A confidence interval: it covers the true value with the given probability.",
  {
    low: [number, "Lower end, in the unit of the estimate."],
    high: [number, "Upper end, in the unit of the estimate."],
    coverage: [share, "Probability that such an interval covers the true value, 0 to 1."],
  },
);
export interface ConfidenceInterval extends Static<typeof ConfidenceInterval> {}

export const Estimate = object(
  "Estimate",
  "A figure over rounds, in the unit of its property.",
  {
    median: [number, "Median of the rounds."],
    min: [number, "Lowest round."],
    max: [number, "Highest round."],
    confidenceInterval: [
      nullable(ConfidenceInterval),
      "95 % confidence interval of the median; null for too few rounds.",
    ],
    cv: [
      nullable(amount),
      "Coefficient of variation: standard deviation divided by mean; null for one round.",
    ],
    mad: [amount, "Median absolute deviation, in the figure's unit."],
    outlierRounds: [
      list(ordinal),
      "Outliers among the rounds. They are marked, never dropped.",
    ],
    minimumDetectableChange: [
      nullable(amount),
      "Minimum detectable change of a comparison of two such runs with 80 % power: 0.03 is 3 %. Null for too few rounds.",
    ],
  },
);
export interface Estimate extends Static<typeof Estimate> {}

export const RelativeCpu = object(
  "RelativeCpu",
  "CPU time per response relative to the reference server, from slices.",
  {
    rounds: [ordinal, "Rounds with both."],
    ratio: [positive, "CPU time per response divided by the reference's."],
    confidenceInterval: [
      nullable(ConfidenceInterval),
      "95 % confidence interval; null for too few rounds.",
    ],
  },
);
export interface RelativeCpu extends Static<typeof RelativeCpu> {}

/** The part of an estimate that the index of runs contains. */
export type MedianWithInterval = Pick<Estimate, "median" | "confidenceInterval">;

/** Returns half the width of a confidence interval as a share of the median. Null without an interval. */
export function relativeWidth(estimate: MedianWithInterval | null): number | null {
  if (!estimate?.confidenceInterval || estimate.median === 0) return null;
  const { confidenceInterval: { low, high }, median } = estimate;
  const width = (high - low) / 2 / median;
  return Number.isFinite(width) ? width : null;
}
