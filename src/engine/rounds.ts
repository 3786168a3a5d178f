import { breachesOf } from "../analysis/variant_changes.ts";
import { limitedByGenerator } from "../analysis/derive_results.ts";
import { mostAddedS, profilesS } from "../experiment/durations.ts";
import { Planner } from "../experiment/planner.ts";
import type { Plan } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { runAdaptiveRounds } from "./adaptive_rounds.ts";
import { choiceKey } from "./choose_generators.ts";
import { measureBlocks } from "./measure_blocks.ts";
import { checkOpenLoop, type RunContext, scenarioById, variantById } from "./run_context.ts";
import { runTrials } from "./server_rounds.ts";
import { takeProfiles } from "./take_profiles.ts";

/**
 * Measures an experiment in rounds until its confidence intervals are narrow enough. Used for every
 * kind of experiment except searches.
 */
export async function measureInRounds(context: RunContext): Promise<void> {
  const { experiment, variants, reference, generatorOf, recorder, servers, emit } = context;
  const { design, design: { fallback } } = experiment;
  const measure = async (plan: Plan): Promise<void> => {
    for (const { trials, blocks } of roundsOf(plan)) {
      try {
        await runTrials(context, trials);
        await measureBlocks(context, blocks);
      } finally {
        await servers.release();
      }
    }
  };
  /** Ids of the scenarios for which the generator `fallback` replaces the usual one. */
  let takenOver: ReadonlySet<string> = new Set();
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
  const used = new Set(first.trials.map(({ generator }) => generator));
  const canScale = recorder.facts.generators.filter(({ generator }) => used.has(generator.id))
    .every(({ generator }) => ["process", "configured"].includes(generator.threads));
  const openLoads = first.trials.flatMap(({ load }) =>
    load.open === null ? [] : { ...load, open: load.open }
  );
  for (const load of new Map(openLoads.map((load) => [load.open.perS, load])).values()) {
    await checkOpenLoop(context, load);
  }
  const profiles = planner.profiles();
  const mostS = mostAddedS(design, first, canScale) + profilesS(profiles);
  await emit({ kind: "plan", plan: first, mostAddedS: mostS });
  const breaches = () => breachesOf(recorder.blocks, experiment);
  await runAdaptiveRounds({ ...context, planner, first, measure, canScale, breaches });
  await takeProfiles(context, profiles);
}

/** Splits a plan by round. */
function roundsOf({ trials, blocks }: Plan): Plan[] {
  const rounds = new Set([...trials, ...blocks].map(({ round }) => round));
  return [...rounds].toSorted((a, b) => a - b).map((round) => ({
    trials: trials.filter((trial) => trial.round === round),
    blocks: blocks.filter((block) => block.round === round),
  }));
}

/**
 * Returns the ids of the scenarios for which the generator `fallback` replaces the usual one. If it
 * has to replace the usual one for one server, it does so for all servers.
 *
 * If an earlier run on this machine has chosen, its choice applies. Otherwise pilot windows decide:
 * the usual generator is replaced if it is the bottleneck for at least one server. Runs of the same
 * experiment therefore use the same load generator.
 */
async function chooseForRounds(
  context: RunContext,
  { trials, blocks }: Plan,
  fallback: string,
  measure: (plan: Plan) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const { testbed: { generatorChoices }, recorder, emit } = context;
  const keyOf = (trial: Trial): string => {
    const variant = variantById(context, trial.variant);
    return choiceKey(recorder.facts, variant, scenarioById(context, trial.scenario), trial);
  };
  const keptFor = (trial: Trial): string | undefined => generatorChoices.get(keyOf(trial));
  const unknown = trials.filter((trial) => keptFor(trial) === undefined);
  const limited = [...new Set(trials.map(({ generator }) => generator))];
  if (unknown.length > 0) {
    const plan = { trials: unknown, blocks };
    const why = { kind: "pilot", generators: limited } as const;
    await emit({ kind: "more", plan, why, mostAddedS: null });
    await measure(plan);
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
  return new Set(scenarios);
}
