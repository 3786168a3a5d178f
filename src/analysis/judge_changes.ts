import type {
  Change,
  ChangeMetric,
  Changes,
  ConfidenceInterval,
  Reason,
} from "../model/derived.ts";
import { holm } from "../stats/holm.ts";
import { normalQuantile } from "../stats/normal.ts";
import { detectableChange, roundsFor, smallestPairedP } from "../stats/power.ts";
import type { Ratio } from "../stats/ratio.ts";

/** How probably any change of a family may be found where there is none. */
const ALPHA = 0.05;

/** One change before it is judged with all others. */
export interface UndecidedChange {
  readonly change: Change;
  /** Relative changes up to this mean nothing. */
  readonly floor: number;
  /** The smallest p-value that so many rounds can have. */
  readonly smallestP: number;
  /** The ratio with its interval at a level; null if there is none. */
  readonly ratioAt: (level: number) => Ratio | null;
}

/** The rounds that so many comparisons within one run need to be decided at all. */
export function roundsToDecide(family: number): number {
  return roundsFor(family, smallestPairedP);
}

/**
 * The verdicts: faster or slower is what Holm's method over all that can be compared rejects at 5 %,
 * and whose interval lies beyond the floor, at a level that holds for all of them together (Bonferroni).
 *
 * @param smallestP the smallest p-value that a number of rounds can have
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
    // A true change of that much has its whole interval beyond the floor, four times in five
    const minimumDetectableChange = !isDecidable(undecided) || ratio.confidenceInterval === null
      ? null
      : floor + detectableChange(standardErrorOf(ratio.confidenceInterval), ALPHA / tested.length);
    return { ...judged, minimumDetectableChange, verdict: directionOf(judged) };
  });
  const isDecided = tested.every(({ undecided }) => isDecidable(undecided));
  return { changes, neededRounds: isDecided ? null : roundsFor(tested.length, smallestP) };
}

/** The standard error of a ratio's logarithm that its interval implies, were that normal. */
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
  return isMore === (metric === "requestsPerS") ? "faster" : "slower";
}

/** Whether a change for the worse is proven to be beyond a threshold: 0.05 is 5 %. */
export function isRegression(change: Change, threshold: number): boolean {
  const { verdict, metric, familyConfidenceInterval, isBroken, isConfirmed } = change;
  if (isBroken) return true;
  if (verdict !== "slower" || familyConfidenceInterval === null || isConfirmed === false) {
    return false;
  }
  return isBeyond(metric, familyConfidenceInterval, threshold);
}

/** Whether all of an interval is worse than by a threshold. */
export function isBeyond(
  metric: ChangeMetric,
  { low, high }: ConfidenceInterval,
  threshold: number,
): boolean {
  return metric === "requestsPerS" ? high < 1 - threshold : low > 1 + threshold;
}

/** Whether a change for the worse beyond a threshold can neither be proven nor be excluded. */
export function isInconclusive(change: Change, threshold: number): boolean {
  const { metric, confidenceInterval, floor } = change;
  if (isRegression(change, threshold)) return false;
  if (confidenceInterval === null || floor >= threshold) return true;
  return metric === "requestsPerS"
    ? confidenceInterval.low < 1 - threshold
    : confidenceInterval.high > 1 + threshold;
}
