import { Failure, UsageError } from "../model/errors.ts";
import type { Report, RunConfig } from "../model/report.ts";
import { Metronome } from "../load/metronome.ts";
import { Witness } from "../load/witness.ts";
import { usableCores } from "../machine/quota.ts";
import type { Server } from "../model/server.ts";
import { Planner } from "../experiment/plan.ts";
import { rate } from "../view/format.ts";
import type { Progress } from "../view/progress.ts";
import { addToIndex } from "../results/history.ts";
import { claimPath, defaultPath } from "../results/store.ts";
import { runCampaign } from "./campaign.ts";
import type { Surroundings } from "../analysis/cells.ts";
import { collectVersions, commitOf, describeHost } from "./provenance.ts";
import { type Available, workersOf } from "../analysis/servers.ts";
import { Session } from "./session.ts";
import { Toolchain } from "../target/toolchain.ts";
import { fromCaller } from "../experiment/choose.ts";
import {
  FASTEST,
  fastestGenerator,
  generatorForWaves,
  type Present,
  presentGenerator,
  Rack,
  wavesNote,
} from "./generators.ts";
import { untilInterrupted } from "../cli/interruption.ts";
import { budgetFor, type Order, type RunOptions } from "../experiment/order.ts";
import { cacheFolder, prepareServers } from "./prepare.ts";
import { Recorder } from "./recorder.ts";
import { progressOf } from "../cli/screen.ts";
import { Stage } from "./live_lab.ts";

/** How a run ended. */
export interface Outcome {
  /** Null if nothing was measured. */
  readonly report: Report | null;
  readonly path: string;
  /** Why the run ended before its plan did; null if it did not. */
  readonly stopped: unknown;
}

/** What not every run needs to say. */
export interface MeasureOptions {
  /** Whether nothing is to be measured unless every server is there. */
  readonly needsAll?: boolean;
  /** Aborts when somebody asks the program to stop. */
  readonly abort?: AbortSignal;
}

/**
 * Measures what was ordered and keeps the report up to date, until the end.
 *
 * @throws {UsageError} for what cannot be measured like that.
 * @throws {Failure} if there is nobody to measure, or not everybody who is needed.
 */
