/** The loads of scenarios: connections, warm-up, and length of the window. */
import type { Experiment, Load, LoadPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";

/** Extension of a warm-up in s that is always allowed; on two busy cores fastify needed 1.3 s. */
const MORE_WARMUP_S = 5;

/** Returns the loads of a scenario: the requested ones, or the scenario's defaults. */
export function loadsOf(scenario: Scenario, plan: LoadPlan): Load[] {
  const { cycle } = scenario;
  const { shards, durationS, timeoutS, open } = plan;
  const warmupS = plan.warmupS ?? scenario.warmupS ?? plan.defaultWarmupS;
  const cycles = cycle === null ? 0 : Math.ceil(durationS / cycle.waitS);
  return connectionsOf(scenario, plan).flatMap((connections): Load[] => {
    const common = { connections, shards, warmupS, mostWarmupS: warmupS, durationS, timeoutS };
    if (open !== null) {
      return (open.perS[scenario.id] ?? []).map((perS) => ({
        ...common,
        responses: null,
        open: { perS, arrivals: open.arrivals, seed: 0 },
      }));
    }
    return [{
      ...common,
      durationS: cycle === null ? durationS : cycles * cycle.waitS,
      responses: plan.requests ?? (cycle === null ? null : cycles * cycle.every * connections),
      open: null,
    }];
  });
}

function connectionsOf(scenario: Scenario, plan: LoadPlan): readonly number[] {
  return plan.connections ?? [scenario.connections ?? plan.defaultConnections];
}

/**
 * Returns a load with its warm-up at a server. Unless the user set it, it may be extended, up to twice the
 * server's: Spring Boot's rate climbs for up to 60 s with a database, otherwise for 30 s.
 */
export function warmedUp(load: Load, { warmupS: asked }: LoadPlan, server: Server): Load {
  const warmupS = asked ?? Math.max(load.warmupS, server.warmupS ?? 0);
  const moreS = Math.max(MORE_WARMUP_S, server.warmupS ?? 0);
  return { ...load, warmupS, mostWarmupS: asked ?? warmupS + moreS };
}

/** Returns a load or block with another warm-up, which may be extended for the same time. */
export function withWarmup<T extends Pick<Load, "warmupS" | "mostWarmupS">>(
  load: T,
  warmupS: number,
): T {
  return { ...load, warmupS, mostWarmupS: warmupS + (load.mostWarmupS - load.warmupS) };
}

/** Returns the maximum number of connections of an experiment. Its rates may be unknown so far. */
export function mostConnections(
  { scenarios, load }: Pick<Experiment, "scenarios" | "load">,
): number {
  return Math.max(...scenarios.flatMap((scenario) => connectionsOf(scenario, load)));
}
