/** Tests all changes of a comparison together, and decides which of them fail the gate. */
import {
  type AnyChange,
  type Change,
  type Changes,
  type ConfidenceInterval,
  isOfResponses,
  type Noise,
  type Reason,
  type ResultKey,
} from "../model/derived.ts";
import { isMoreBetter } from "../model/figures.ts";
import { normalQuantile } from "../stats/confidence_interval.ts";
import { typical } from "../stats/median.ts";
import {
  detectableChange,
  holm,
  roundsFor,
  smallestIndependentP,
  smallestPairedP,
} from "../stats/power.ts";
import { independentRatio, pairedRatio } from "../stats/rank_tests.ts";
import { keyOf } from "./keys.ts";

/** Maximum probability that a family reports a change although nothing changed: the usual level. */
const ALPHA = 0.05;
/** How often a run that ends at a verdict may test a change: after the planned rounds, and at its end. */
export const LOOKS = 2;

/** Tests by design: the rounds of one run are pairs, those of two reports are independent. */
const TESTS = {
  paired: { ratioOf: pairedRatio, smallestP: smallestPairedP },
  independent: { ratioOf: independentRatio, smallestP: smallestIndependentP },
};

/** A change before it is tested together with all others, and its figures in each round. */
export interface UndecidedChange<C extends AnyChange = Change> {
  readonly change: C;
  /** Empty if the change cannot be compared. */
  readonly base: readonly number[];
  readonly head: readonly number[];
}

/** Returns a change from its figures in each round. `known` may replace the medians of the figures. */
export function undecided(
  known: ResultKey & Pick<Change, "metric" | "method" | "floor"> & Partial<Change>,
  base: readonly number[],
  head: readonly number[],
): UndecidedChange {
  const change = {
    ...keyOf(known),
    ...BLANK,
    base: typical(base, (figure) => figure),
    head: typical(head, (figure) => figure),
    baseRounds: base.length,
    headRounds: head.length,
    ...known,
  };
  return { change, base, head };
}

/** Returns a change that cannot be compared, with the reasons. */
export function incomparable(
  key: ResultKey,
  reasons: readonly Reason[],
  isBroken = false,
): UndecidedChange {
  const change = { ...keyOf(key), ...BLANK, verdict: "incomparable", reasons, isBroken } as const;
  return { change, base: [], head: [] };
}

/** The properties of a change before its test. */
export const UNTESTED: Omit<
  Change,
  keyof ResultKey | "metric" | "method" | "isBroken" | "isConfirmed"
> = {
  verdict: "same",
  reasons: [],
  base: null,
  head: null,
  baseRounds: 0,
  headRounds: 0,
  ratio: null,
  confidenceInterval: null,
  familyConfidenceInterval: null,
  pValue: null,
  minimumDetectableChange: null,
  floor: 0,
};
const BLANK: Omit<Change, keyof ResultKey> = {
  ...UNTESTED,
  isBroken: false,
  metric: "requestsPerS",
  method: "windows",
  isConfirmed: null,
};

/** Returns the number of rounds with which one run can decide on a number of comparisons. */
export function roundsToDecide(family: number): number {
  return roundsFor(family, smallestPairedP);
}

/**
 * Decides on each change of a family. A change is proven "faster" or "slower" if:
 * - Holm's method over all comparisons rejects equality at 5 %.
 * - The whole confidence interval, widened for the number of comparisons (Bonferroni), exceeds the
 *   noise floor.
 *
 * @param looks how often the changes may be tested during the run. Each test gets an equal part of the
 *   5 %, whichever of them is the last: https://doi.org/10.1093/biomet/64.2.191
 * @param toCome number of comparisons that the run will add. They count like comparisons without a difference,
 *   so that a change proven now stays proven.
 */
