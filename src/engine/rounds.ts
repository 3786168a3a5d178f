/** Measures an experiment in rounds: the planned ones, and those that its results require. */
import { calmRatio } from "../analysis/calm_slices.ts";
import { roundsToDecide } from "../analysis/changes.ts";
import { compare, metricOf } from "../analysis/comparisons.ts";
import { limitedByGenerator } from "../analysis/derive_results.ts";
import { isSameResult, isSameWorkload, resultKeyOf, workloadOf } from "../analysis/keys.ts";
import { isSliced, slicesProblem } from "../analysis/slice_ratios.ts";
import { breachesOf, unclearCosts, unclearOf } from "../analysis/variant_changes.ts";
import { budgetS, estimateS, mostAddedS, profilesS } from "../experiment/durations.ts";
import { driverOf, lastRoundOf, partsOf, resume, roundsIn } from "../experiment/parts.ts";
import {
  confirmationRounds,
  hasFreshProcesses,
  Planner,
  scaleTestOf,
} from "../experiment/planner.ts";
import { costKeys } from "../model/costs.ts";
import type { Comparison, ResultKey } from "../model/derived.ts";
import { relativeWidth } from "../model/estimate.ts";
import type { Plan, WhyMore } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { choiceKey } from "./choose_generators.ts";
import { measureBlocks } from "./measure_blocks.ts";
import { measureCosts } from "./measure_costs.ts";
import { checkOpenLoop, type RunContext, scenarioById, variantById } from "./run_context.ts";
import { runTrials } from "./server_rounds.ts";
import { takeCounts } from "./take_counts.ts";
import { DIFFERENCE_S, takeDifferences } from "./take_differences.ts";
import { takeProfiles } from "./take_profiles.ts";

/**
 * Rounds in which unclear costs are measured again, as a share of the planned ones. A round of tails takes
 * eight seconds, so twice the rounds would take more than two minutes.
 */
const AGAIN_SHARE = 0.5;

/** Measures an experiment, unless it is a search, until its confidence intervals are narrow. */
export async function measureInRounds(context: RunContext): Promise<void> {
  const { experiment, variants, reference, generatorOf, recorder, servers, emit } = context;
  const { design, design: { fallback } } = experiment;
  const isFresh = hasFreshProcesses(design, variants);
  const measure = async (plan: Plan): Promise<void> => {
    for (const { trials, blocks } of partsOf(plan, isFresh)) {
      try {
        await runTrials(context, trials);
        await measureBlocks(context, blocks);
      } finally {
        await servers.release();
      }
    }
  };
  /** Ids of the scenarios for which the generator `fallback` replaces the usual one. */
  let takenOver: readonly string[] = [];
  const planner = new Planner(
    experiment,
    { variants, reference },
    (variant, scenario) =>
      fallback !== null && takenOver.includes(scenario.id)
        ? fallback
        : generatorOf(variant, scenario),
  );
  if (fallback !== null && design.isTimed) {
    takenOver = await chooseForRounds(context, planner.pilots(), fallback, measure);
  }
  const first = design.isTimed ? planner.firstRounds() : { trials: [], blocks: [] };
  const used = new Set(first.trials.map(({ generator }) => generator));
  const canScale = recorder.facts.generators.filter(({ generator }) => used.has(generator.id))
    .every(({ generator }) => generator.threads === "configured");
  const openLoads = first.trials.flatMap(({ load }) =>
    load.open === null ? [] : { ...load, open: load.open }
  );
  for (const load of new Map(openLoads.map((load) => [load.open.perS, load])).values()) {
    await checkOpenLoop(context, load);
  }
  const left = leftOf(context, planner, first, isFresh);
  const profiles = planner.profiles();
  const mostS = mostAddedS(design, first, canScale) + profilesS(profiles);
  await emit({ kind: "plan", plan: left, mostAddedS: mostS });
  const breaches = () => breachesOf(recorder, experiment);
  const unclear = () => unclearOf(recorder, experiment);
  if (design.isTimed) {
    const rounds = { planner, first, left, measure, canScale, breaches, unclear };
    await runAdaptiveRounds({ ...context, ...rounds });
  }
  await takeCosts(context);
  if (design.counts) await takeCounts(context);
  await takeDifferences(context, planner.profiles(DIFFERENCE_S));
  await takeProfiles(context, profiles);
}

