/** Searches for the highest rate at which a server meets an SLO, and derives it from the trials. */
import type { Capacity, CapacityTrial, Reason } from "../model/derived.ts";
import type { SearchPlan, Slo } from "../model/experiment.ts";
import { requestsPerS, responsesOf, successesOf } from "../model/figures.ts";
import type { Latency, Measurement, TrialResult } from "../model/raw.ts";
import { percentileUs } from "../stats/histogram.ts";
import { deriveAsMeasured, type ResultContext } from "./derive_results.ts";
import { typical } from "../stats/median.ts";

/** Maximum share of failed requests if the SLO has no limit for it. */
const USUAL_ERROR_SHARE = 0.01;
/** Start rate of a search, as a share of the closed-loop rate. Most servers meet an SLO at this share. */
const START_SHARE = 0.7;
/** Minimum rate that a search tries, as a share of its start rate. */
const LEAST_SHARE = 0.01;
/** Number of equal outcomes that decide a rate. So one disturbed trial of three does not matter. */
const DECIDING_TRIALS = 2;
/** Number of trials with a late load generator that make it the bottleneck at a rate. */
const LATE_TRIALS = 4;
/** Factor to the next rate. Halved twice, it reaches the default width of 10 %: 1.44, 1.2, 1.095. */
const RATE_STEP = 1.44;
const SIGNIFICANT_DIGITS = 4;

type SearchKey = Pick<Capacity, "variant" | "scenario">;

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
  return [...groups.values()].map((own): Capacity => {
    const [{ trial: first }] = own as [TrialResult, ...TrialResult[]];
    const key = { variant: first.variant, scenario: first.scenario };
    const { load } = own.find(({ trial }) => trial.load.open !== null)?.trial ?? first;
    const step = searchStep(own, key, plan);
    const found = step?.kind === "found" ? step : null;
    const { heldPerS = null, failedPerS = null, isOfGenerator = false } = found ?? {};
    const atLimit = own.filter(({ trial: { purpose, load } }) =>
      load.open !== null && load.open.perS === failedPerS && purpose !== "measure"
    );
    return {
      ...key,
      connections: load.connections,
      startPerS: startOf(own, key),
      heldPerS,
      failedPerS,
      isOfGenerator,
      bottleneck: deriveAsMeasured(atLimit, context)[0]?.bottleneck ?? null,
      trials: trialsOf(own, plan),
      reason: heldPerS === null ? whyNot(own, found !== null) : null,
    };
  });
}

function whyNot(trialResults: readonly TrialResult[], isFound: boolean): Reason {
  const [failure] = trialResults.flatMap(({ failure }) => failure ?? []);
  if (failure !== undefined) return { kind: "message", text: failure.message };
  return { kind: isFound ? "none-held" : "search-ended" };
}

/** Returns the next step of a search: a trial, or what it found. Null without a start rate. */
export function searchStep(
  trialResults: readonly TrialResult[],
  key: SearchKey,
  plan: SearchPlan,
): SearchStep | null {
  const startPerS = startOf(trialResults, key);
  if (startPerS === null) return null;
  const trials = trialsOf(trialResults.filter((one) => isOf(one, key)), plan);
  return nextStep(trials, { startPerS, width: plan.width, leastPerS: LEAST_SHARE * startPerS });
}

/** Returns the start rate of a search in requests per second; null if the server answered nothing. */
export function startOf(trialResults: readonly TrialResult[], key: SearchKey): number | null {
  const pilots = trialResults.filter((one) => one.trial.purpose === "pilot" && isOf(one, key));
  const perS = typical(pilots, ({ window }) => window && requestsPerS(window));
  return perS === null || perS <= 0 ? null : START_SHARE * perS;
}

function isOf({ trial }: TrialResult, { variant, scenario }: SearchKey): boolean {
  return trial.variant === variant && trial.scenario === scenario;
}

