import { breachesOf } from "../analysis/variant_changes.ts";
import { limitedByGenerator } from "../analysis/derive_results.ts";
import { mostAddedS, profilesS } from "../experiment/durations.ts";
import { Planner } from "../experiment/planner.ts";
import type { Plan } from "../model/events.ts";
import type { Load, OpenLoad, Trial } from "../model/experiment.ts";
import { runAdaptiveRounds } from "./adaptive_rounds.ts";
import { choiceKey } from "./choose_generators.ts";
import type { PresentGenerator } from "./generator_pool.ts";
import { measureBlocks } from "./measure_blocks.ts";
import { checkOpenLoop, type RunContext, scenarioById, variantById } from "./run_context.ts";
import { runTrials } from "./server_rounds.ts";
import { takeProfiles } from "./take_profiles.ts";

/**
 * Measures an experiment in rounds until its confidence intervals are narrow enough. Used for every kind of
 * experiment except searches.
 */
export async function measureInRounds(context: RunContext): Promise<void> {
  const { experiment, variants, reference, generatorOf, recorder, emit } = context;
  const { design } = experiment;
  const measure = async (plan: Plan): Promise<void> => {
    for (const { trials, blocks } of roundsOf(plan)) {
      try {
        await runTrials(context, trials);
        await measureBlocks(context, blocks);
      } finally {
        await context.servers.release();
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
    takenOver = await chooseForRounds(context, planner.pilots(), fallback, measure);
  }
  const first = planner.firstRounds();
  const drives = ({ generator: { id } }: PresentGenerator): boolean =>
    first.trials.some(({ generator }) => generator === id);
  const canScale = recorder.facts.generators.filter(drives).every(({ generator }) =>
    ["process", "configured"].includes(generator.threads)
  );
  for (const load of openLoadsOf(first)) await checkOpenLoop(context, load);
  const profiles = planner.profiles();
  const mostS = mostAddedS(design, first, canScale) + profilesS(profiles);
  await emit({ kind: "plan", plan: first, mostAddedS: mostS });
  await runAdaptiveRounds({
    ...context,
    planner,
    first,
    measure,
    canScale,
    breaches: () => breachesOf(recorder.blocks, experiment),
  });
  await takeProfiles(context, profiles);
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
  context: RunContext,
  { trials, blocks }: Plan,
  fallback: string,
  measure: (plan: Plan) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const { testbed, recorder, emit } = context;
  const keys = new Map(trials.map((trial) => {
    const variant = variantById(context, trial.variant);
    const scenario = scenarioById(context, trial.scenario);
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
      const isBottleneck = limitedByGenerator(trialResults, recorder.facts.context).size > 0;
      choices.set(keys.get(trial) ?? "", isBottleneck ? fallback : trial.generator);
    }
    await testbed.generatorChoices.keep(choices);
  }
  const taken = trials.filter((trial) => keptFor(trial) === fallback);
  const scenarios = [...new Set(taken.map(({ scenario }) => scenario))];
  if (scenarios.length > 0) {
    const isKept = unknown.length === 0;
    const note = { kind: "taken-over", scenarios, limited, generator: fallback, isKept } as const;
    await emit({ kind: "note", note });
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
