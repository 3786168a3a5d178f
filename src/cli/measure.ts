import type { Report, RunConfig } from "../findings.ts";
import { usableCores } from "../machine/quota.ts";
import { Metronome } from "../load/metronome.ts";
import { RunningGenerator } from "../load/running.ts";
import { Witness } from "../load/witness.ts";
import type { TrialResult } from "../model.ts";
import { Planner } from "../plan/plan.ts";
import { createProgress } from "../report/progress.ts";
import { claimPath, defaultPath, writeReport } from "../report/store.ts";
import { runCampaign } from "../session/campaign.ts";
import { Ceilings } from "../session/ceiling.ts";
import { summarise, type Surroundings } from "../session/cells.ts";
import { compareServers, noiseOf, rank } from "../session/comparisons.ts";
import { collectVersions, describeHost } from "../session/environment.ts";
import { Session } from "../session/session.ts";
import { fromCaller } from "./choose.ts";
import { untilInterrupted } from "./interruption.ts";
import type { Order, RunOptions } from "./order.ts";
import { terminalColumns } from "./screen.ts";
import { Stage } from "./stage.ts";

/** How a run ended. */
export interface Outcome {
  /** Null if nothing was measured. */
  readonly report: Report | null;
  readonly path: string;
  /** Why the run ended before its plan did; null if it did not. */
  readonly stopped: unknown;
}

/** A long run is not written again after each of its windows, only after every so many. */
const WRITE_EVERY = 10;
const SHORT_RUN = 100;

/** Measures what was ordered and writes the report, after each window and at the end. */
export async function measure(order: Order, options: RunOptions): Promise<Outcome> {
  const planner = new Planner(order.config, order.targets, order.scenarios);
  const firstTrials = planner.firstRounds();
  const progress = createProgress({
    write: (text) => Deno.stderr.writeSync(new TextEncoder().encode(text)),
    columns: Deno.stderr.isTerminal() ? terminalColumns() : null,
    targets: order.targets.length,
    trials: firstTrials,
  });
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
  const config: RunConfig = { ...order.config, pinning };
  await using generator = new RunningGenerator(
    household,
    order.generator,
    pinning?.generator ?? null,
  );
  const ceilings = new Ceilings({ household, generator, cpus: pinning?.server ?? null });
  using metronome = new Metronome();
  const host = describeHost(stage.machine, order.mostConnections);
  const versions = await collectVersions(
    order.targets,
    order.generator,
    database?.version ?? null,
  );
  const usable = usableCores(stage.machine);
  const surroundings: Surroundings = {
    cores: {
      machine: usable < host.cores ? null : host.cores,
      server: pinning?.server.length ?? usable,
      database: pinning?.database?.length ?? usable,
      generator: pinning?.generator.length ?? usable,
    },
    targets: config.targets,
    queries: new Map(order.scenarios.map(({ id, queries }) => [id, queries])),
  };
  const results: TrialResult[] = [];
  const write = async (complete: boolean): Promise<Report> => {
    const cells = summarise(results, surroundings);
    const comparisons = compareServers(results, cells);
    const report: Report = {
      schemaVersion: 1,
      id,
      createdAt,
      command: ["deno", "task", "bench", ...Deno.args],
      complete,
      tookS: (performance.now() - startedMs) / 1000,
      measuredS: results.reduce((sum, { window }) => sum + (window?.measurement.durationS ?? 0), 0),
      host,
      versions,
      database: database?.address.label ?? null,
      config,
      results,
      cells: rank(cells, comparisons),
      comparisons,
      noise: order.twins === null ? [] : noiseOf(results, cells, order.twins),
    };
    await writeReport(path, report);
    return report;
  };

  const session = new Session({
    targets: new Map(order.targets.map((target) => [target.id, target])),
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
      results.push(event.result);
      if (results.length < SHORT_RUN || results.length % WRITE_EVERY === 0) await write(false);
      for (const cell of summarise([event.result], surroundings)) {
        progress.end(event.result.trial, cell);
      }
    },
  });
  try {
    await runCampaign({
      ...{ planner, firstTrials, config },
      run: (trials) => session.run(trials),
      results,
      cells: () => summarise(results, surroundings),
      onMore: (trials, why) => progress.more(trials, why),
    });
    return { report: await write(true), path, stopped: null };
  } catch (error) {
    return { report: results.length === 0 ? null : await write(false), path, stopped: error };
  }
}