function trialsOf(
  trialResults: readonly TrialResult[],
  { slo }: Pick<SearchPlan, "slo">,
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

/** Returns whether a window of an open loop met the SLO; null for a closed loop. */
export function capacityTrialOf(
  measurement: Measurement,
  perS: number,
  isFresh: boolean,
  { latencies, errorShare }: Slo,
): CapacityTrial | null {
  const { open, durationS, wrongResponses } = measurement;
  if (open === null) return null;
  const refused = responsesOf(measurement) - successesOf(measurement);
  const errors = open.failed + open.unanswered + open.shed + refused + wrongResponses;
  const areFew = errors < (errorShare ?? USUAL_ERROR_SHARE) * Math.max(1, open.offered);
  const usAt = (latency: Latency | null, percentile: number): number | null =>
    latency && percentileUs(latency, percentile);
  const isWithin = (lateness: Latency | null): boolean =>
    areFew &&
    latencies.every(({ percentile, us }) =>
      (usAt(open.responseTime, percentile) ?? Infinity) - (usAt(lateness, percentile) ?? 0) < us
    );
  const isMet = isWithin(null);
  return {
    perS,
    isFresh,
    isMet,
    // A late request may have missed the limit only because the load generator was late.
    isMeasurable: isMet || !isWithin(open.lateness),
    achievedPerS: successesOf(measurement) / durationS,
  };
}

/** The next trial at a rate in requests per second, or the outcome of the search. */
type SearchStep =
  | { readonly kind: "trial"; readonly perS: number; readonly isFresh: boolean }
  | { readonly kind: "found" } & Pick<Capacity, "heldPerS" | "failedPerS" | "isOfGenerator">;

/**
 * Returns the next step of a search for the highest rate that meets an SLO. The search follows
 * [MLRsearch](https://datatracker.ietf.org/doc/draft-ietf-bmwg-mlrsearch/).
 *
 * The majority of several short trials decides a rate. The search halves the gap between a rate that
 * meets the SLO and one that does not, until it is at most `width`, as a share. Then fresh processes must
 * confirm both rates. These trials run later, so a slow phase of the machine does not count as a limit.
 * If they contradict earlier trials, they decide. Trials are in the order of their measurement.
 */
export function nextStep(
  trials: readonly CapacityTrial[],
  { startPerS, width, leastPerS }: Record<"startPerS" | "width" | "leastPerS", number>,
): SearchStep {
  const fresh = verdicts(trials.filter(({ isFresh }) => isFresh));
  const settled = verdicts(trials.filter(({ isFresh }) => !isFresh));
  for (const [verdicts, isFresh] of [[fresh, true], [settled, false]] as const) {
    const open = [...verdicts].find(([, verdict]) => verdict === null);
    if (open !== undefined) return trial(open[0], isFresh);
  }
  const all = new Map([...settled, ...fresh]);
  const freshHeld = ratesOf(fresh, true).at(-1) ?? 0;
  const failed = ratesOf(all, false).find((perS) => perS > freshHeld) ?? null;
  const held = ratesOf(all, true).findLast((perS) => perS < (failed ?? Infinity)) ?? null;
  if (held === null) {
    const next = rounded(failed === null ? startPerS : failed / RATE_STEP);
    return next >= leastPerS ? trial(next, false) : found(null, failed, trials);
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
  const late = trials.filter(({ perS, isMeasurable }) => perS === failedPerS && !isMeasurable);
  return { kind: "found", heldPerS, failedPerS, isOfGenerator: late.length >= LATE_TRIALS };
}

/** Returns the majority outcome of each rate: whether it met the SLO. Null needs more trials. */
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

/** Returns the rates with an outcome in ascending order. */
function ratesOf(verdicts: ReadonlyMap<number, boolean | null>, outcome: boolean): number[] {
  return [...verdicts].flatMap(([perS, verdict]) => verdict === outcome ? [perS] : [])
    .sort((a, b) => a - b);
}

function rounded(perS: number): number {
  return Number(perS.toPrecision(SIGNIFICANT_DIGITS));
}
