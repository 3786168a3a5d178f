/** Estimates the duration of a plan. */
import type { Block } from "../model/block.ts";
import type { Plan } from "../model/events.ts";
import type { Design, Load, Trial } from "../model/experiment.ts";
import { resultKeyOf } from "../analysis/result_key.ts";
import { confirmationRounds, SCALE_WINDOWS } from "./planner.ts";

/** Estimated time for starting and stopping a server, in seconds. */
const ROUND_OVERHEAD_S = 1;
/** Estimated time for verifying a server before each trial, in seconds. */
const TRIAL_OVERHEAD_S = 0.2;

/** Returns the maximum time of added rounds, in seconds. */
export function budgetS(design: Design, first: Plan): number {
  return design.budgetS ?? design.budgetShare * estimateS(first);
}

/**
 * Returns the maximum number of seconds that may be added after the first rounds: by more rounds, scale
 * tests, and confirmations for the gate.
 *
 * @param canScale whether the load generator can use more shards
 */
export function mostAddedS(design: Design, first: Plan, canScale: boolean): number {
  const results = Map.groupBy(first.trials, (trial) => JSON.stringify(resultKeyOf(trial)));
  const scaleS = [...results.values()].map(([trial]) =>
    windowsS(Array<Trial>(SCALE_WINDOWS).fill(trial as Trial))
  );
  const shardsS = canScale ? scaleS.reduce((sum, one) => sum + one, 0) : 0;
  // More connections are tested for one result, and for others within the budget
  const connectionsS = Math.max(0, ...scaleS);
  const again = design.failOn === null ? 0 : confirmationRounds(design) / design.rounds;
  return budgetS(design, first) + shardsS + connectionsS + again * slicesS(first.blocks);
}

/** Returns the estimated duration of a plan, in seconds. */
export function estimateS({ trials, blocks }: Plan): number {
  return windowsS(trials) + slicesS(blocks);
}

/** Returns the estimated duration of profiles, in seconds. Each profile needs a separate server process. */
export function profilesS(profiles: readonly { readonly load: Load }[]): number {
  return profiles.reduce(
    (total, { load: { warmupS, durationS } }) => total + ROUND_OVERHEAD_S + warmupS + durationS,
    0,
  );
}

function windowsS(trials: readonly Trial[]): number {
  let total = 0;
  let server = "";
  for (const { round, variant, load } of trials) {
    if (server !== `${round} ${variant}`) total += ROUND_OVERHEAD_S;
    server = `${round} ${variant}`;
    // A window of whole cycles starts after a wave of waiting responses.
    const wave = load.responses === null ? 0 : 2;
    total += Math.max(load.warmupS, wave) + load.durationS + TRIAL_OVERHEAD_S;
  }
  return total;
}

function slicesS(blocks: readonly Block[]): number {
  const rounds = new Set(blocks.map(({ round }) => round)).size;
  return blocks.reduce(
    (total, { variants, warmupS, durationS }) =>
      total + variants.length * (warmupS + durationS) + TRIAL_OVERHEAD_S,
    rounds * ROUND_OVERHEAD_S,
  );
}
