/** Returns the loads of scenarios: connections, duration and rate. */
import type { Experiment, Load, LoadPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";

/**
 * Maximum extension of a warm-up, in seconds. A warm-up is extended while the rate still climbs. During a
 * build on two cores, fastify needed 1.3 s more. Results that still climb after the extension are marked.
 */
const MORE_WARMUP_S = 5;

/** Returns the loads of a scenario: the requested ones, or the scenario's defaults. */
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

/**
 * Returns the maximum warm-up, given the minimum one, in seconds. If the user set a length, both are equal.
 */
export function mostWarmupS({ warmupS }: Pick<LoadPlan, "warmupS">, leastS: number): number {
  return warmupS ?? leastS + MORE_WARMUP_S;
}

/** Returns the maximum number of connections of an experiment. */
export function mostConnections(
  { scenarios, load }: Pick<Experiment, "scenarios" | "load">,
): number {
  // Rates may be unknown so far
  const loads = scenarios.flatMap((scenario) => loadsOf(scenario, { ...load, open: null }));
  return Math.max(...loads.map(({ connections }) => connections));
}
