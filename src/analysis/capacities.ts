import type { Capacity, CapacityTrial, Reason } from "../model/derived.ts";
import type { LatencyLimit, SearchPlan, Slo } from "../model/experiment.ts";
import { requestsPerS, successesOf } from "../model/figures.ts";
import type { Latency, Measurement, OpenRecord, TrialResult } from "../model/raw.ts";
import { percentileUs } from "../stats/histogram.ts";
import { deriveResults, type ResultContext } from "./derive_results.ts";
import { typical } from "./rounds.ts";

/** Maximum share of failed requests if the SLO has no limit for it. */
const USUAL_ERROR_SHARE = 0.01;

/**
 * Returns whether one window of an open loop met the SLO; null for a closed loop.
 *
 * @param isFresh whether the server process had no load before
 */
export function capacityTrialOf(
  measurement: Measurement,
  perS: number,
  isFresh: boolean,
  slo: Slo,
): CapacityTrial | null {
  const { open, durationS } = measurement;
  if (open === null) return null;
  const { latencies, errorShare } = slo;
  const areFew = errorsOf(measurement, open) <
    (errorShare ?? USUAL_ERROR_SHARE) * Math.max(1, open.offered);
  const isMet = areFew && latencies.every((limit) => isQuick(open, limit, false));
  // A late request may have missed the limit only because the load generator was late.
  const isMeasurable = isMet || !areFew || !latencies.every((limit) => isQuick(open, limit, true));
  return {
    perS,
    isFresh,
    isMet,
    isMeasurable,
    achievedPerS: successesOf(measurement) / durationS,
  };
}

/**
 * Returns whether a percentile of the response time is below its limit.
 *
 * @param isWithoutLateness whether the generator's lateness is subtracted
 */
function isQuick(
  { responseTime, lateness }: OpenRecord,
  { percentile, us }: LatencyLimit,
  isWithoutLateness: boolean,
): boolean {
  const of = (latency: Latency | null): number | null =>
    latency && percentileUs(latency, percentile);
  const wholeUs = of(responseTime) ?? Infinity;
  return (isWithoutLateness ? wholeUs - (of(lateness) ?? 0) : wholeUs) < us;
}

/** Returns the number of requests without a right response. */
function errorsOf(
  { wrongResponses, statuses }: Measurement,
  { failed, unanswered, shed }: OpenRecord,
): number {
  const responses = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const refused = responses - successesOf({ statuses } as Measurement);
  return failed + unanswered + shed + refused + wrongResponses;
}

/** Options of a capacity search. */
interface SearchOptions {
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

/** What identifies a capacity search: a variant and a scenario. */
type SearchKey = Pick<Capacity, "variant" | "scenario">;

/** Start rate of a search, as a share of the closed-loop rate. Most servers meet an SLO at this share. */
const START_SHARE = 0.7;
/** Minimum rate that a search tries, as a share of its start rate. */
const LEAST_SHARE = 0.01;

/** Returns the capacity of every server at every scenario, in the order of the searches. */
export function deriveCapacities(
  trialResults: readonly TrialResult[],
  plan: SearchPlan,
  context: ResultContext,
): Capacity[] {
  const groups = Map.groupBy(
    trialResults,
    ({ trial: { variant, scenario } }) => `${variant} ${scenario}`,
  );
  return [...groups.values()].map((own) =>
    capacityOf(own as [TrialResult, ...TrialResult[]], plan, context)
  );
}

/** Returns the next step of a search: a trial, or what the search found. Null without a start rate. */
export function searchStep(
  trialResults: readonly TrialResult[],
  { variant, scenario }: SearchKey,
  plan: SearchPlan,
): SearchStep | null {
  const startPerS = startOf(trialResults, { variant, scenario });
  const own = trialResults.filter(({ trial }) =>
    trial.variant === variant && trial.scenario === scenario
  );
  return startPerS === null ? null : stepOf(trialsOf(own, plan), startPerS, plan);
}

/** Returns the start rate of a search in requests per second; null if the server answered nothing. */
export function startOf(
  trialResults: readonly TrialResult[],
  { variant, scenario }: SearchKey,
): number | null {
  const pilots = trialResults.filter(({ trial }) =>
    trial.purpose === "pilot" && trial.variant === variant && trial.scenario === scenario
  );
  const perS = typical(pilots, ({ window }) => window && requestsPerS(window));
  return perS === null || perS <= 0 ? null : START_SHARE * perS;
}

type TrialResults = readonly [TrialResult, ...TrialResult[]];

function capacityOf(
  trialResults: TrialResults,
  plan: SearchPlan,
  context: ResultContext,
): Capacity {
  const { variant, scenario } = trialResults[0].trial;
  const { load } =
    (trialResults.find(({ trial }) => trial.load.open !== null) ?? trialResults[0]).trial;
  const startPerS = startOf(trialResults, { variant, scenario });
  const trials = trialsOf(trialResults, plan);
  const step = startPerS === null ? null : stepOf(trials, startPerS, plan);
  const found = step?.kind === "found" ? step : null;
  const { heldPerS = null, failedPerS = null, isOfGenerator = false } = found ?? {};
  return {
    variant,
    scenario,
    connections: load.connections,
    startPerS,
    heldPerS,
    failedPerS,
    isOfGenerator,
    bottleneck: bottleneckAt(trialResults, failedPerS, context),
    trials,
    reason: heldPerS === null ? whyNot(trialResults, found !== null) : null,
  };
}

function stepOf(
  trials: readonly CapacityTrial[],
  startPerS: number,
  { width }: SearchPlan,
): SearchStep {
  return nextStep(trials, { startPerS, width, leastPerS: LEAST_SHARE * startPerS });
}

function trialsOf(
  trialResults: readonly TrialResult[],
  { slo }: SearchPlan,
): CapacityTrial[] {
  return trialResults.flatMap(({ trial: { purpose, load }, window }) => {
    const isFresh = purpose === "confirm";
    if (load.open === null || !(isFresh || purpose === "search")) return [];
    const { perS } = load.open;
    const seen = window && capacityTrialOf(window.measurement, perS, isFresh, slo);
    // A server that failed did not meet the SLO.
    return [seen ?? { perS, isFresh, isMet: false, isMeasurable: true, achievedPerS: 0 }];
  });
}

/** Returns the bottleneck at a rate, by its windows. */
function bottleneckAt(
  trialResults: readonly TrialResult[],
  perS: number | null,
  context: ResultContext,
): Capacity["bottleneck"] {
  const own = trialResults.filter(({ trial: { purpose, load } }) =>
    load.open !== null && load.open.perS === perS && purpose !== "measure"
  );
  const windows = own.map(({ trial, ...rest }): TrialResult => ({
    ...rest,
    trial: { ...trial, purpose: "measure" },
  }));
  const [result] = deriveResults(windows, context);
  return result?.bottleneck ?? null;
}

/** Returns why no rate met the SLO. */
function whyNot(trialResults: readonly TrialResult[], isFound: boolean): Reason {
  const failure = trialResults.find(({ failure }) => failure !== null)?.failure ?? null;
  if (failure !== null) return { kind: "message", text: failure.message };
  return { kind: isFound ? "none-held" : "search-ended" };
}
