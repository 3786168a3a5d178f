/** Estimates over rounds, with their uncertainty. */
import * as s from "./schema.ts";

export const ConfidenceInterval = s.object(
  "ConfidenceInterval",
  "A confidence interval: it covers the true value with the given probability.",
  {
    low: [s.number, "Lower end, in the unit of the estimate."],
    high: [s.number, "Upper end, in the unit of the estimate."],
    coverage: [s.share, "Probability that such an interval covers the true value, 0 to 1."],
  },
);
export interface ConfidenceInterval extends s.Static<typeof ConfidenceInterval> {}

export const Estimate = s.object("Estimate", "A figure over rounds, in the unit of its property.", {
  median: [s.number, "Median of the rounds."],
  min: [s.number, "Lowest round."],
  max: [s.number, "Highest round."],
  confidenceInterval: [
    s.nullable(ConfidenceInterval),
    "95 % confidence interval of the median; null for too few rounds.",
  ],
  cv: [
    s.nullable(s.amount),
    "Coefficient of variation: standard deviation divided by mean; null for one round.",
  ],
  mad: [s.amount, "Median absolute deviation, in the figure's unit."],
  outlierRounds: [s.list(s.ordinal), "Outliers among the rounds. They are marked, never dropped."],
  minimumDetectableChange: [
    s.nullable(s.amount),
    "Minimum detectable change of a comparison of two such runs with 80 % power: 0.03 is 3 %. Null for too few rounds.",
  ],
});
export interface Estimate extends s.Static<typeof Estimate> {}

export const RelativeCpu = s.object(
  "RelativeCpu",
  "CPU time per response relative to the reference server, from slices.",
  {
    rounds: [s.ordinal, "Rounds with both."],
    ratio: [s.positive, "CPU time per response divided by the reference's."],
    confidenceInterval: [
      s.nullable(ConfidenceInterval),
      "95 % confidence interval; null for too few rounds.",
    ],
  },
);
export interface RelativeCpu extends s.Static<typeof RelativeCpu> {}

/** The part of an estimate that the index of runs contains. */
export type MedianWithInterval = Pick<Estimate, "median" | "confidenceInterval">;

/** Returns half the width of a confidence interval as a share of the median. Null without an interval. */
export function relativeWidth(estimate: MedianWithInterval | null): number | null {
  if (!estimate?.confidenceInterval || estimate.median === 0) return null;
  const { confidenceInterval: { low, high }, median } = estimate;
  const width = (high - low) / 2 / median;
  return Number.isFinite(width) ? width : null;
}
