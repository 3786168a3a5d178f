import type { BlockResult } from "../model/block.ts";
import type { Comparison, Result, ResultKey } from "../model/derived.ts";
import type { Plan, WhyMore } from "../model/events.ts";
import type { Design } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import { budgetS, estimateS } from "../experiment/durations.ts";
import {
  confirmationRounds,
  connectionsTestLoad,
  type Planner,
  SCALE_WINDOWS,
} from "../experiment/planner.ts";
import { isSliced, slicesProblem, slicesRatio } from "../analysis/slice_ratios.ts";
import { compare, metricOf } from "../analysis/comparisons.ts";
import { roundsToDecide } from "../analysis/judge_changes.ts";
import { relativeWidth } from "../model/estimate.ts";
import { isSameResult, resultKeyOf } from "../analysis/result_key.ts";
import { isSameWorkload, workloadOf } from "../analysis/workloads.ts";

/** Inputs and callbacks of the adaptive rounds. */
export interface AdaptiveRoundsContext {
  /** Planner that has already planned the first rounds. */
  readonly planner: Planner;
  readonly first: Plan;
  readonly design: Design;
  /** Returns the milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  /** Measures a plan and adds its results to `trialResults` and `blocks`. */
  run(plan: Plan): Promise<void>;
  /** Whether the load generator can use more shards. */
  readonly canScale: boolean;
  /** Everything measured so far. */
  readonly trialResults: readonly TrialResult[];
  readonly blocks: readonly BlockResult[];
  /** Returns the results derived from everything measured so far. */
  results(): readonly Result[];
  /** Returns the workloads that show a change beyond the gate's threshold. */
  breaches(): readonly ResultKey[];
  /** Called before each added plan, with the reason for it. */
  readonly onMore: (plan: Plan, why: WhyMore) => Promise<void>;
}

/**
 * Runs a whole experiment. It measures the first rounds and adds rounds while confidence intervals are too
 * wide. It runs scale tests if only more shards or more connections can show the bottleneck. It confirms gate
 * failures in fresh rounds.
 *
 * Except for that confirmation, only the width of the confidence intervals adds rounds. Adding rounds until a
 * difference is significant would find differences that do not exist:
 * https://doi.org/10.1177/0956797611417632
 */
export async function runAdaptiveRounds(context: AdaptiveRoundsContext): Promise<void> {
  const { first, design, nowMs } = context;
  await context.run(first);
  const deadline = nowMs() + 1000 * budgetS(design, first);
  await addRounds(context, deadline);
  for (const result of context.results()) {
    if (result.bottleneck?.needsScaleTest === "shards" && context.canScale) {
      await testScale(result, "shards", context);
    }
  }
  await testConnections(context, deadline);
  await confirm(context);
}

/**
 * Tests whether more connections raise the rate of results with an unknown bottleneck.
 *
 * Each test must fit into the time budget for added rounds. The first test is exempt under two conditions:
 * the user set no budget, so that the default applies, and the run has enough rounds to decide on one
 * comparison ({@linkcode roundsToDecide}).
 */
async function testConnections(context: AdaptiveRoundsContext, deadline: number): Promise<void> {
  const { first, design, nowMs } = context;
  let isFree = design.budgetS === null && design.rounds >= roundsToDecide(1);
  for (const result of context.results()) {
    if (result.bottleneck?.needsScaleTest !== "connections") continue;
    const own = first.trials.find((trial) => isSameResult(resultKeyOf(trial), result));
    // A fixed number of whole cycles is a different load with another number of connections.
    if (own === undefined || own.load.responses !== null) continue;
    const trials = Array.from({ length: SCALE_WINDOWS }, (_, i) => ({
      ...own,
      load: connectionsTestLoad(own.load, i),
    }));
    const endsMs = nowMs() + 1000 * estimateS({ trials, blocks: [] });
    if (!isFree && endsMs > deadline) continue;
    isFree = false;
    await testScale(result, "connections", context);
  }
}

/**
 * Loads the workload of a result, alternately with its usual number of shards or connections and
 * with twice that number.
 */
async function testScale(
  result: ResultKey,
  what: "shards" | "connections",
  { planner, onMore, run }: AdaptiveRoundsContext,
): Promise<void> {
  const plan = planner.scaleTest(result, what);
  await onMore(plan, { kind: "scale", scenario: result.scenario, what });
  await run(plan);
}

