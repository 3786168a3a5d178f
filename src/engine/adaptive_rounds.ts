import { roundsToDecide } from "../analysis/changes.ts";
import { compare, metricOf } from "../analysis/comparisons.ts";
import { isSameResult, isSameWorkload, resultKeyOf, workloadOf } from "../analysis/keys.ts";
import { isSliced, slicesProblem, slicesRatio } from "../analysis/slice_ratios.ts";
import { budgetS, estimateS } from "../experiment/durations.ts";
import {
  confirmationRounds,
  connectionsTestLoad,
  type Planner,
  SCALE_WINDOWS,
} from "../experiment/planner.ts";
import type { Comparison, ResultKey } from "../model/derived.ts";
import { relativeWidth } from "../model/estimate.ts";
import type { Plan, WhyMore } from "../model/events.ts";
import type { RunContext } from "./run_context.ts";

/** Inputs for measuring in adaptive rounds. */
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
 * Runs a whole experiment. It measures the first rounds and adds rounds while confidence intervals
 * are too wide. It runs scale tests if only more shards or more connections can show the bottleneck.
 * It confirms gate failures in fresh rounds.
 *
 * Except for that confirmation, only the width of the confidence intervals adds rounds. Adding rounds
 * until a difference is significant would find differences that do not exist:
 * https://doi.org/10.1177/0956797611417632
 */
export async function runAdaptiveRounds(context: AdaptiveRounds): Promise<void> {
  const { experiment: { design }, first, measure, recorder, canScale, nowMs } = context;
  await measure(first);
  const deadline = nowMs() + 1000 * budgetS(design, first);
  await narrow(context, deadline);
  for (const result of recorder.results()) {
    if (canScale && result.bottleneck?.needsScaleTest === "shards") {
      await testScale(result, "shards", context);
    }
  }
  await testConnections(context, deadline);
  await confirm(context);
}

/** Adds rounds for results with wide confidence intervals, until the deadline. */
async function narrow(context: AdaptiveRounds, deadline: number): Promise<void> {
  const { experiment: { design: { maxRounds, width } }, planner, first, nowMs } = context;
  while (planner.rounds < maxRounds) {
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
    await measureMore(context, plan, { kind: "width", round: planner.rounds, width });
  }
}

/**
 * Tests whether more connections raise the rate of results with an unknown bottleneck.
 *
 * Each test must fit into the time budget for added rounds. The first test is exempt under two
 * conditions: the user set no budget, so that the default applies, and the run has enough rounds to
 * decide on one comparison ({@linkcode roundsToDecide}).
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

/** Loads a workload alternately with its shards or connections and with twice that number. */
async function testScale(
  result: ResultKey,
  what: "shards" | "connections",
  context: AdaptiveRounds,
): Promise<void> {
  const plan = context.planner.scaleTest(result, what);
  await measureMore(context, plan, { kind: "scale", scenario: result.scenario, what });
}

/** Measures possible gate failures again in fresh rounds, which alone decide whether the gate fails. */
async function confirm(context: AdaptiveRounds): Promise<void> {
  const { experiment: { design }, planner, breaches } = context;
  const found = breaches();
  if (found.length === 0) return;
  const scenarios = [...new Set(found.map(({ scenario }) => scenario))];
  for (let i = 0; i < confirmationRounds(design); i++) {
    const plan = planner.confirmation((key) => found.some((one) => isSameWorkload(one, key)));
    await measureMore(context, plan, { kind: "confirm", round: planner.rounds, scenarios });
  }
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

/**
 * Returns the results with confidence intervals that are still too wide: those measured in windows,
 * and those measured in slices. Servers are compared by the metric of their workload. If the ratio
 * of two servers is too imprecise, both need more rounds, because each round pairs them.
 */
function wideResults(
  { experiment: { design: { width, ratiosOnly } }, recorder }: AdaptiveRounds,
): { readonly windows: readonly ResultKey[]; readonly slices: readonly ResultKey[] } {
  const { blocks } = recorder;
  const isWide = (one: number | null): boolean => one === null || one > width;
  const valid = recorder.results().filter(({ status }) => status === "ok");
  const windows = valid.filter((result) => {
    const group = valid.filter((other) => isSameWorkload(other, result));
    const metric = metricOf(group);
    const own = result[metric];
    if (!ratiosOnly && isWide(own && relativeWidth(own))) return true;
    return !isSliced(blocks, result) && group.some(({ variant: b }) => {
      const pair = { ...workloadOf(result), a: result.variant, b, metric };
      return b !== result.variant && isWide(logWidth(compare(recorder, pair)));
    });
  });
  const keys = blocks.flatMap(({ block }) =>
    block.variants.map((variant) => ({ variant, ...workloadOf(block) }))
  );
  // More rounds do not repair an invalid measurement.
  const sliced = keys.filter((key, i) => keys.findIndex((one) => isSameResult(one, key)) === i)
    .filter((key) => slicesProblem(blocks, key) === null);
  const slices = sliced.filter((key) =>
    sliced.some(({ variant: b, ...workload }) => {
      if (!isSameWorkload(workload, key) || b === key.variant) return false;
      const pair = { ...workload, a: key.variant, b };
      const ratio = slicesRatio(blocks, { ...pair, metric: "serverCpuUs" }) ??
        slicesRatio(blocks, { ...pair, metric: "requestsPerS" });
      return isWide(logWidth(ratio));
    })
  );
  return { windows, slices };
}

/** Returns half the width of a ratio's confidence interval as a logarithm; null without an interval. */
function logWidth(ratio: Pick<Comparison, "confidenceInterval"> | null): number | null {
  const { confidenceInterval } = ratio ?? {};
  return confidenceInterval ? Math.log(confidenceInterval.high / confidenceInterval.low) / 2 : null;
}
