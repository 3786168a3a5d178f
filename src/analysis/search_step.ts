import type { CapacityTrial } from "../model/capacity.ts";

/** How a capacity is looked for. */
export interface SearchOptions {
  /** Where it begins, in requests a second. */
  readonly startPerS: number;
  /** The most that may lie between the rate that is held and the one that is not, as a share. */
  readonly width: number;
  /** Nothing is tried below. */
  readonly leastPerS: number;
}

/** What is to be tried next, or what was found: requests a second. */
export type SearchStep =
  | { readonly kind: "trial"; readonly perS: number; readonly isFresh: boolean }
  | {
    readonly kind: "found";
    /** The highest rate at which the SLO was met; null: at none. */
    readonly heldPerS: number | null;
    /** The lowest at which it was not, or which the load generator did not reach. */
    readonly failedPerS: number | null;
    /** Whether it is the load generator that could not do more. */
    readonly isOfGenerator: boolean;
  };

/** Of three trials at a rate, so many decide: a bad moment of the machine is no bottleneck of the server. */
const MOST = 2;
/** A trial in which the load generator was late says nothing; with so many at a rate, it is the bottleneck. */
const LATE_TRIALS = 4;
/** From a rate that is held to the next, until one is not. */
const STEP = 1.44;
const DIGITS = 4;

/**
 * Looks for the highest rate that meets an SLO, in the way of
 * [MLRsearch](https://datatracker.ietf.org/doc/draft-ietf-bmwg-mlrsearch/): short trials, several at a rate,
 * of which most decide; the interval between a rate that is held and one that is not is halved until it is
 * narrow enough; then fresh processes have to hold the one, and to fail at the other, too. These come later,
 * so that a bad time of the machine is no bottleneck, either; where they disagree, they are right.
 *
 * @param trials in the order in which they were measured
 */
export function nextStep(trials: readonly CapacityTrial[], options: SearchOptions): SearchStep {
  const { startPerS, width, leastPerS } = options;
  const fresh = verdicts(trials.filter(({ isFresh }) => isFresh));
  const settled = verdicts(trials.filter(({ isFresh }) => !isFresh));
  for (const [verdicts, isFresh] of [[fresh, true], [settled, false]] as const) {
    const open = [...verdicts].find(([, verdict]) => verdict === null);
    if (open !== undefined) return trial(open[0], isFresh);
  }
  const all = new Map([...settled, ...fresh]);
  const failed = lowest(all, highest(fresh, Infinity) ?? 0);
  const held = highest(all, failed ?? Infinity);
  if (held === null) {
    const next = rounded(failed === null ? startPerS : failed / STEP);
    if (next >= leastPerS) return trial(next, false);
    return found(null, failed, trials);
  }
  if (failed === null) return trial(rounded(held * STEP), false);
  if (failed / held > 1 + width) {
    const middle = rounded(Math.sqrt(failed * held));
    if (middle > held && middle < failed) return trial(middle, false);
  }
  if (!fresh.has(held)) return trial(held, true);
  return fresh.has(failed) ? found(held, failed, trials) : trial(failed, true);
}

function trial(perS: number, isFresh: boolean): SearchStep {
  return { kind: "trial", perS, isFresh };
}

function found(
  heldPerS: number | null,
  failedPerS: number | null,
  trials: readonly CapacityTrial[],
): SearchStep {
  const atLimit = trials.filter(({ perS }) => perS === failedPerS);
  const late = atLimit.filter(({ isMeasurable }) => !isMeasurable).length;
  const isOfGenerator = late >= LATE_TRIALS;
  return { kind: "found", heldPerS, failedPerS, isOfGenerator };
}

/** What most trials say of each rate; null where more are needed. */
function verdicts(trials: readonly CapacityTrial[]): Map<number, boolean | null> {
  const groups = Map.groupBy(trials, ({ perS }) => perS);
  return new Map([...groups].map(([perS, own]) => {
    const measurable = own.filter(({ isMeasurable }) => isMeasurable);
    const good = measurable.filter(({ isMet }) => isMet).length;
    const late = own.length - measurable.length;
    const isBad = measurable.length - good >= MOST || late >= LATE_TRIALS;
    return [perS, good >= MOST ? true : isBad ? false : null] as const;
  }));
}

/** The lowest rate that was not held above another one. */
function lowest(verdicts: ReadonlyMap<number, boolean | null>, above: number): number | null {
  const rates = [...verdicts].filter(([perS, verdict]) => verdict === false && perS > above)
    .map(([perS]) => perS);
  return rates.length === 0 ? null : Math.min(...rates);
}

/** The highest rate that was held below another one. */
function highest(verdicts: ReadonlyMap<number, boolean | null>, below: number): number | null {
  const rates = [...verdicts].filter(([perS, verdict]) => verdict === true && perS < below)
    .map(([perS]) => perS);
  return rates.length === 0 ? null : Math.max(...rates);
}

function rounded(perS: number): number {
  return Number(perS.toPrecision(DIGITS));
}
