import type { Load, RunConfig, Scenario, Target, Trial } from "../model.ts";
import { seededRandom, shuffle } from "./shuffle.ts";

/** How long one answer may take before it counts as timed out. */
const TIMEOUT_S = 10;
/** What starting, verifying and stopping take beside the windows, roughly. */
const ROUND_OVERHEAD_S = 1;
const TRIAL_OVERHEAD_S = 0.2;

/**
 * What a run will do, in order: in every round each server is started once and measured at every
 * scenario that it implements; the order of servers and scenarios is shuffled anew for each round.
 */
export function planTrials(
  config: RunConfig,
  targets: readonly Target[],
  scenarios: readonly Scenario[],
): Trial[] {
  const random = seededRandom(config.seed);
  const trials: Trial[] = [];
  for (let round = 1; round <= config.rounds; round++) {
    const order = shuffle(scenarios, random);
    for (const target of shuffle(targets, random)) {
      for (const scenario of order) {
        if (!(scenario.id in target.scenarios)) continue;
        trials.push({
          index: trials.length,
          round,
          target: target.id,
          scenario: scenario.id,
          generator: config.generator,
          load: loadOf(scenario, config),
        });
      }
    }
  }
  return trials;
}

/** How a scenario is loaded: its own number of connections unless the person asked for another. */
export function loadOf(scenario: Scenario, config: RunConfig): Load {
  const connections = config.connections ?? scenario.connections ?? config.defaultConnections;
  const { cycle } = scenario;
  const cycles = cycle === null ? 0 : Math.ceil(config.durationS / cycle.waitS);
  return {
    connections,
    warmupS: config.warmupS,
    durationS: cycle === null ? config.durationS : cycles * cycle.waitS,
    answers: cycle === null ? null : cycles * cycle.every * connections,
    timeoutS: TIMEOUT_S,
  };
}

/** About how long these trials take, in seconds. */
export function estimateS(trials: readonly Trial[]): number {
  let total = 0;
  let server = "";
  for (const { round, target, load } of trials) {
    if (server !== `${round} ${target}`) total += ROUND_OVERHEAD_S;
    server = `${round} ${target}`;
    // A wave of waiting answers has to come in before a window of whole cycles starts.
    const wave = load.answers === null ? 0 : 2;
    total += Math.max(load.warmupS, wave) + load.durationS + TRIAL_OVERHEAD_S;
  }
  return total;
}