export function judgeChanges<C extends AnyChange>(
  family: readonly UndecidedChange<C>[],
  design: keyof typeof TESTS,
  looks = 1,
  toCome = 0,
): Pick<Changes, "neededRounds"> & { readonly changes: readonly C[] } {
  const { ratioOf, smallestP } = TESTS[design];
  const tested = family.flatMap((undecided) => {
    const ratio = ratioOf(undecided.head, undecided.base, 1 - ALPHA / looks);
    return ratio === null ? [] : [{ undecided, ratio }];
  });
  const comparisons = tested.length + toCome;
  const pValues = tested.map(({ ratio }) => Math.min(1, looks * ratio.pValue));
  const adjusted = holm([...pValues, ...Array.from({ length: toCome }, () => 1)]);
  const alpha = ALPHA / looks / comparisons;
  const isDecidable = ({ base, head }: UndecidedChange<C>): boolean =>
    smallestP(base.length, head.length) * comparisons * looks <= ALPHA;
  const changes = family.map((undecided): C => {
    const { change, base, head } = undecided;
    const place = tested.findIndex((one) => one.undecided === undecided);
    const ratio = tested[place]?.ratio;
    if (ratio === undefined) {
      const reasons: readonly Reason[] = change.reasons.length > 0
        ? change.reasons
        : [{ kind: "no-common-round" }];
      return { ...change, verdict: "incomparable", reasons, floor: 0 };
    }
    const { estimate, confidenceInterval } = ratio;
    const judged = {
      ...change,
      ratio: estimate,
      confidenceInterval,
      pValue: adjusted[place] ?? 1,
      familyConfidenceInterval: ratioOf(head, base, 1 - alpha)?.confidenceInterval ?? null,
    };
    // A true change of this size has its whole interval beyond the floor in 80 % of runs.
    const minimumDetectableChange = !isDecidable(undecided) || confidenceInterval === null
      ? null
      : change.floor + detectableChange(standardErrorOf(confidenceInterval), alpha);
    return { ...judged, minimumDetectableChange, verdict: directionOf(judged) };
  });
  const isDecided = tested.every(({ undecided }) => isDecidable(undecided));
  // With a given number of rounds, there is one test
  const needed = (): number => roundsFor(comparisons, (rounds) => smallestP(rounds, rounds));
  return { changes, neededRounds: isDecided ? null : needed() };
}

/** Returns the standard error of a log ratio, from its confidence interval and a normal distribution. */
function standardErrorOf({ low, high, coverage }: ConfidenceInterval): number {
  return Math.log(high / low) / (2 * normalQuantile((1 - coverage) / 2));
}

function directionOf(
  { familyConfidenceInterval, floor, metric, pValue }: AnyChange,
): AnyChange["verdict"] {
  if (familyConfidenceInterval === null || pValue === null || pValue > ALPHA) return "same";
  const isMore = familyConfidenceInterval.low > 1 + floor;
  if (!isMore && familyConfidenceInterval.high >= 1 - floor) return "same";
  return isMore === isMoreBetter(metric) ? "faster" : "slower";
}

/** Returns whether a regression beyond a threshold is proven. The share 0.05 is 5 %. */
export function isRegression(change: AnyChange, threshold: number): boolean {
  const { verdict, metric, familyConfidenceInterval } = change;
  if (isOfResponses(change) && change.isBroken) return true;
  const isRefuted = isOfResponses(change) && change.isConfirmed === false;
  return verdict === "slower" && !isRefuted && familyConfidenceInterval !== null &&
    isBeyond(metric, familyConfidenceInterval, threshold);
}

/** Returns whether a whole confidence interval is worse than a threshold. The share 0.05 is 5 %. */
export function isBeyond(
  metric: AnyChange["metric"],
  { low, high }: ConfidenceInterval,
  threshold: number,
): boolean {
  return isMoreBetter(metric) ? high < 1 - threshold : low > 1 + threshold;
}

/** Returns whether a regression beyond a threshold, as a share, can be neither proven nor excluded. */
export function isInconclusive(change: AnyChange, threshold: number): boolean {
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
  /** Path of the report of `stampede noise` that contains these figures, or null. */
  readonly noiseSource: string | null;
}
