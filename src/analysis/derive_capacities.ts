import type { Capacity, CapacityTrial } from "../model/capacity.ts";
import type { Reason } from "../model/derived.ts";
import type { SearchPlan } from "../model/slo.ts";
import type { TrialResult } from "../model/raw.ts";
import { capacityTrialOf } from "./capacity_trial.ts";
import { deriveResults, type ResultContext } from "./derive_results.ts";
import { typical } from "./estimate_rounds.ts";
import { requestsPerS } from "../model/figures.ts";
import { nextStep, type SearchStep } from "./search_step.ts";

/** What identifies a capacity search: a variant and a scenario. */
export type SearchKey = Pick<Capacity, "variant" | "scenario">;

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
