/** Tests all changes of a comparison together, and decides which of them fail the gate. */
import type {
  Change,
  Changes,
  ConfidenceInterval,
  Noise,
  Reason,
  ResultKey,
} from "../model/derived.ts";
import { isMoreBetter } from "../model/figures.ts";
import { normalQuantile } from "../stats/confidence_interval.ts";
import { median } from "../stats/median.ts";
import {
  detectableChange,
  holm,
  roundsFor,
  smallestIndependentP,
  smallestPairedP,
} from "../stats/power.ts";
import { independentRatio, pairedRatio, type Ratio } from "../stats/rank_tests.ts";
import { keyOf } from "./keys.ts";

/** Maximum probability that a family reports a change although nothing changed: the usual level. */
const ALPHA = 0.05;

/** Tests by design: the rounds of one run are pairs, those of two reports are independent. */
const TESTS: Readonly<
  Record<Design, {
    readonly ratioOf: typeof pairedRatio;
    /** Returns the smallest possible p-value for the numbers of rounds of base and head. */
    readonly smallestP: typeof smallestIndependentP;
  }>
> = {
  paired: { ratioOf: pairedRatio, smallestP: smallestPairedP },
  independent: { ratioOf: independentRatio, smallestP: smallestIndependentP },
};
type Design = "paired" | "independent";

/** A change before it is tested together with all others. */
export interface UndecidedChange {
  readonly change: Change;
  /** Relative changes up to this share are noise. */
  readonly floor: number;
  /** Smallest p-value that a test with this number of rounds can give. */
  readonly smallestP: number;
  /** Returns the ratio with a confidence interval at a given level, or null. */
  readonly ratioAt: (level: number) => Ratio | null;
}

/** Returns a change from its figures in each round. `known` may replace the medians of the figures. */
export function undecided(
  known: ResultKey & Pick<Change, "metric" | "method"> & Partial<Pick<Change, "base" | "head">>,
  base: readonly number[],
  head: readonly number[],
  floor: number,
  design: Design,
): UndecidedChange {
  const { ratioOf, smallestP } = TESTS[design];
  const { metric, method, base: was = medianOf(base), head: is = medianOf(head) } = known;
  return {
    change: {
      ...blank(known),
      metric,
      method,
      base: was,
      head: is,
      baseRounds: base.length,
      headRounds: head.length,
    },
    floor,
    smallestP: smallestP(base.length, head.length),
    ratioAt: (level) => ratioOf(head, base, level),
  };
}

function medianOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

/** Returns a change that cannot be compared, with the reasons. */
export function incomparable(
  key: ResultKey,
  reasons: readonly Reason[],
  isBroken = false,
): UndecidedChange {
  return {
    change: { ...blank(key), verdict: "incomparable", reasons, isBroken },
    floor: 0,
    smallestP: 1,
    ratioAt: () => null,
  };
}

function blank(key: ResultKey): Change {
  return {
    ...keyOf(key),
    verdict: "same",
    reasons: [],
    isBroken: false,
    metric: "requestsPerS",
    method: "windows",
    base: null,
    head: null,
    baseRounds: 0,
    headRounds: 0,
    ratio: null,
    confidenceInterval: null,
    isConfirmed: null,
    familyConfidenceInterval: null,
    pValue: null,
    minimumDetectableChange: null,
    floor: 0,
  };
}

/** Returns the number of rounds with which one run can decide on a number of comparisons. */
export function roundsToDecide(family: number): number {
  return roundsFor(family, smallestPairedP);
}

/**
 * Decides on each change of a family. A change is proven "faster" or "slower" if:
 * - Holm's method over all comparisons rejects equality at 5 %.
 * - The whole confidence interval, widened for the number of comparisons (Bonferroni), exceeds the
 *   noise floor.
 */
export function judgeChanges(
  family: readonly UndecidedChange[],
  design: Design,
): Pick<Changes, "changes" | "neededRounds"> {
  const { smallestP } = TESTS[design];
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
    const { estimate, confidenceInterval } = ratio;
    const judged = {
      ...change,
      floor,
      ratio: estimate,
      confidenceInterval,
      pValue: adjusted[place] ?? 1,
      familyConfidenceInterval: ratioAt(1 - ALPHA / tested.length)?.confidenceInterval ?? null,
    };
    // A true change of this size has its whole interval beyond the floor in 80 % of runs.
    const minimumDetectableChange = !isDecidable(undecided) || confidenceInterval === null
      ? null
      : floor + detectableChange(standardErrorOf(confidenceInterval), ALPHA / tested.length);
    return { ...judged, minimumDetectableChange, verdict: directionOf(judged) };
  });
  const isDecided = tested.every(({ undecided }) => isDecidable(undecided));
  return {
    changes,
    neededRounds: isDecided
      ? null
      : roundsFor(tested.length, (rounds) => smallestP(rounds, rounds)),
  };
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

/** Returns whether a regression beyond a threshold is proven. The share 0.05 is 5 %. */
export function isRegression(change: Change, threshold: number): boolean {
  const { verdict, metric, familyConfidenceInterval, isBroken, isConfirmed } = change;
  if (isBroken) return true;
  return verdict === "slower" && isConfirmed !== false && familyConfidenceInterval !== null &&
    isBeyond(metric, familyConfidenceInterval, threshold);
}

/** Returns whether a whole confidence interval is worse than a threshold. The share 0.05 is 5 %. */
export function isBeyond(
  metric: Change["metric"],
  { low, high }: ConfidenceInterval,
  threshold: number,
): boolean {
  return isMoreBetter(metric) ? high < 1 - threshold : low > 1 + threshold;
}

/** Returns whether a regression beyond a threshold, as a share, can be neither proven nor excluded. */
export function isInconclusive(change: Change, threshold: number): boolean {
  const { metric, confidenceInterval, floor } = change;
  if (isRegression(change, threshold)) return false;
  if (confidenceInterval === null || floor >= threshold) return true;
  return isMoreBetter(metric)
    ? confidenceInterval.low < 1 - threshold
    : confidenceInterval.high > 1 + threshold;
}

/** How much servers differ from themselves on this machine. Smaller changes are noise. */
export interface NoiseFloor {
  readonly noise: readonly Noise[];
  /** Path of the report of `bench noise` that contains these figures, or null. */
  readonly noiseSource: string | null;
}
