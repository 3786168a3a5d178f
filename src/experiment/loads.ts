/** How hard, and for how long, scenarios are loaded. */
import type { Experiment, Load, LoadPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";

/** How a scenario is loaded: as it needs to be, unless the person asked for something else. */
export function loadsOf(scenario: Scenario, plan: LoadPlan): Load[] {
  const own = [scenario.connections ?? plan.defaultConnections];
  const loads = (plan.connections ?? own).map((count) => loadOf(scenario, plan, count));
  const { open } = plan;
  if (open === null) return loads;
  const { arrivals } = open;
  return loads.flatMap((load) =>
    (open.perS[scenario.id] ?? []).map((perS) => ({
      ...load,
      durationS: plan.durationS,
      answers: null,
      open: { perS, arrivals, seed: 0 },
    }))
  );
}

function loadOf(scenario: Scenario, plan: LoadPlan, connections: number): Load {
  const { cycle } = scenario;
  const cycles = cycle === null ? 0 : Math.ceil(plan.durationS / cycle.waitS);
  return {
    connections,
    shards: plan.shards,
    warmupS: plan.warmupS ?? scenario.warmupS ?? plan.defaultWarmupS,
    durationS: cycle === null ? plan.durationS : cycles * cycle.waitS,
    answers: plan.requests ?? (cycle === null ? null : cycles * cycle.every * connections),
    timeoutS: plan.timeoutS,
    open: null,
  };
}

/** The most connections that any scenario of an experiment opens at once. */
export function mostConnections(
  { scenarios, load }: Pick<Experiment, "scenarios" | "load">,
): number {
  // Rates may not be known yet
  const loads = scenarios.flatMap((scenario) => loadsOf(scenario, { ...load, open: null }));
  return Math.max(...loads.map(({ connections }) => connections));
}