export async function measure(
  order: Order,
  options: RunOptions,
  { needsAll = false, abort = untilInterrupted() }: MeasureOptions = {},
): Promise<Outcome> {
  const named = await namedGenerators(order);
  const progress = progressOf(order.targets.length);
  using _cleanLine = { [Symbol.dispose]: () => progress.close() };
  const startedMs = performance.now();
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
  const { database, pinning, scope } = stage;
  const toolchain = new Toolchain();
  const servers = await prepareServers(order.targets, {
    scope,
    toolchain,
    abort,
    cache: cacheFolder(options.cache),
    onPhase: (text) => progress.phase(text),
    onNote: (text) => progress.note(text),
  });
  const ready = servers.filter(({ skipped, failure }) => skipped === null && failure === null)
    .map(({ target }) => target);
  if (ready.length === 0 || (needsAll && ready.length < servers.length)) {
    throw new Failure(missingServers(servers));
  }
  const generators = named ?? await fastest(order, stage, progress, abort);
  assertAbilities(order, generators);
  // A number of requests is as many whole waves as the person wants
  const note = named && order.config.requests === null ? wavesNote(named, order.scenarios) : null;
  if (note !== null) progress.note(note);
  const base = { ...order.config, generator: generators[0]?.generator.id ?? "" };
  const forWaves = named === null ? generators.at(-1)?.generator.id ?? null : null;
  const planner = new Planner(base, ready, order.scenarios, order.generatorOf, forWaves);
  const firstTrials = planner.firstRounds();
  const budgetS = options.budget ?? budgetFor(firstTrials, order.aim); // who is not there takes no time
  const config: RunConfig = { ...base, budgetS, pinning };
  if (firstTrials.length === 0) throw new UsageError("No server implements any of the scenarios");
  progress.plan(firstTrials);

  await using rack = new Rack(scope, generators, pinning);
  using metronome = new Metronome();
  const host = describeHost(stage.machine, order.mostConnections);
  const recorder = new Recorder({
    id,
    createdAt,
    startedMs,
    path,
    host,
    config,
    generators,
    servers,
    twins: order.twins,
    commit: await commitOf(fromCaller(".")),
    scenarios: order.scenarios,
    versions: await collectVersions(ready, toolchain, generators, database?.version ?? null),
    database: database?.address.label ?? null,
    surroundings: surroundingsOf(order, ready, generators, stage, host.cores),
  });
  const session = new Session({
    targets: new Map(ready.map((target) => [target.id, target])),
    scenarios: new Map(order.scenarios.map((scenario) => [scenario.id, scenario])),
    instruments: {
      facts: stage.facts,
      measure: (id, job, signal, listener) => rack.measure(id, job, signal, listener),
      watch: (witnessOptions) => new Witness(metronome, witnessOptions),
      ceiling: (id, job, answer, signal) => rack.ceiling(id, job, answer, signal),
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
  const ended = async (stopped: unknown): Promise<Outcome> => {
    if (stopped !== null && recorder.results.length === 0) return { report: null, path, stopped };
    const report = await recorder.write(stopped === null);
    await addToIndex(path, report);
    return { report, path, stopped };
  };
  try {
    await runCampaign({
      planner,
      firstTrials,
      config,
      results: recorder.results,
      ratiosOnly: order.aim.ratiosOnly,
      run: (trials) => session.run(trials),
      cells: () => recorder.cells(),
      onMore: (trials, why) => progress.more(trials, why),
      canScale: generators.every(({ generator }) =>
        ["process", "told"].includes(generator.threads)
      ),
    });
  } catch (error) {
    return await ended(error);
  }
  return await ended(null);
}

/** @throws {UsageError} for what a load generator cannot do. */
function assertAbilities({ scenarios, config }: Order, generators: readonly Present[]): void {
  for (const { generator: { id, sendsHead, threads } } of generators) {
    if (!sendsHead && scenarios.some(({ request }) => request.method === "HEAD")) {
      throw new UsageError(`${id} cannot send HEAD: choose another --generator`);
    }
    if (config.shards > 1 && !["process", "told"].includes(threads)) {
      throw new UsageError(
        `${id} cannot be told how many --shards to use: choose another --generator`,
      );
    }
  }
}

/**
 * The load generators that were asked for, or each server's own; null if the fastest one is wanted.
 *
 * @throws {UsageError} with how to get one that is not here.
 */
async function namedGenerators({ config, generatorOf }: Order): Promise<Present[] | null> {
  if (generatorOf === null && config.generator === FASTEST) return null;
  const ids = new Set(generatorOf?.values() ?? [config.generator]);
  return await Promise.all([...ids].map(presentGenerator));
}

/** The fastest load generator, and after it the one for scenarios that answer in waves, if any does. */
async function fastest(
  { config, scenarios }: Order,
  { scope }: Stage,
  progress: Progress,
  abort: AbortSignal,
): Promise<Present[]> {
  const [connections = config.defaultConnections] = config.connections ?? [];
  const load = { connections, shards: config.shards };
  progress.phase("Looking for the fastest load generator");
  const best = await fastestGenerator(scope, load, abort, (id, answersPerS, problem) => {
    const reached = answersPerS === null ? problem : `${rate(answersPerS)} answers a second`;
    progress.note(`${id}: ${reached} against canned bytes`);
  });
  progress.note(`Loading with ${best.generator.id}`);
  const waves = scenarios.filter(({ cycle }) => cycle !== null).map(({ id }) => id).join(", ");
  if (waves === "") return [best];
  const other = await generatorForWaves();
  if (other.generator.id === best.generator.id) return [best];
  progress.note(`Loading ${waves} with ${other.generator.id}, which knows where a wave begins`);
  return [best, other];
}

function surroundingsOf(
  order: Order,
  targets: readonly Server[],
  generators: readonly Present[],
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
    threads: new Map(
      generators.filter(({ generator }) => generator.threads === "one")
        .map(({ generator }) => [generator.id, 1]),
    ),
    turns: new Map(
      targets.filter(({ takesTurns }) => takesTurns)
        .map((target) => [target.id, workersOf(target, order.config.workers) ?? Infinity]),
    ),
    queries: new Map(order.scenarios.map(({ id, queries }) => [id, queries])),
  };
}

function missingServers(servers: readonly Available[]): string {
  const reasons = servers.flatMap(({ target, skipped, failure }) => {
    const reason = skipped === null ? failure : `skipped: ${skipped}`;
    return reason === null ? [] : [`${target.id}: ${reason}`];
  });
  return ["There is no server to measure", ...reasons].join("\n");
}
