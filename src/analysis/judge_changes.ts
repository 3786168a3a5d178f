import type { Change, Changes, ConfidenceInterval, Reason } from "../model/derived.ts";
import { type ChangeMetric, isMoreBetter } from "../model/figures.ts";
import { holm } from "../stats/holm.ts";
import { normalQuantile } from "../stats/normal.ts";
import { detectableChange, roundsFor, smallestPairedP } from "../stats/power.ts";
import type { Ratio } from "../stats/ratio.ts";

/**
 * Maximum probability that a family of comparisons reports a change although nothing changed. 5 % is the
 * usual level.
 */
const ALPHA = 0.05;

/** A change before it is tested together with all others. */
export interface UndecidedChange {
  readonly change: Change;
  /** Noise floor: relative changes up to this share are noise. */
  readonly floor: number;
  /** Smallest p-value that a test with this number of rounds can give. */
  readonly smallestP: number;
  /** Returns the ratio with a confidence interval at a given level, or null. */
  readonly ratioAt: (level: number) => Ratio | null;
}

/** Returns the number of rounds with which one run can decide on a number of comparisons. */
export function roundsToDecide(family: number): number {
  return roundsFor(family, smallestPairedP);
}

/**
 * Decides on each change of a family. A change is "faster" or "slower" if two conditions hold:
 * - Holm's method over all comparisons rejects equality at 5 %.
 * - The confidence interval, widened for the number of comparisons (Bonferroni), lies beyond the noise floor.
 *
 * @param smallestP returns the smallest possible p-value for a number of rounds
 */
export function judgeChanges(
  family: readonly UndecidedChange[],
  smallestP: (rounds: number) => number,
): Pick<Changes, "changes" | "neededRounds"> {
  const tested = family.flatMap((undecided) => {
    const ratio = undecided.change.reasons.length === 0 ? undecided.ratioAt(1 - ALPHA) : null;
    return ratio === null ? [] : [{ undecided, ratio }];
  });
  const adjusted = holm(tested.map(({ ratio }) => ratio.pValue));
  const isDecidable = (one: UndecidedChange): boolean => one.smallestP * tested.length <= ALPHA;
  const changes = family.map((undecided): Change => {
    const { change, floor, ratioAt } = undecided;
    const place = tested.findIndex((one) => one.undecided === undecided);
    const ratio = tested[place]?.ratio;
    if (ratio === undefined) {
      const reasons: readonly Reason[] = change.reasons.length > 0
        ? change.reasons
        : [{ kind: "no-common-round" }];
      return { ...change, verdict: "incomparable", reasons };
    }
    const judged = {
      ...change,
      floor,
      ratio: ratio.estimate,
      confidenceInterval: ratio.confidenceInterval,
      pValue: adjusted[place] ?? 1,
      familyConfidenceInterval: ratioAt(1 - ALPHA / tested.length)?.confidenceInterval ?? null,
    };
    // A true change of this size has its whole interval beyond the floor in 80 % of runs.
    const minimumDetectableChange = !isDecidable(undecided) || ratio.confidenceInterval === null
      ? null
      : floor + detectableChange(standardErrorOf(ratio.confidenceInterval), ALPHA / tested.length);
    return { ...judged, minimumDetectableChange, verdict: directionOf(judged) };
  });
  const isDecided = tested.every(({ undecided }) => isDecidable(undecided));
  return { changes, neededRounds: isDecided ? null : roundsFor(tested.length, smallestP) };
}

/** Returns the standard error of a log ratio, from its confidence interval and a normal distribution. */
function standardErrorOf({ low, high, coverage }: ConfidenceInterval): number {
  return Math.log(high / low) / (2 * normalQuantile((1 - coverage) / 2));
}

function directionOf(
  { familyConfidenceInterval, floor, metric, pValue }: Pick<
    Change,
    "familyConfidenceInterval" | "floor" | "metric" | "pValue"
  >,
): Change["verdict"] {
  if (familyConfidenceInterval === null || pValue === null || pValue > ALPHA) return "same";
  const isMore = familyConfidenceInterval.low > 1 + floor;
  if (!isMore && familyConfidenceInterval.high >= 1 - floor) return "same";
  return isMore === isMoreBetter(metric) ? "faster" : "slower";
}

/**
 * Returns whether a regression beyond a threshold is proven.
 *
 * @param threshold as a share: 0.05 is 5 %
 */
export function isRegression(change: Change, threshold: number): boolean {
  const { verdict, metric, familyConfidenceInterval, isBroken, isConfirmed } = change;
  if (isBroken) return true;
  if (verdict !== "slower" || familyConfidenceInterval === null || isConfirmed === false) {
    return false;
  }
  return isBeyond(metric, familyConfidenceInterval, threshold);
}

/**
 * Returns whether a whole confidence interval is worse than a threshold.
 *
 * @param threshold as a share: 0.05 is 5 %
 */
export function isBeyond(
  metric: ChangeMetric,
  { low, high }: ConfidenceInterval,
  threshold: number,
): boolean {
  return isMoreBetter(metric) ? high < 1 - threshold : low > 1 + threshold;
}

/**
 * Returns whether a regression beyond a threshold can be neither proven nor excluded.
 *
 * @param threshold as a share: 0.05 is 5 %
 */
export function isInconclusive(change: Change, threshold: number): boolean {
  const { metric, confidenceInterval, floor } = change;
  if (isRegression(change, threshold)) return false;
  if (confidenceInterval === null || floor >= threshold) return true;
  return isMoreBetter(metric)
    ? confidenceInterval.low < 1 - threshold
    : confidenceInterval.high > 1 + threshold;
}