/** Returns what a run still has to measure of its first rounds, and keeps what the resumed run has measured. */
function leftOf(
  { experiment: { design }, recorder, recorder: { facts: { resumed } } }: RunContext,
  planner: Planner,
  first: Plan,
  isFresh: boolean,
): Plan {
  if (resumed === null) return first;
  const { trialResults, blocks } = recorder;
  const earlier = { ...resumed, trialResults, blocks };
  const { left, kept } = resume(first, earlier, isFresh, design.budgetS !== null);
  recorder.keep(kept);
  planner.skipTo(lastRoundOf(kept));
  return left;
}

/** Measures the costs in the planned rounds, and once more those with an unclear change. */
async function takeCosts(context: RunContext): Promise<void> {
  const { experiment, recorder } = context;
  const { scenarios, design: { costs, rounds, maxRounds, until } } = experiment;
  if (costs.length === 0) return;
  const numbers = Array.from({ length: maxRounds }, (_, i) => i + 1);
  const all = costKeys(costs, scenarios.map(({ id }) => id));
  await measureCosts(context, all, numbers.slice(0, rounds));
  if (until === "width") return;
  const again = numbers.slice(rounds, rounds + Math.ceil(AGAIN_SHARE * rounds));
  await measureCosts(context, unclearCosts(recorder, experiment), again);
}

/**
 * Returns the ids of the scenarios for which the generator `fallback` replaces the usual one: at all
 * servers, if that is the bottleneck at one of them. The choice of the resumed run applies, or else an
 * earlier one on this machine, so that runs of the same experiment use the same load generator. Otherwise
 * pilot windows decide.
 */
async function chooseForRounds(
  context: RunContext,
  { trials, blocks }: Plan,
  fallback: string,
  measure: (plan: Plan) => Promise<void>,
): Promise<readonly string[]> {
  const { testbed: { generatorChoices }, recorder, emit } = context;
  const { resumed } = recorder.facts;
  const keyOf = (trial: Trial): string => {
    const variant = variantById(context, trial.variant);
    return choiceKey(recorder.facts, variant, scenarioById(context, trial.scenario), trial);
  };
  const keptFor = (trial: Trial): string | undefined =>
    (resumed && driverOf(resumed, trial.scenario)) ?? generatorChoices.get(keyOf(trial));
  const unknown = trials.filter((trial) => keptFor(trial) === undefined);
  const limited = [...new Set(trials.map(({ generator }) => generator))];
  if (unknown.length > 0) {
    const plan = { trials: unknown, blocks };
    await measureMore({ emit, measure }, plan, { kind: "pilot", generators: limited });
    const choices = new Map<string, string>();
    for (const trial of unknown) {
      const own = recorder.trialResults.filter((trialResult) => trialResult.trial === trial);
      if (own.every(({ window }) => window === null)) continue;
      const isBottleneck = limitedByGenerator(own, recorder.facts.context).size > 0;
      choices.set(keyOf(trial), isBottleneck ? fallback : trial.generator);
    }
    await generatorChoices.keep(choices);
  }
  const taken = trials.filter((trial) => keptFor(trial) === fallback);
  const scenarios = [...new Set(taken.map(({ scenario }) => scenario))];
  if (scenarios.length > 0) {
    const isKept = unknown.length === 0;
    const note = { kind: "taken-over", scenarios, limited, generator: fallback, isKept } as const;
    await emit({ kind: "note", note });
  }
  return scenarios;
}

interface AdaptiveRounds extends Pick<RunContext, "experiment" | "recorder" | "emit" | "nowMs"> {
  /** Planner that has already planned the first rounds. */
  readonly planner: Planner;
  readonly first: Plan;
  /** The part of the first rounds to measure: all of it in a new run, the rest in a resumed one. */
  readonly left: Plan;
  readonly measure: (plan: Plan) => Promise<void>;
  /** Whether the load generator can use more shards. */
  readonly canScale: boolean;
  /** Returns the workloads that show a change beyond the gate's threshold. */
  readonly breaches: () => readonly ResultKey[];
  /** Returns the workloads at which a change is neither proven nor excluded. */
  readonly unclear: () => readonly ResultKey[];
}

/**
 * Measures the first rounds, and adds rounds while confidence intervals are too wide, or once for unclear
 * changes. Runs scale tests if only more shards or connections can show the bottleneck. Confirms gate
 * failures in fresh rounds.
 *
 * Adding rounds until a difference is significant would find differences that do not exist
 * (https://doi.org/10.1177/0956797611417632), so rounds for unclear changes are added once, and both tests
 * share the 5 %.
 */
