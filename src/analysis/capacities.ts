import type { Capacity, CapacityTrial } from "../model/capacity.ts";
import type { Reason } from "../model/derived.ts";
import type { SearchPlan } from "../model/objective.ts";
import type { TrialResult } from "../model/raw.ts";
import { capacityTrialOf } from "./capacity_trial.ts";
import { type CellContext, deriveCells } from "./cells.ts";
import { typical } from "./estimate.ts";
import { requestsPerS } from "./figures.ts";
import { nextStep, type SearchStep } from "./search.ts";

/** A server at a scenario, whose capacity is looked for. */
export type SearchKey = Pick<Capacity, "arm" | "scenario">;

/** Of the rate in a closed loop: most servers hold so much of it for users, too. */
const START_SHARE = 0.7;
/** Of where a search begins: nothing is tried below. */
const LEAST_SHARE = 0.01;

/** What was found of every server at every scenario, in the order in which the searches began. */
export function deriveCapacities(
  results: readonly TrialResult[],
  plan: SearchPlan,
  context: CellContext,
): Capacity[] {
  const groups = Map.groupBy(results, ({ trial: { arm, scenario } }) => `${arm} ${scenario}`);
  return [...groups.values()].map((own) =>
    capacityOf(own as [TrialResult, ...TrialResult[]], plan, context)
  );
}

/** What a search tries next, or what it found; null where there is nothing to begin with. */
export function searchStep(
  results: readonly TrialResult[],
  { arm, scenario }: SearchKey,
  plan: SearchPlan,
): SearchStep | null {
  const startPerS = startOf(results, { arm, scenario });
  const own = results.filter(({ trial }) => trial.arm === arm && trial.scenario === scenario);
  return startPerS === null ? null : stepOf(trialsOf(own, plan), startPerS, plan);
}

/** Where a search begins, in requests a second; null if the server answered nothing. */
export function startOf(
  results: readonly TrialResult[],
  { arm, scenario }: SearchKey,
): number | null {
  const looks = results.filter(({ trial }) =>
    trial.purpose === "probe" && trial.arm === arm && trial.scenario === scenario
  );
  const perS = typical(looks, ({ window }) => window && requestsPerS(window));
  return perS === null || perS <= 0 ? null : START_SHARE * perS;
}

type Results = readonly [TrialResult, ...TrialResult[]];

function capacityOf(results: Results, plan: SearchPlan, context: CellContext): Capacity {
  const { arm, scenario } = results[0].trial;
  const { load } = (results.find(({ trial }) => trial.load.open !== null) ?? results[0]).trial;
  const startPerS = startOf(results, { arm, scenario });
  const trials = trialsOf(results, plan);
  const step = startPerS === null ? null : stepOf(trials, startPerS, plan);
  const found = step?.kind === "found" ? step : null;
  const { heldPerS = null, failedPerS = null, isOfGenerator = false } = found ?? {};
  return {
    arm,
    scenario,
    connections: load.connections,
    startPerS,
    heldPerS,
    failedPerS,
    isOfGenerator,
    verdict: verdictAt(results, failedPerS, context),
    trials,
    reason: heldPerS === null ? whyNot(results, found !== null) : null,
  };
}

function stepOf(
  trials: readonly CapacityTrial[],
  startPerS: number,
  { width }: SearchPlan,
): SearchStep {
  return nextStep(trials, { startPerS, width, leastPerS: LEAST_SHARE * startPerS });
}

function trialsOf(results: readonly TrialResult[], { objective }: SearchPlan): CapacityTrial[] {
  return results.flatMap(({ trial: { purpose, load }, window }) => {
    const isFresh = purpose === "confirm";
    if (load.open === null || !(isFresh || purpose === "search")) return [];
    const { perS } = load.open;
    const seen = window && capacityTrialOf(window.measurement, perS, isFresh, objective);
    // A server that failed did not hold the rate
    return [seen ?? { perS, isFresh, isMet: false, isMeasurable: true, achievedPerS: 0 }];
  });
}

/** What gave way at a rate, as it is judged of windows. */
function verdictAt(
  results: readonly TrialResult[],
  perS: number | null,
  context: CellContext,
): Capacity["verdict"] {
  const own = results.filter(({ trial: { purpose, load } }) =>
    load.open !== null && load.open.perS === perS && purpose !== "measure"
  );
  const windows = own.map(({ trial, ...rest }): TrialResult => ({
    ...rest,
    trial: { ...trial, purpose: "measure" },
  }));
  const [cell] = deriveCells(windows, context);
  return cell?.verdict ?? null;
}

/** Why there is no rate that was held. */
function whyNot(results: readonly TrialResult[], isFound: boolean): Reason {
  const failure = results.find(({ failure }) => failure !== null)?.failure ?? null;
  if (failure !== null) return { kind: "told", text: failure.message };
  return { kind: isFound ? "none-held" : "search-ended" };
}
