/** Figures over rounds, with what is known of their uncertainty. */
import { amount, list, nullable, number, object, ordinal, share, type Static } from "./schema.ts";

export const ConfidenceInterval = object(
  "ConfidenceInterval",
  "Ends that cover what is estimated with the given probability.",
  {
    low: [number, "The lower end, in the unit of what is estimated."],
    high: [number, "The upper end, in the unit of what is estimated."],
    coverage: [share, "The probability with which such an interval covers the true value, 0 to 1."],
  },
);
export interface ConfidenceInterval extends Static<typeof ConfidenceInterval> {}

export const Estimate = object(
  "Estimate",
  "A figure over rounds, in the unit that its property says.",
  {
    median: [number, "The median of the rounds."],
    min: [number, "The lowest round."],
    max: [number, "The highest round."],
    confidenceInterval: [
      nullable(ConfidenceInterval),
      "Ends that cover the true median; null for too few rounds.",
    ],
    cv: [
      nullable(amount),
      "Coefficient of variation: standard deviation over mean, without unit; null for one round.",
    ],
    mad: [amount, "Median absolute deviation, in the figure's unit."],
    outlierRounds: [
      list(ordinal),
      "Rounds that lie far from the others; they are flagged, never dropped.",
    ],
    minimumDetectableChange: [
      nullable(amount),
      "The relative change that a comparison of two such runs would find with 80 % power: 0.03 is 3 %; null for too few rounds.",
    ],
  },
);
export interface Estimate extends Static<typeof Estimate> {}

/** A figure, and the ends that cover the true one. */
export type MedianWithInterval = Pick<Estimate, "median" | "confidenceInterval">;

/** Half the width of an interval over its median; null where there is none. */
export function relativeWidth(estimate: MedianWithInterval | null): number | null {
  if (!estimate?.confidenceInterval || estimate.median === 0) return null;
  const { confidenceInterval: { low, high }, median } = estimate;
  const width = (high - low) / 2 / median;
  return Number.isFinite(width) ? width : null;
}
