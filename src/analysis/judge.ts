import type { Change } from "../model/derived.ts";
import { holm } from "../stats/holm.ts";
import type { Interval } from "../stats/interval.ts";
import { normalQuantile } from "../stats/normal.ts";
import { detectableChange, roundsFor, smallestPairedP } from "../stats/power.ts";
import type { Ratio } from "../stats/ratio.ts";

/** How probably any change of a family may be found where there is none. */
const ALPHA = 0.05;

/** One change before it is judged with all others. */
export interface Candidate {
  readonly change: Change;
  /** Relative changes up to this mean nothing. */
  readonly floor: number;
  /** The smallest p-value that so many rounds can have. */
  readonly smallestP: number;
  /** The ratio with its interval at a level; null if there is none. */
  readonly ratioAt: (level: number) => Ratio | null;
}

/** A family of changes, judged. */
export interface Compared {
  readonly changes: readonly Change[];
  /** Rounds that the family needs to be decided at all; null if it had enough. */
  readonly neededRounds: number | null;
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
export function judge(
  candidates: readonly Candidate[],
  smallestP: (rounds: number) => number,
): Compared {
  const tested = candidates.flatMap((candidate) => {
    const ratio = candidate.change.reason === null ? candidate.ratioAt(1 - ALPHA) : null;
    return ratio === null ? [] : [{ candidate, ratio }];
  });
  const adjusted = holm(tested.map(({ ratio }) => ratio.pValue));
  const family = tested.length;
  const isDecidable = (candidate: Candidate): boolean => candidate.smallestP * family <= ALPHA;
  const changes = candidates.map((candidate): Change => {
    const { change, floor, ratioAt } = candidate;
    const place = tested.findIndex((one) => one.candidate === candidate);
    const ratio = tested[place]?.ratio;
    if (ratio === undefined) {
      const reason = change.reason ?? "there is no round that both have figures of";
      return { ...change, verdict: "incomparable", reason };
    }
    const judged = {
      ...change,
      floor,
      ratio: ratio.estimate,
      interval: ratio.interval,
      pValue: adjusted[place] ?? 1,
      familyInterval: ratioAt(1 - ALPHA / family)?.interval ?? null,
    };
    // A true change of that much has its whole interval beyond the floor, four times in five
    const detectable = !isDecidable(candidate) || ratio.interval === null
      ? null
      : floor + detectableChange(standardErrorOf(ratio.interval), ALPHA / family);
    return { ...judged, detectable, verdict: verdictOf(judged) };
  });
  const isDecided = tested.every(({ candidate }) => isDecidable(candidate));
  return { changes, neededRounds: isDecided ? null : roundsFor(family, smallestP) };
}

/** The standard error of a ratio's logarithm that its interval implies, were that normal. */
function standardErrorOf({ low, high, coverage }: Interval): number {
  return Math.log(high / low) / (2 * normalQuantile((1 - coverage) / 2));
}

function verdictOf(
  { familyInterval, floor, metric, pValue }: Pick<
    Change,
    "familyInterval" | "floor" | "metric" | "pValue"
  >,
): Change["verdict"] {
  if (familyInterval === null || pValue === null || pValue > ALPHA) return "same";
  const isMore = familyInterval.low > 1 + floor;
  if (!isMore && familyInterval.high >= 1 - floor) return "same";
  return isMore === (metric === "requestsPerS") ? "faster" : "slower";
}

/** Whether a change for the worse is proven to be beyond a threshold: 0.05 is 5 %. */
export function isRegression(change: Change, threshold: number): boolean {
  const { verdict, metric, familyInterval, isBroken } = change;
  if (isBroken) return true;
  if (verdict !== "slower" || familyInterval === null) return false;
  return metric === "requestsPerS"
    ? familyInterval.high < 1 - threshold
    : familyInterval.low > 1 + threshold;
}

/** Whether a change for the worse beyond a threshold can neither be proven nor be excluded. */
export function isInconclusive(change: Change, threshold: number): boolean {
  const { metric, interval, floor } = change;
  if (isRegression(change, threshold)) return false;
  if (interval === null || floor >= threshold) return true;
  return metric === "requestsPerS" ? interval.low < 1 - threshold : interval.high > 1 + threshold;
}
