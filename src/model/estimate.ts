/** Estimates over rounds, with their uncertainty. */
import * as s from "./schema.ts";

export class ConfidenceInterval
  extends s.object("A confidence interval: it covers the true value with the given probability.", {
    low: s.number.is("Lower end, in the unit of the estimate."),
    high: s.number.is("Upper end, in the unit of the estimate."),
    coverage: s.share.is("Probability that such an interval covers the true value, 0 to 1."),
  }) {}

export class Estimate extends s.object("A figure over rounds, in the unit of its property.", {
  median: s.number.is("Median of the rounds."),
  min: s.number.is("Lowest round."),
  max: s.number.is("Highest round."),
  confidenceInterval: ConfidenceInterval.orNull(
    "95 % confidence interval of the median; null for too few rounds.",
  ),
  cv: s.amount.orNull(
    "Coefficient of variation: standard deviation divided by mean; null for one round.",
  ),
  mad: s.amount.is("Median absolute deviation, in the figure's unit."),
  outlierRounds: s.list(s.ordinal).is("Outliers among the rounds. They are marked, never dropped."),
  minimumDetectableChange: s.amount.orNull(
    "Minimum detectable change of a comparison of two such runs with 80 % power: 0.03 is 3 %. Null for too few rounds.",
  ),
}) {}

export class RelativeFigure
  extends s.object("A figure relative to the reference server's, from slices.", {
    rounds: s.ordinal.is("Rounds with both."),
    ratio: s.positive.is("The figure divided by the reference's."),
    confidenceInterval: ConfidenceInterval.orNull(
      "95 % confidence interval; null for too few rounds.",
    ),
  }) {}

/** The part of an estimate that the index of runs contains. */
export type MedianWithInterval = Pick<Estimate, "median" | "confidenceInterval">;

/** Returns half the width of a confidence interval as a share of the median. Null without an interval. */
export function relativeWidth(estimate: MedianWithInterval | null): number | null {
  if (!estimate?.confidenceInterval) return null;
  const { confidenceInterval: { low, high }, median } = estimate;
  const width = (high - low) / 2 / median;
  return Number.isFinite(width) ? width : null;
}