async function addRounds(context: AdaptiveRoundsContext, deadline: number): Promise<void> {
  const { planner, first, design, run, nowMs } = context;
  while (planner.rounds < design.maxRounds) {
    const wide = wideResults(context);
    if (wide.windows.length + wide.slices.length === 0) return;
    const among = (results: readonly ResultKey[]) => (key: ResultKey): boolean =>
      results.some((result) => isSameResult(result, key));
    const wanted = { windows: among(wide.windows), slices: among(wide.slices) };
    // The estimate uses round 1, because planning the next round would already add it to the run.
    const tookS = estimateS({
      trials: first.trials.filter((trial) =>
        trial.round === 1 && wanted.windows(resultKeyOf(trial))
      ),
      blocks: first.blocks.filter((block) =>
        block.round === 1 && wide.slices.some((result) => isSameWorkload(result, block))
      ),
    });
    if (nowMs() + 1000 * tookS > deadline) return;
    const plan = planner.nextRound(wanted);
    const { width } = design;
    await context.onMore(plan, { kind: "width", round: planner.rounds, width });
    await run(plan);
  }
}

/** Measures possible gate failures again in fresh rounds. Only these rounds decide whether the gate fails. */
async function confirm(
  { planner, design, breaches, onMore, run }: AdaptiveRoundsContext,
): Promise<void> {
  const found = breaches();
  if (found.length === 0) return;
  const scenarios = [...new Set(found.map(({ scenario }) => scenario))];
  for (let i = 0; i < confirmationRounds(design); i++) {
    const plan = planner.confirmation((key) =>
      found.some((workload) => isSameWorkload(workload, key))
    );
    await onMore(plan, { kind: "confirm", round: planner.rounds, scenarios });
    await run(plan);
  }
}

/**
 * Results with confidence intervals that are still too wide: those measured in windows, and those
 * measured in slices.
 */
interface WideResults {
  readonly windows: readonly ResultKey[];
  readonly slices: readonly ResultKey[];
}

/**
 * Returns the results with confidence intervals that are still too wide. Servers are compared by
 * the metric of their workload. If the ratio of two servers is too imprecise, both need more
 * rounds, because each round pairs them.
 */
function wideResults(context: AdaptiveRoundsContext): WideResults {
  const { design: { width, ratiosOnly }, trialResults, blocks } = context;
  const isWide = (one: number | null): boolean => one === null || one > width;
  const valid = context.results().filter(({ status }) => status === "ok");
  const windows = valid.filter((result) => {
    const { variant } = result;
    const group = valid.filter((other) => isSameWorkload(other, result));
    const metric = metricOf(group);
    const own = result[metric];
    const pairs = isSliced(blocks, result)
      ? []
      : group.filter((other) => other.variant !== variant);
    return (!ratiosOnly && isWide(own && relativeWidth(own))) ||
      pairs.some(({ variant: b }) =>
        isWide(
          logWidth(
            compare({ trialResults, blocks }, { ...workloadOf(result), a: variant, b, metric }),
          ),
        )
      );
  });
  return { windows, slices: wideSlices(context, isWide) };
}

/** Returns the block variants with an imprecise ratio to another variant or to the reference. */
function wideSlices(
  { blocks }: AdaptiveRoundsContext,
  isWide: (width: number | null) => boolean,
): ResultKey[] {
  const keys = blocks.flatMap(({ block }) =>
    block.variants.map((variant) => ({ variant, ...workloadOf(block) }))
  );
  // More rounds do not repair an invalid measurement.
  const unique = keys.filter((key, i) => keys.findIndex((one) => isSameResult(one, key)) === i)
    .filter((key) => slicesProblem(blocks, key) === null);
  return unique.filter((key) => {
    const { variant: a, ...workload } = key;
    const others = unique.filter((other) => isSameWorkload(other, key) && other.variant !== a);
    return others.some(({ variant: b }) => {
      const pair = { ...workload, a, b };
      const ratio = slicesRatio(blocks, { ...pair, metric: "serverCpuUs" }) ??
        slicesRatio(blocks, { ...pair, metric: "requestsPerS" });
      return isWide(logWidth(ratio));
    });
  });
}

function logWidth(ratio: Pick<Comparison, "confidenceInterval"> | null): number | null {
  const { confidenceInterval } = ratio ?? {};
  return confidenceInterval ? Math.log(confidenceInterval.high / confidenceInterval.low) / 2 : null;
}
