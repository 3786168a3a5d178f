import type { Cell, CellKey, Comparison } from "../model/derived.ts";
import type { WhyMore } from "../model/events.ts";
import type { Design, Trial } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import { budgetS, estimateS, type Planner } from "../experiment/plan.ts";
import { compare, metricOf } from "../analysis/comparisons.ts";
import { relativeWidth } from "../analysis/estimate.ts";
import { cellKeyOf, isSameCell, isSameTask } from "../analysis/cell_key.ts";

/** What a campaign works with. */
export interface CampaignContext {
  /** Has planned the first rounds already. */
  readonly planner: Planner;
  readonly firstTrials: readonly Trial[];
  readonly design: Design;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  /** Runs trials; their results are then among `results`. */
  run(trials: readonly Trial[]): Promise<void>;
  /** Whether the load generator can use more shards. */
  readonly canScale: boolean;
  /** What was measured so far. */
  readonly results: readonly TrialResult[];
  /** What it says so far. */
  cells(): readonly Cell[];
  /** Hears of more rounds, and why. */
  readonly onMore: (trials: readonly Trial[], why: WhyMore) => Promise<void>;
}

/**
 * A whole run: the first rounds, more rounds where the figures are not yet sharp enough, and the scale
 * test where both the server and the generator seem to be the limit.
 *
 * Rounds are added by the width of the intervals alone, never until something is significant, which
 * would find differences where there are none. https://doi.org/10.1177/0956797611417632
 */
export async function runCampaign(context: CampaignContext): Promise<void> {
  const { planner, firstTrials, run } = context;
  await run(firstTrials);
  await addRounds(context);
  for (const cell of context.cells()) {
    if (cell.verdict?.needsScaleTest && context.canScale) {
      const trials = planner.scaleTest(cell);
      await context.onMore(trials, { kind: "scale", scenario: cell.scenario });
      await run(trials);
    }
  }
}

async function addRounds(context: CampaignContext): Promise<void> {
  const { planner, firstTrials, design, run, nowMs } = context;
  const deadline = nowMs() + 1000 * budgetS(design, firstTrials);
  while (planner.rounds < design.maxRounds) {
    const wide = wideCells(context);
    if (wide.length === 0) return;
    const isWide = (key: CellKey): boolean => wide.some((cell) => isSameCell(cell, key));
    // By the first round, since a round that is planned takes its place in the run.
    const tookS = estimateS(
      firstTrials.filter((trial) => trial.round === 1 && isWide(cellKeyOf(trial))),
    );
    if (nowMs() + 1000 * tookS > deadline) return;
    const trials = planner.nextRound(isWide);
    const { width } = design;
    await context.onMore(trials, { kind: "width", round: planner.rounds, width });
    await run(trials);
  }
}

/**
 * The cells whose figure is not known well enough, by the figure that they are compared by. Where
 * one pair of servers is not, both need more rounds, since rounds are what pairs them.
 */
function wideCells({ design, results, cells }: CampaignContext): Cell[] {
  const valid = cells().filter(({ status }) => status === "ok");
  return valid.filter((cell) => {
    const { arm, scenario, connections } = cell;
    const group = valid.filter((other) => isSameTask(other, cell));
    const metric = metricOf(group);
    const figure = cell[metric];
    const widths = group.filter((other) => other.arm !== arm)
      .map(({ arm: b }) =>
        logWidth(compare(results, { scenario, connections, a: arm, b, metric }))
      );
    const own = design.ratiosOnly ? [] : [figure && relativeWidth(figure)];
    return [...own, ...widths].some((width) => width === null || width > design.width);
  });
}

function logWidth(comparison: Comparison | null): number | null {
  const { interval } = comparison ?? {};
  return interval ? Math.log(interval.high / interval.low) / 2 : null;
}
