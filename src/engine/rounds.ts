import { breachesOf } from "../analysis/arms.ts";
import { limitedByGenerator } from "../analysis/probes.ts";
import { mostAddedS, profilesS } from "../experiment/durations.ts";
import { Planner } from "../experiment/plan.ts";
import type { Plan } from "../model/events.ts";
import type { Load, OpenLoad } from "../model/experiment.ts";
import { runCampaign } from "./campaign.ts";
import type { PresentGenerator } from "./generators.ts";
import { checkOpenLoop } from "./open_loop.ts";
import { takeProfiles } from "./profiles.ts";
import type { Work } from "./work.ts";

/** Measures everything in rounds, as often as its figures need: every kind of experiment but searches. */
export async function measureInRounds(work: Work): Promise<void> {
  const { experiment, arms, reference, generators, generatorOf, lab, recorder, emit, nowMs } = work;
  const { design } = experiment;
  const measure = async (plan: Plan): Promise<void> => {
    for (const { trials, blocks } of roundsOf(plan)) {
      try {
        await work.session.run(trials);
        await work.sliced?.run(blocks, work.kept);
      } finally {
        await work.release();
      }
    }
  };
  /** Scenarios at which another load generator takes over. */
  let takenOver: ReadonlySet<string> = new Set();
  const { fallback } = design;
  const planner = new Planner(
    experiment,
    { arms, reference },
    (arm, scenario) =>
      fallback !== null && takenOver.has(scenario.id) ? fallback : generatorOf(arm, scenario),
  );
  const probes = planner.probes();
  if (fallback !== null && probes.trials.length > 0) {
    const limited = [...new Set(probes.trials.map(({ generator }) => generator))];
    await emit({
      kind: "more",
      plan: probes,
      why: { kind: "probe", generators: limited },
      mostAddedS: null,
    });
    await measure(probes);
    takenOver = limitedByGenerator(recorder.results, work.context);
    if (takenOver.size > 0) {
      const scenarios = [...takenOver];
      work.tell({
        kind: "note",
        note: { kind: "taken-over", scenarios, limited, generator: fallback },
      });
    }
  }
  const first = planner.firstRounds();
  const drives = ({ generator: { id } }: PresentGenerator): boolean =>
    first.trials.some(({ generator }) => generator === id);
  const canScale = generators.filter(drives).every(({ generator }) =>
    ["process", "told"].includes(generator.threads)
  );
  for (const load of openLoadsOf(first)) await checkOpenLoop(work, load);
  const profiles = planner.profiles();
  const mostS = mostAddedS(design, first, canScale) + profilesS(profiles);
  await emit({ kind: "plan", plan: first, mostAddedS: mostS });
  await runCampaign({
    planner,
    first,
    design,
    nowMs,
    results: recorder.results,
    blocks: recorder.blocks,
    run: measure,
    cells: () => recorder.cells(),
    breaches: () => breachesOf(recorder.blocks, experiment),
    onMore: (plan, why) => emit({ kind: "more", plan, why, mostAddedS: null }),
    canScale,
  });
  await takeProfiles(profiles, {
    facts: lab.facts,
    launch: (...server) => lab.launchProfiled(...server),
    measure: (...job) => work.pool.measure(...job),
    assertSound: () => lab.assertSound(),
    onEvent: work.onProfile,
    abort: work.signal,
  });
}

/** What is planned, round by round. */
function roundsOf({ trials, blocks }: Plan): Plan[] {
  const rounds = [...new Set([...trials, ...blocks].map(({ round }) => round))].sort((a, b) =>
    a - b
  );
  return rounds.map((round) => ({
    trials: trials.filter((trial) => trial.round === round),
    blocks: blocks.filter((block) => block.round === round),
  }));
}

/** The open loops of a plan, one for each rate. */
function openLoadsOf({ trials }: Plan): (Load & { readonly open: OpenLoad })[] {
  const loads = trials.flatMap(({ load }) =>
    load.open === null ? [] : { ...load, open: load.open }
  );
  return [...new Map(loads.map((load) => [load.open.perS, load])).values()];
}
