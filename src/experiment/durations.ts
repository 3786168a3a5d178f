/** Estimates the duration of a plan. */
import { byResult, resultKeyOf } from "../analysis/keys.ts";
import type { Block } from "../model/block.ts";
import { type CostGroup, LOADED_GROUPS } from "../model/costs.ts";
import type { Plan } from "../model/events.ts";
import type { Design, Load, Trial } from "../model/experiment.ts";
import { sum } from "../stats/median.ts";
import { confirmationRounds, scaleTestOf } from "./planner.ts";

/** Estimated time for starting and stopping a server, in seconds. */
const ROUND_OVERHEAD_S = 1;
/** Estimated time for verifying a server before each trial, in seconds. */
const TRIAL_OVERHEAD_S = 0.2;

/** Returns the maximum time of added rounds, in seconds. */
export function budgetS(design: Design, first: Plan): number {
  return design.budgetS ?? design.budgetShare * estimateS(first);
}

/** Returns the most seconds after the first rounds: more rounds, scale tests and the gate's confirmations. */
export function mostAddedS(design: Design, first: Plan, canScale: boolean): number {
  const scaleS = byResult(first.trials, resultKeyOf)
    .map(([trial]) => windowsS(scaleTestOf(trial, "shards")));
  const shardsS = canScale ? sum(scaleS) : 0;
  // More connections are tested for one result, and for others within the budget
  const connectionsS = Math.max(0, ...scaleS);
  const again = design.failOn === null ? 0 : confirmationRounds(design) / design.rounds;
  return budgetS(design, first) + shardsS + connectionsS + again * slicesS(first.blocks);
}

/** Returns the estimated duration of a plan, in seconds. */
export function estimateS({ trials, blocks }: Plan): number {
  return windowsS(trials) + slicesS(blocks);
}

/** Returns the estimated duration of profiles, in seconds. Each needs a separate server process. */
export function profilesS(profiles: readonly { readonly load: Load }[]): number {
  return sum(profiles.map(({ load }) => ROUND_OVERHEAD_S + load.warmupS + load.durationS));
}

/** Estimated seconds of a group of costs in a round; those of tails and peaks at each scenario. */
const COST_S: Readonly<Record<CostGroup, number>> = {
  startup: 3,
  cold: 4,
  memory: 2,
  idle: 7,
  peak: 8,
  p99: 8,
  "p99.9": 13,
};

/** Returns the estimated duration of a round of costs, in seconds. Groups with a load share it. */
export function costRoundS(groups: readonly CostGroup[], scenarios: number): number {
  const secondsOf = (own: readonly CostGroup[]): number[] => own.map((group) => COST_S[group]);
  const loaded = groups.filter((group) => LOADED_GROUPS.includes(group));
  return sum(secondsOf(groups.filter((group) => !loaded.includes(group)))) +
    scenarios * Math.max(0, ...secondsOf(loaded));
}

function windowsS(trials: readonly Trial[]): number {
  const starts = new Set(trials.map(({ round, variant }) => `${round} ${variant}`)).size;
  return starts * ROUND_OVERHEAD_S + sum(trials.map(({ load }) => {
    // A window of whole cycles starts after a wave of waiting responses.
    const wave = load.responses === null ? 0 : 2;
    return Math.max(load.warmupS, wave) + load.durationS + TRIAL_OVERHEAD_S;
  }));
}

function slicesS(blocks: readonly Block[]): number {
  const starts = new Set(blocks.map(({ round }) => round)).size;
  return starts * ROUND_OVERHEAD_S +
    sum(
      blocks.map(({ variants, warmupS, earlyS, durationS }) =>
        sum(Object.values(earlyS)) + variants.length * (warmupS + durationS) + TRIAL_OVERHEAD_S
      ),
    );
}
