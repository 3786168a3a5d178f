import { breachesOf } from "../analysis/variant_changes.ts";
import { limitedByGenerator } from "../analysis/pilot_windows.ts";
import { mostAddedS, profilesS } from "../experiment/durations.ts";
import { Planner } from "../experiment/planner.ts";
import type { Plan } from "../model/events.ts";
import type { Load, OpenLoad, Trial, Variant } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import { runAdaptiveRounds } from "./adaptive_rounds.ts";
import { choiceKey } from "./generator_choices.ts";
import type { PresentGenerator } from "./generator_pool.ts";
import { checkOpenLoop } from "./check_open_loop.ts";
import { takeProfiles } from "./take_profiles.ts";
import type { RunContext } from "./run_context.ts";

/**
 * Measures an experiment in rounds until its confidence intervals are narrow enough. Used for every kind of
 * experiment except searches.
 */
export async function measureInRounds(runContext: RunContext): Promise<void> {
  const {
    experiment,
    variants,
    reference,
    generators,
    generatorOf,
    testbed,
    recorder,
    emit,
    nowMs,
  } = runContext;
  const { design } = experiment;
  const measure = async (plan: Plan): Promise<void> => {
    for (const { trials, blocks } of roundsOf(plan)) {
      try {
        await runContext.serverRounds.run(trials);
        await runContext.sliced?.run(blocks, runContext.kept);
      } finally {
        await runContext.release();
      }
    }
  };
  /** Ids of the scenarios for which the generator `fallback` replaces the usual one. */
  let takenOver: ReadonlySet<string> = new Set();
  const { fallback } = design;
  const planner = new Planner(
    experiment,
    { variants, reference },
    (variant, scenario) =>
      fallback !== null && takenOver.has(scenario.id) ? fallback : generatorOf(variant, scenario),
  );
  if (fallback !== null) {
    takenOver = await chooseForRounds(runContext, planner.pilots(), fallback, measure);
  }
  const first = planner.firstRounds();
  const drives = ({ generator: { id } }: PresentGenerator): boolean =>
    first.trials.some(({ generator }) => generator === id);
  const canScale = generators.filter(drives).every(({ generator }) =>
    ["process", "configured"].includes(generator.threads)
  );
  for (const load of openLoadsOf(first)) await checkOpenLoop(runContext, load);
  const profiles = planner.profiles();
  const mostS = mostAddedS(design, first, canScale) + profilesS(profiles);
  await emit({ kind: "plan", plan: first, mostAddedS: mostS });
  await runAdaptiveRounds({
    planner,
    first,
    design,
    nowMs,
    trialResults: recorder.trialResults,
    blocks: recorder.blocks,
    run: measure,
    results: () => recorder.results(),
    breaches: () => breachesOf(recorder.blocks, experiment),
    onMore: (plan, why) => emit({ kind: "more", plan, why, mostAddedS: null }),
    canScale,
  });
  await takeProfiles(profiles, {
    facts: testbed.facts,
    launch: (...server) => testbed.launchProfiled(...server),
    measure: (...job) => runContext.pool.measure(...job),
    assertSound: () => testbed.assertSound(),
    onEvent: runContext.onProfile,
    abort: runContext.signal,
  });
}

/**
 * Returns the ids of the scenarios for which the generator `fallback` replaces the usual one. If it has to
 * replace the usual one for one server, it does so for all servers.
 *
 * If an earlier run on this machine has chosen, its choice applies. Otherwise pilot windows decide: the usual
 * generator is replaced if it is the bottleneck for at least one server. Runs of the same experiment
 * therefore use the same load generator.
 */
async function chooseForRounds(
  { experiment, variants, testbed, recorder, context, emit, onProgress }: RunContext,
  { trials, blocks }: Plan,
  fallback: string,
  measure: (plan: Plan) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const keys = new Map(trials.map((trial) => {
    const variant = variants.find(({ id }) => id === trial.variant) as Variant;
    const scenario = experiment.scenarios.find(({ id }) => id === trial.scenario) as Scenario;
    return [trial, choiceKey(recorder.facts, variant, scenario, trial)] as const;
  }));
  const keptFor = (trial: Trial): string | undefined =>
    testbed.generatorChoices.get(keys.get(trial) ?? "");
  const unknown = trials.filter((trial) => keptFor(trial) === undefined);
  const limited = [...new Set(trials.map(({ generator }) => generator))];
  if (unknown.length > 0) {
    const plan = { trials: unknown, blocks };
    await emit({
      kind: "more",
      plan,
      why: { kind: "pilot", generators: limited },
      mostAddedS: null,
    });
    await measure(plan);
    const choices = new Map<string, string>();
    for (const trial of unknown) {
      const trialResults = recorder.trialResults.filter((trialResult) =>
        trialResult.trial === trial
      );
      if (trialResults.every(({ window }) => window === null)) continue;
      const isBottleneck = limitedByGenerator(trialResults, context).size > 0;
      choices.set(keys.get(trial) ?? "", isBottleneck ? fallback : trial.generator);
    }
    await testbed.generatorChoices.keep(choices);
  }
  const taken = trials.filter((trial) => keptFor(trial) === fallback);
  const scenarios = [...new Set(taken.map(({ scenario }) => scenario))];
  if (scenarios.length > 0) {
    const isKept = unknown.length === 0;
    const note = { kind: "taken-over", scenarios, limited, generator: fallback, isKept } as const;
    onProgress({ kind: "note", note });
  }
  return new Set(scenarios);
}

/** Splits a plan by round. */
function roundsOf({ trials, blocks }: Plan): Plan[] {
  const rounds = [...new Set([...trials, ...blocks].map(({ round }) => round))].sort((a, b) =>
    a - b
  );
  return rounds.map((round) => ({
    trials: trials.filter((trial) => trial.round === round),
    blocks: blocks.filter((block) => block.round === round),
  }));
}

/** Returns the open loads of a plan, one for each rate. */
function openLoadsOf({ trials }: Plan): (Load & { readonly open: OpenLoad })[] {
  const loads = trials.flatMap(({ load }) =>
    load.open === null ? [] : { ...load, open: load.open }
  );
  return [...new Map(loads.map((load) => [load.open.perS, load])).values()];
}
