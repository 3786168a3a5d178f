import { text } from "../../scenarios/text.ts";
import { breachesOf } from "../analysis/arms.ts";
import { limitedByGenerator } from "../analysis/probes.ts";
import { mostAddedS, profilesS } from "../experiment/durations.ts";
import { mostConnections } from "../experiment/loads.ts";
import { Planner, sharesProcess } from "../experiment/plan.ts";
import { UsageError } from "../model/errors.ts";
import type { Event, Plan } from "../model/events.ts";
import type { Arm, Experiment, Load, OpenLoad } from "../model/experiment.ts";
import type { RunningServer } from "../target/launch.ts";
import { contextOf, needsOf, prepareArms } from "./arms.ts";
import { Blocks, type BlocksEvent } from "./blocks.ts";
import { runCampaign } from "./campaign.ts";
import { chooseGenerators, namedGenerators } from "./choose_generators.ts";
import { type PresentGenerator, presentGenerator } from "./generators.ts";
import type { Lab, Tell } from "./lab.ts";
import { type ProfilesEvent, takeProfiles } from "./profiles.ts";
import { Recorder } from "./recorder.ts";
import { Session, type SessionEvent } from "./session.ts";
import { type Emit, stream } from "./stream.ts";

/**
 * Runs an experiment, and tells what happens. The last event but for errors is the whole report; where
 * something ends the run early, a report of what was measured until then comes before the error.
 *
 * @param signal ends the run early
 * @throws {UsageError} for what cannot be measured like that.
 * @throws {Failure} if there is no server to measure, or not every one that is needed, or if something
 * that every window needs has ended.
 * @throws the reason of `signal`.
 */
export function run(
  experiment: Experiment,
  lab: Lab,
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  return stream<Event>(signal, (emit, signal) => execute(experiment, lab, signal, emit));
}

async function execute(
  experiment: Experiment,
  lab: Lab,
  signal: AbortSignal,
  emit: Emit<Event>,
): Promise<void> {
  const startedMs = lab.nowMs();
  const tell: Tell = (event) => void emit(event);
  const known = await lab.generators();
  const named = namedGenerators(experiment, known);
  await using open = await lab.open(needsOf(experiment), tell);
  const { asked, arms, reference } = await prepareArms(experiment, open, tell, signal);
  const { generators: chosen, generatorOf } = await chooseGenerators(experiment, known, named, {
    lab: open,
    tell,
    signal,
  });
  const { fallback } = experiment.design;
  const generators = fallback === null || chosen.some(({ generator: { id } }) => id === fallback)
    ? chosen
    : [...chosen, presentGenerator(known, fallback)];
  if (!arms.some(({ server }) => experiment.scenarios.some(({ id }) => id in server.scenarios))) {
    throw new UsageError("No server implements any of the scenarios");
  }

  const context = contextOf(experiment, arms, generators, open);
  await using pool = open.pool(generators);
  const recorder = new Recorder({
    origin: lab.origin,
    experiment,
    host: open.host(mostConnections(experiment)),
    pinning: open.pinning,
    commit: await open.commit(),
    versions: await open.versions(reference === null ? arms : [...arms, reference], generators),
    database: open.database?.label ?? null,
    generators,
    servers: asked,
    context,
  });
  const report = (complete: boolean): Promise<void> => {
    const tookS = (lab.nowMs() - startedMs) / 1000;
    return emit({ kind: "report", report: recorder.report(complete, tookS) });
  };
  const onEvent = async (event: SessionEvent | BlocksEvent): Promise<void> => {
    if (event.kind === "launch") return recorder.launched(event.launch);
    if (event.kind === "result") recorder.add(event.result);
    else if (event.kind === "sliced") recorder.addBlock(event.result);
    else return await emit(event);
    if (recorder.isDue) await report(false);
    if (event.kind === "sliced") return await emit(event);
    for (const cell of recorder.cells([event.result])) await emit({ ...event, cell });
  };
  const onProfile = async (event: ProfilesEvent): Promise<void> => {
    if (event.kind === "profiled") recorder.addProfile(event.profile);
    await emit(event);
    if (event.kind === "profiled" && recorder.hasFigures) await report(false);
  };
  const all = reference === null ? arms : [...arms, reference];
  const common = {
    arms: new Map(all.map((arm) => [arm.id, arm])),
    scenarios: new Map(experiment.scenarios.map((scenario) => [scenario.id, scenario])),
    launch: ({ server, env }: Arm): Promise<RunningServer> => open.launch(server, env),
    assertSound: () => open.assertSound(),
    abort: signal,
    onEvent,
  };
  const kept = new Map<string, RunningServer>();
  const shares = sharesProcess(experiment.design, arms);
  const session = new Session({
    ...common,
    keep: shares ? (arm, server) => void kept.set(arm, server) : null,
    instruments: {
      facts: open.facts,
      database: open.database,
      measure: (...job) => pool.measure(...job),
      ceiling: (...job) => pool.ceiling(...job),
      watch: (options) => open.watch(options),
      countStatements: () => open.countStatements(),
    },
  });
  const { slices, seed } = experiment.design;
  const sliced = slices && new Blocks({
    ...common,
    reference: reference && { id: reference.id, scenario: text },
    design: slices,
    seed,
    facts: open.facts,
    slices: (...job) => pool.slices(...job),
  });
  const measure = async (plan: Plan): Promise<void> => {
    for (const { trials, blocks } of roundsOf(plan)) {
      try {
        await session.run(trials);
        await sliced?.run(blocks, kept);
      } finally {
        for (const server of kept.values()) await server[Symbol.asyncDispose]();
        kept.clear();
      }
    }
  };
  const { results, blocks } = recorder;
  /** Scenarios at which another load generator takes over. */
  let takenOver: ReadonlySet<string> = new Set();
  const planner = new Planner(
    experiment,
    { arms, reference },
    (arm, scenario) =>
      fallback !== null && takenOver.has(scenario.id) ? fallback : generatorOf(arm, scenario),
  );
  try {
    const probes = planner.probes();
    if (fallback !== null && probes.trials.length > 0) {
      const limited = [...new Set(probes.trials.map(({ generator }) => generator))];
      await emit({ kind: "more", plan: probes, why: { kind: "probe", generators: limited } });
      await measure(probes);
      takenOver = limitedByGenerator(results, context);
      if (takenOver.size > 0) {
        const scenarios = [...takenOver];
        tell({
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
    const { design } = experiment;
    const planned = planner.profiles();
    for (const load of openLoadsOf(first)) {
      const { open, connections } = load;
      await emit({ kind: "phase", phase: { kind: "open-check", perS: open.perS } });
      recorder.addOpenCheck(await pool.checkOpenLoop(open, connections, signal));
    }
    await emit({
      kind: "plan",
      plan: first,
      mostAddedS: mostAddedS(design, first, canScale) + profilesS(planned),
    });
    await runCampaign({
      planner,
      first,
      design,
      nowMs: () => lab.nowMs(),
      results,
      blocks,
      run: measure,
      cells: () => recorder.cells(),
      breaches: () => breachesOf(blocks, experiment),
      onMore: (plan, why) => emit({ kind: "more", plan, why }),
      canScale,
    });
    await takeProfiles(planned, {
      facts: open.facts,
      launch: (...server) => open.launchProfiled(...server),
      measure: (...job) => pool.measure(...job),
      assertSound: () => open.assertSound(),
      onEvent: onProfile,
      abort: signal,
    });
  } catch (error) {
    if (recorder.hasFigures) await report(false);
    throw error;
  }
  await report(true);
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
