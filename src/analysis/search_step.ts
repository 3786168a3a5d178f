import type { CapacityTrial } from "../model/capacity.ts";

/** Options of a capacity search. */
export interface SearchOptions {
  /** Start rate in requests per second. */
  readonly startPerS: number;
  /**
   * Maximum gap at the end of a search, as a share. It is the gap between the highest rate that meets the SLO
   * and the lowest rate that does not.
   */
  readonly width: number;
  /** Minimum rate that the search tries, in requests per second. */
  readonly leastPerS: number;
}

/** The next trial, or the outcome of the search. Rates are in requests per second. */
export type SearchStep =
  | { readonly kind: "trial"; readonly perS: number; readonly isFresh: boolean }
  | {
    readonly kind: "found";
    /** Highest rate that met the SLO; null if none did. */
    readonly heldPerS: number | null;
    /**
     * Lowest rate that did not meet the SLO, or that the load generator did not reach; null if none is known.
     */
    readonly failedPerS: number | null;
    /** Whether the load generator was the bottleneck. */
    readonly isOfGenerator: boolean;
  };

/** Number of equal outcomes that decide a rate. So one disturbed trial of three does not matter. */
const DECIDING_TRIALS = 2;
/**
 * Number of trials with a late load generator that make it the bottleneck at a rate. Fewer late trials are
 * ignored.
 */
const LATE_TRIALS = 4;
/**
 * Factor from a rate that meets the SLO to the next rate. Halving that gap twice reaches the default width of
 * 10 %: 1.44 is 1.2 squared, and 1.2 is 1.095 squared.
 */
const RATE_STEP = 1.44;
const SIGNIFICANT_DIGITS = 4;

/**
 * Returns the next step of a search for the highest rate that meets an SLO. The search follows
 * [MLRsearch](https://datatracker.ietf.org/doc/draft-ietf-bmwg-mlrsearch/).
 *
 * The majority of several short trials decides a rate. The search halves the gap between a rate that meets
 * the SLO and one that does not, until the gap is narrow enough. Then fresh processes must confirm both
 * rates. These trials run later, so a slow phase of the machine does not count as a limit. If they contradict
 * earlier trials, they decide.
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
    const next = rounded(failed === null ? startPerS : failed / RATE_STEP);
    if (next >= leastPerS) return trial(next, false);
    return found(null, failed, trials);
  }
  if (failed === null) return trial(rounded(held * RATE_STEP), false);
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

/**
 * Returns the majority outcome of each rate: true if it met the SLO. Null means that more trials are needed.
 */
function verdicts(trials: readonly CapacityTrial[]): Map<number, boolean | null> {
  const groups = Map.groupBy(trials, ({ perS }) => perS);
  return new Map([...groups].map(([perS, own]) => {
    const measurable = own.filter(({ isMeasurable }) => isMeasurable);
    const good = measurable.filter(({ isMet }) => isMet).length;
    const late = own.length - measurable.length;
    const isBad = measurable.length - good >= DECIDING_TRIALS || late >= LATE_TRIALS;
    return [perS, good >= DECIDING_TRIALS ? true : isBad ? false : null] as const;
  }));
}

/** Returns the lowest rate above `above` that did not meet the SLO; null if there is none. */
function lowest(verdicts: ReadonlyMap<number, boolean | null>, above: number): number | null {
  const rates = [...verdicts].filter(([perS, verdict]) => verdict === false && perS > above)
    .map(([perS]) => perS);
  return rates.length === 0 ? null : Math.min(...rates);
}

/** Returns the highest rate below `below` that met the SLO; null if there is none. */
function highest(verdicts: ReadonlyMap<number, boolean | null>, below: number): number | null {
  const rates = [...verdicts].filter(([perS, verdict]) => verdict === true && perS < below)
    .map(([perS]) => perS);
  return rates.length === 0 ? null : Math.max(...rates);
}

function rounded(perS: number): number {
  return Number(perS.toPrecision(SIGNIFICANT_DIGITS));
}
