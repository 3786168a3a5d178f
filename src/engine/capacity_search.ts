import { searchStep, startOf } from "../analysis/capacities.ts";
import { estimateS } from "../experiment/durations.ts";
import { type CapacitySearch, SearchPlanner } from "../experiment/search_plan.ts";
import type { SearchPlan, Trial } from "../model/experiment.ts";
import { checkOpenLoop, type RunContext } from "./run_context.ts";
import { runTrials } from "./server_rounds.ts";

/**
 * Searches for the highest rates that meet an SLO. A short closed loop gives the start rate. The
 * search loads one server process; fresh processes then confirm the rate found. Finally, response
 * times are measured at fractions of that rate.
 */
export async function measureBySearch(context: RunContext, plan: SearchPlan): Promise<void> {
  const { experiment, variants, servers, emit, recorder } = context;
  const planner = new SearchPlanner(experiment, variants);
  const { searches } = planner;
  const pilots = planner.pilots();
  await emit({ kind: "plan", plan: pilots, mostAddedS: planner.mostS() });
  for (const trial of pilots.trials) {
    await runTrials(context, [trial]).finally(() => servers.release());
  }
  for (const own of Map.groupBy(searches, ({ scenario }) => scenario).values()) {
    const starts = own.map((search) => startOf(recorder.trialResults, keyOf(search)) ?? 0);
    const fastestPerS = Math.max(...starts);
    const fastest = own[starts.indexOf(fastestPerS)];
    if (fastest === undefined || fastestPerS === 0) continue;
    const { open, connections } = planner.loadAt(fastest, fastestPerS);
    if (open !== null) await checkOpenLoop(context, { open, connections });
  }
  for (const [i, search] of searches.entries()) {
    await searchOne({ ...context, planner, plan }, search, searches.slice(i + 1))
      .finally(() => servers.release());
  }
}

async function searchOne(
  context: RunContext & { readonly planner: SearchPlanner; readonly plan: SearchPlan },
  search: CapacitySearch,
  following: readonly CapacitySearch[],
): Promise<void> {
  const { planner, plan, servers, emit, recorder } = context;
  const key = keyOf(search);
  for (let isFirst = true;; isFirst = false) {
    const step = searchStep(recorder.trialResults, key, plan);
    if (step === null || (step.kind === "found" && step.heldPerS === null)) return;
    if (step.kind === "found") {
      const perS = step.heldPerS as number;
      await servers.release();
      const curve = planner.curve(search, perS);
      const mostAddedS = planner.mostS(following);
      await emit({ kind: "more", plan: curve, why: { kind: "curve", ...key, perS }, mostAddedS });
      return await runTrials(context, curve.trials);
    }
    const { perS, isFresh } = step;
    if (isFresh) await servers.release();
    const next = planner.next(search, perS, isFirst, isFresh);
    // Each search gets its full time, however long the earlier searches took.
    const mostAddedS = isFirst ? planner.mostS([search, ...following]) - estimateS(next) : null;
    const why = { kind: "search", ...key, perS, isFresh } as const;
    await emit({ kind: "more", plan: next, why, mostAddedS });
    const before = recorder.trialResults.length;
    await runTrials(context, next.trials);
    // If the server cannot start or responds wrongly, another rate does not help.
    const isHopeless = recorder.trialResults.slice(before).every(({ failure }) =>
      failure !== null && failure.kind !== "window"
    );
    if (isHopeless) return;
  }
}

function keyOf({ variant, scenario }: CapacitySearch): Pick<Trial, "variant" | "scenario"> {
  return { variant: variant.id, scenario: scenario.id };
}
