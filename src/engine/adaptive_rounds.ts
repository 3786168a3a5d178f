import type { BlockResult } from "../model/block.ts";
import type { Comparison, ResultKey } from "../model/derived.ts";
import type { Plan, WhyMore } from "../model/events.ts";
import { budgetS, estimateS } from "../experiment/durations.ts";
import {
  confirmationRounds,
  connectionsTestLoad,
  type Planner,
  SCALE_WINDOWS,
} from "../experiment/planner.ts";
import { isSliced, slicesProblem, slicesRatio } from "../analysis/slice_ratios.ts";
import { compare, metricOf } from "../analysis/comparisons.ts";
import { roundsToDecide } from "../analysis/changes.ts";
import { relativeWidth } from "../model/estimate.ts";
import { isSameResult, isSameWorkload, resultKeyOf, workloadOf } from "../analysis/keys.ts";
import type { RunContext } from "./run_context.ts";

/** What the adaptive rounds use: parts of the run's context, and the planned rounds. */
interface AdaptiveRounds extends Pick<RunContext, "experiment" | "recorder" | "emit" | "nowMs"> {
  /** Planner that has already planned the first rounds. */
  readonly planner: Planner;
  readonly first: Plan;
  /** Measures a plan and records its results. */
  readonly measure: (plan: Plan) => Promise<void>;
  /** Whether the load generator can use more shards. */
  readonly canScale: boolean;
  /** Returns the workloads that show a change beyond the gate's threshold. */
  readonly breaches: () => readonly ResultKey[];
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
export async function runAdaptiveRounds(context: AdaptiveRounds): Promise<void> {
  const { experiment: { design }, first, measure, recorder, nowMs } = context;
  await measure(first);
  const deadline = nowMs() + 1000 * budgetS(design, first);
  await addRounds(context, deadline);
  for (const result of recorder.results()) {
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
async function testConnections(context: AdaptiveRounds, deadline: number): Promise<void> {
  const { experiment: { design }, first, recorder, nowMs } = context;
  let isFree = design.budgetS === null && design.rounds >= roundsToDecide(1);
  for (const result of recorder.results()) {
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
  context: AdaptiveRounds,
): Promise<void> {
  const plan = context.planner.scaleTest(result, what);
  await measureMore(context, plan, { kind: "scale", scenario: result.scenario, what });
}

/** Measures an added plan, after an event with the reason for it. */
async function measureMore(
  { emit, measure }: AdaptiveRounds,
  plan: Plan,
  why: WhyMore,
): Promise<void> {
  await emit({ kind: "more", plan, why, mostAddedS: null });
  await measure(plan);
}

async function addRounds(context: AdaptiveRounds, deadline: number): Promise<void> {
  const { experiment: { design }, planner, first, nowMs } = context;
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
    await measureMore(context, plan, { kind: "width", round: planner.rounds, width });
  }
}

/** Measures possible gate failures again in fresh rounds. Only these rounds decide whether the gate fails. */
async function confirm(context: AdaptiveRounds): Promise<void> {
  const { experiment: { design }, planner, breaches } = context;
  const found = breaches();
  if (found.length === 0) return;
  const scenarios = [...new Set(found.map(({ scenario }) => scenario))];
  for (let i = 0; i < confirmationRounds(design); i++) {
    const plan = planner.confirmation((key) =>
      found.some((workload) => isSameWorkload(workload, key))
    );
    await measureMore(context, plan, { kind: "confirm", round: planner.rounds, scenarios });
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
function wideResults(context: AdaptiveRounds): WideResults {
  const { experiment: { design: { width, ratiosOnly } }, recorder } = context;
  const { blocks } = recorder;
  const isWide = (one: number | null): boolean => one === null || one > width;
  const valid = recorder.results().filter(({ status }) => status === "ok");
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
            compare(recorder, { ...workloadOf(result), a: variant, b, metric }),
          ),
        )
      );
  });
  return { windows, slices: wideSlices(blocks, isWide) };
}

/** Returns the block variants with an imprecise ratio to another variant or to the reference. */
function wideSlices(
  blocks: readonly BlockResult[],
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
