/** How hard, and for how long, scenarios are loaded. */
import type { Experiment, Load, LoadPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";

/**
 * Seconds by which a warm-up is extended at most, while the rate still climbs. During a build, on
 * two cores, fastify needed 1.3 s more; what still climbs after this is marked.
 */
const MORE_WARMUP_S = 5;

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
      responses: null,
      open: { perS, arrivals, seed: 0 },
    }))
  );
}

function loadOf(scenario: Scenario, plan: LoadPlan, connections: number): Load {
  const { cycle } = scenario;
  const warmupS = plan.warmupS ?? scenario.warmupS ?? plan.defaultWarmupS;
  const cycles = cycle === null ? 0 : Math.ceil(plan.durationS / cycle.waitS);
  return {
    connections,
    shards: plan.shards,
    warmupS,
    mostWarmupS: mostWarmupS(plan, warmupS),
    durationS: cycle === null ? plan.durationS : cycles * cycle.waitS,
    responses: plan.requests ?? (cycle === null ? null : cycles * cycle.every * connections),
    timeoutS: plan.timeoutS,
    open: null,
  };
}

/** Returns the longest warm-up, given the shortest one, in seconds. A length that a person set is exact. */
export function mostWarmupS({ warmupS }: Pick<LoadPlan, "warmupS">, leastS: number): number {
  return warmupS ?? leastS + MORE_WARMUP_S;
}

/** The most connections that any scenario of an experiment opens at once. */
export function mostConnections(
  { scenarios, load }: Pick<Experiment, "scenarios" | "load">,
): number {
  // Rates may not be known yet
  const loads = scenarios.flatMap((scenario) => loadsOf(scenario, { ...load, open: null }));
  return Math.max(...loads.map(({ connections }) => connections));
}
