import { Failure, UsageError } from "../errors.ts";
import type { Report, RunConfig } from "../findings.ts";
import { Metronome } from "../load/metronome.ts";
import { RunningGenerator } from "../load/running.ts";
import { Witness } from "../load/witness.ts";
import { usableCores } from "../machine/quota.ts";
import type { Target } from "../model.ts";
import { Planner } from "../plan/plan.ts";
import { claimPath, defaultPath } from "../report/store.ts";
import { runCampaign } from "../session/campaign.ts";
import { Ceilings } from "../session/ceiling.ts";
import type { Surroundings } from "../session/cells.ts";
import { collectVersions, describeHost } from "../session/environment.ts";
import { type Available, workersOf } from "../session/servers.ts";
import { Session } from "../session/session.ts";
import { Toolchain } from "../target/toolchain.ts";
import { fromCaller } from "./choose.ts";
import { untilInterrupted } from "./interruption.ts";
import { budgetFor, type Order, type RunOptions } from "./order.ts";
import { cacheFolder, prepareServers } from "./prepare.ts";
import { Recorder } from "./recorder.ts";
import { progressOf } from "./screen.ts";
import { Stage } from "./stage.ts";

/** How a run ended. */
export interface Outcome {
  /** Null if nothing was measured. */
  readonly report: Report | null;
  readonly path: string;
  /** Why the run ended before its plan did; null if it did not. */
  readonly stopped: unknown;
}

/** Measures what was ordered and keeps the report up to date, until the end. */
export async function measure(order: Order, options: RunOptions): Promise<Outcome> {
  const progress = progressOf(order.targets.length);
  using _cleanLine = { [Symbol.dispose]: () => progress.close() };
  const startedMs = performance.now();
  const abort = untilInterrupted();
  const createdAt = new Date().toISOString();
  const id = crypto.randomUUID().slice(0, 8);
  const path = await claimPath(
    options.out === undefined ? defaultPath(createdAt, id) : fromCaller(options.out),
  );
  if (order.needsDatabase) progress.phase("Starting the database");
  await using stage = await Stage.open({
    options,
    needsDatabase: order.needsDatabase,
    env: order.config.serverEnv,
    pin: options.pin ?? false,
    onDatabase: (label) => progress.note(`Using ${label}`),
    onNote: (text) => progress.note(text),
  });
  const { database, pinning, household } = stage;
  const toolchain = new Toolchain();
  const servers = await prepareServers(order.targets, {
    ...{ household, toolchain, abort, cache: cacheFolder(options.cache) },
    onPhase: (text) => progress.phase(text),
    onNote: (text) => progress.note(text),
  });
  const ready = servers.filter(({ skipped, failure }) => skipped === null && failure === null)
    .map(({ target }) => target);
  if (ready.length === 0) throw new Failure(nothingReady(servers));
  const planner = new Planner(order.config, ready, order.scenarios);
  const firstTrials = planner.firstRounds();
  const budgetS = options.budget ?? budgetFor(firstTrials); // who is not there takes no time
  const config: RunConfig = { ...order.config, budgetS, pinning };
  if (firstTrials.length === 0) throw new UsageError("No server implements any of the scenarios");
  progress.plan(firstTrials);

  await using generator = new RunningGenerator(
    household,
    order.generator,
    pinning?.generator ?? null,
  );
  const ceilings = new Ceilings({ household, generator, cpus: pinning?.server ?? null });
  using metronome = new Metronome();
  const host = describeHost(stage.machine, order.mostConnections);
  const recorder = new Recorder({
    ...{ id, createdAt, startedMs, path, host, config, servers, twins: order.twins },
    versions: await collectVersions(ready, toolchain, order.generator, database?.version ?? null),
    database: database?.address.label ?? null,
    surroundings: surroundingsOf(order, ready, stage, host.cores),
  });
  const session = new Session({
    targets: new Map(ready.map((target) => [target.id, target])),
    scenarios: new Map(order.scenarios.map((scenario) => [scenario.id, scenario])),
    instruments: {
      facts: stage.facts,
      measure: (job, signal, listener) => generator.measure(job, signal, listener),
      watch: (witnessOptions) => new Witness(metronome, witnessOptions),
      ceiling: (job, answer, signal) => ceilings.of(job, answer, signal),
      databasePid: database?.process?.pid ?? null,
      countStatements: () => stage.countStatements(),
    },
    launch: (target) => stage.launch(target),
    assertSound: () => stage.assertSound(),
    abort,
    onEvent: async (event) => {
      if (event.kind === "start") return progress.start(event.trial);
      if (event.kind === "launch") return recorder.launched(event.launch);
      await recorder.add(event.result);
      for (const cell of recorder.cells([event.result])) progress.end(event.result, cell);
    },
  });
  try {
    await runCampaign({
      ...{ planner, firstTrials, config, results: recorder.results },
      run: (trials) => session.run(trials),
      cells: () => recorder.cells(),
      onMore: (trials, why) => progress.more(trials, why),
    });
    return { report: await recorder.write(true), path, stopped: null };
  } catch (error) {
    const report = recorder.results.length === 0 ? null : await recorder.write(false);
    return { report, path, stopped: error };
  }
}

function surroundingsOf(
  order: Order,
  targets: readonly Target[],
  { machine, pinning }: Stage,
  cores: number,
): Surroundings {
  const usable = usableCores(machine);
  return {
    cores: {
      machine: usable < cores ? null : cores,
      server: pinning?.server.length ?? usable,
      database: pinning?.database?.length ?? usable,
      generator: pinning?.generator.length ?? usable,
    },
    targets: order.config.targets,
    turns: new Map(
      targets.filter(({ takesTurns }) => takesTurns)
        .map((target) => [target.id, workersOf(target, order.config.workers) ?? Infinity]),
    ),
    queries: new Map(order.scenarios.map(({ id, queries }) => [id, queries])),
  };
}

function nothingReady(servers: readonly Available[]): string {
  const reasons = servers.map(({ target, skipped, failure }) =>
    `${target.id}: ${skipped === null ? failure : `skipped: ${skipped}`}`
  );
  return ["There is no server to measure", ...reasons].join("\n");
}
