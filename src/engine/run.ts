import type { CellContext } from "../analysis/cells.ts";
import { type Available, workersOf } from "../analysis/servers.ts";
import { mostConnections, Planner } from "../experiment/plan.ts";
import { usableCores } from "../machine/quota.ts";
import { Failure, UsageError } from "../model/errors.ts";
import type { Event } from "../model/events.ts";
import type { Arm, Experiment } from "../model/experiment.ts";
import { runCampaign } from "./campaign.ts";
import { chooseGenerators, namedGenerators } from "./choose_generators.ts";
import type { PresentGenerator } from "./generators.ts";
import type { Lab, LabNeeds, OpenLab, Tell } from "./lab.ts";
import { Recorder } from "./recorder.ts";
import { Session } from "./session.ts";
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
  const servers = await available(experiment, open, tell, signal);
  const arms = servers.filter(({ skipped, failure }) => skipped === null && failure === null)
    .map(({ arm }) => arm);
  if (arms.length === 0 || (experiment.design.needsAll && arms.length < servers.length)) {
    throw new Failure(missingServers(servers));
  }
  const context = { lab: open, tell, signal };
  const { generators, generatorOf } = await chooseGenerators(experiment, known, named, context);
  const planner = new Planner(experiment, arms, generatorOf);
  const firstTrials = planner.firstRounds();
  if (firstTrials.length === 0) throw new UsageError("No server implements any of the scenarios");
  await emit({ kind: "plan", trials: firstTrials });

  await using pool = open.pool(generators);
  const recorder = new Recorder({
    origin: lab.origin,
    experiment,
    host: open.host(mostConnections(experiment)),
    pinning: open.pinning,
    commit: await open.commit(),
    versions: await open.versions(arms, generators),
    database: open.database?.label ?? null,
    generators,
    servers,
    context: contextOf(experiment, arms, generators, open),
  });
  const report = (complete: boolean): Promise<void> => {
    const tookS = (lab.nowMs() - startedMs) / 1000;
    return emit({ kind: "report", report: recorder.report(complete, tookS) });
  };
  const session = new Session({
    arms: new Map(arms.map((arm) => [arm.id, arm])),
    scenarios: new Map(experiment.scenarios.map((scenario) => [scenario.id, scenario])),
    instruments: {
      facts: open.facts,
      database: open.database,
      measure: (...job) => pool.measure(...job),
      ceiling: (...job) => pool.ceiling(...job),
      watch: (options) => open.watch(options),
      countStatements: () => open.countStatements(),
    },
    launch: ({ server, env }) => open.launch(server, env),
    assertSound: () => open.assertSound(),
    abort: signal,
    onEvent: async (event) => {
      if (event.kind === "launch") return recorder.launched(event.launch);
      if (event.kind === "start") return await emit(event);
      recorder.add(event.result);
      if (recorder.isDue) await report(false);
      for (const cell of recorder.cells([event.result])) await emit({ ...event, cell });
    },
  });
  try {
    await runCampaign({
      planner,
      firstTrials,
      design: experiment.design,
      nowMs: () => lab.nowMs(),
      results: recorder.results,
      run: (trials) => session.run(trials),
      cells: () => recorder.cells(),
      onMore: (trials, why) => emit({ kind: "more", trials, why }),
      canScale: generators.every(({ generator }) =>
        ["process", "told"].includes(generator.threads)
      ),
    });
  } catch (error) {
    if (recorder.results.length > 0) await report(false);
    throw error;
  }
  await report(true);
}

function needsOf({ arms, scenarios, design }: Experiment): LabNeeds {
  const most = (name: string): number => Math.max(...arms.map(({ env }) => Number(env[name] ?? 1)));
  return {
    database: scenarios.some(({ queries }) => queries > 0),
    databaseConnections: Math.max(most("DB_POOL"), most("WORKERS")),
    pins: design.pins,
  };
}

/** The arms as their servers can be had here. */
async function available(
  { arms }: Experiment,
  lab: OpenLab,
  tell: Tell,
  signal: AbortSignal,
): Promise<Available[]> {
  const prepared = await lab.prepare(arms.map(({ server }) => server), tell, signal);
  return prepared.map(({ server, skipped, failure }, i) => ({
    arm: { ...arms[i] as Arm, server },
    skipped,
    failure,
  }));
}

function contextOf(
  experiment: Experiment,
  arms: readonly Arm[],
  generators: readonly PresentGenerator[],
  { machine, pinning }: OpenLab,
): CellContext {
  const usable = usableCores(machine);
  const cores = machine.logicalCpus;
  return {
    cores: {
      machine: usable < cores ? null : cores,
      server: pinning?.server.length ?? usable,
      database: pinning?.database?.length ?? usable,
      generator: pinning?.generator.length ?? usable,
    },
    arms: experiment.arms.map(({ id }) => id),
    threads: new Map(
      generators.filter(({ generator }) => generator.threads === "one")
        .map(({ generator }) => [generator.id, 1]),
    ),
    turns: new Map(
      arms.filter(({ server }) => server.takesTurns)
        .map(({ id, server, env }) => [id, workersOf(server, env) ?? Infinity]),
    ),
    queries: new Map(experiment.scenarios.map(({ id, queries }) => [id, queries])),
  };
}

function missingServers(servers: readonly Available[]): string {
  const reasons = servers.flatMap(({ arm, skipped, failure }) => {
    const reason = skipped === null ? failure : `skipped: ${skipped}`;
    return reason === null ? [] : [`${arm.id}: ${reason}`];
  });
  return ["There is no server to measure", ...reasons].join("\n");
}