export async function runAdaptiveRounds(context: AdaptiveRounds): Promise<void> {
  const { experiment: { design }, first, left, measure, recorder, canScale, nowMs } = context;
  await measure(left);
  const deadline = nowMs() + 1000 * budgetS(design, first);
  await narrow(context, deadline);
  await clarify(context, deadline);
  for (const result of recorder.results()) {
    if (canScale && result.bottleneck?.needsScaleTest === "shards") {
      await testScale(result, "shards", context);
    }
  }
  await testConnections(context, deadline);
  await confirm(context);
}

/** Adds the rounds for unclear changes, unless that takes longer than the deadline allows. */
async function clarify(context: AdaptiveRounds, deadline: number): Promise<void> {
  const { experiment: { design }, planner, first, unclear, nowMs } = context;
  const rounds = design.maxRounds - design.rounds;
  if (design.until === "width" || rounds <= 0) return;
  const found = unclear();
  const isUnclear = (key: ResultKey): boolean => found.some((one) => isSameWorkload(one, key));
  const own = first.blocks.filter((block) =>
    block.round === 1 && found.some((one) => isSameWorkload(one, block))
  );
  const tookS = rounds * estimateS({ trials: [], blocks: own });
  // Without --budget, the maximum number of rounds is the limit. Fewer rounds would still be a second test
  const isLate = design.budgetS !== null && nowMs() + 1000 * tookS > deadline;
  if (found.length === 0 || isLate) return;
  const plans = Array.from(
    { length: rounds },
    () => planner.nextRound({ windows: () => false, slices: isUnclear }),
  );
  const plan = { trials: [], blocks: plans.flatMap(({ blocks }) => blocks) };
  const scenarios = [...new Set(found.map(({ scenario }) => scenario))];
  await measureMore(context, plan, { kind: "verdict", rounds, scenarios });
}

/** Adds rounds for results with wide confidence intervals, until the deadline. */
async function narrow(context: AdaptiveRounds, deadline: number): Promise<void> {
  const { experiment: { design: { maxRounds, width } }, planner, first, recorder, nowMs } = context;
  // The numbers of rounds include scale tests of earlier parts
  while (roundsIn(recorder) < maxRounds) {
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
 * Tests whether more connections raise the rate of results with an unknown bottleneck. Each test must
 * fit into the time budget for added rounds. The first test is exempt if the user set no budget, and
 * the run has enough rounds to decide on one comparison.
 */
async function testConnections(context: AdaptiveRounds, deadline: number): Promise<void> {
  const { experiment: { design }, first, recorder, nowMs } = context;
  let isFree = design.budgetS === null && design.rounds >= roundsToDecide(1);
  for (const result of recorder.results()) {
    if (result.bottleneck?.needsScaleTest !== "connections") continue;
    const own = first.trials.find((trial) => isSameResult(resultKeyOf(trial), result));
    // A fixed number of whole cycles is a different load with another number of connections.
    if (own === undefined || own.load.responses !== null) continue;
    const trials = scaleTestOf(own, "connections");
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

/** Measures possible gate failures again in fresh rounds, which alone decide on the gate. */
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

async function measureMore(
  { emit, measure }: Pick<AdaptiveRounds, "emit" | "measure">,
  plan: Plan,
  why: WhyMore,
): Promise<void> {
  await emit({ kind: "more", plan, why, mostAddedS: null });
  await measure(plan);
}

/**
 * Returns the results with confidence intervals that are still too wide. Servers are compared by the
 * metric of their workload. If the ratio of two servers is too imprecise, both need more rounds,
 * because each round pairs them.
 */
function wideResults(
  { experiment: { design: { width, ratiosOnly, until } }, recorder }: AdaptiveRounds,
): Readonly<Record<"windows" | "slices", readonly ResultKey[]>> {
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
  const slices = until === "verdict"
    ? []
    : sliced.filter((key) =>
      sliced.some(({ variant: b, ...workload }) => {
        if (!isSameWorkload(workload, key) || b === key.variant) return false;
        const pair = { ...workload, a: key.variant, b };
        const ratio = calmRatio(blocks, { ...pair, metric: "serverCpuUs" }) ??
          calmRatio(blocks, { ...pair, metric: "requestsPerS" });
        return isWide(logWidth(ratio));
      })
    );
  return { windows, slices };
}

/** Returns half the width of the confidence interval on a logarithmic scale; null without one. */
function logWidth(ratio: Pick<Comparison, "confidenceInterval"> | null): number | null {
  const { confidenceInterval } = ratio ?? {};
  return confidenceInterval ? Math.log(confidenceInterval.high / confidenceInterval.low) / 2 : null;
}
