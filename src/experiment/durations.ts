/** How long what is planned takes, roughly. */
import type { Block } from "../model/block.ts";
import type { Plan } from "../model/events.ts";
import type { Design, Load, Trial } from "../model/experiment.ts";
import { resultKeyOf } from "../analysis/result_key.ts";
import { confirmationRounds, SCALE_WINDOWS } from "./planner.ts";

/** What starting, verifying and stopping take beside the load. */
const ROUND_OVERHEAD_S = 1;
const TRIAL_OVERHEAD_S = 0.2;

/** The seconds that added rounds may take, by how long the first ones do. */
export function budgetS(design: Design, first: Plan): number {
  return design.budgetS ?? design.budgetShare * estimateS(first);
}

/**
 * The seconds that may be added to the first rounds at most: more rounds, scale tests, and what a gate measures
 * again.
 *
 * @param canScale whether more shards of the load generator can be tried
 */
export function mostAddedS(design: Design, first: Plan, canScale: boolean): number {
  const results = Map.groupBy(first.trials, (trial) => JSON.stringify(resultKeyOf(trial)));
  const scaleS = [...results.values()].map(([trial]) =>
    windowsS(Array<Trial>(SCALE_WINDOWS).fill(trial as Trial))
  );
  const shardsS = canScale ? scaleS.reduce((sum, one) => sum + one, 0) : 0;
  // More connections are tried in one result, and in others as far as the budget goes
  const connectionsS = Math.max(0, ...scaleS);
  const again = design.failOn === null ? 0 : confirmationRounds(design) / design.rounds;
  return budgetS(design, first) + shardsS + connectionsS + again * slicesS(first.blocks);
}

/** About how long this takes, in seconds. */
export function estimateS({ trials, blocks }: Plan): number {
  return windowsS(trials) + slicesS(blocks);
}

/** About how long profiles take, in seconds; each has a process of its own. */
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
    // A wave of waiting responses has to come in before a window of whole cycles starts.
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
