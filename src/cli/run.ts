import { resolve } from "node:path";
import { Failure, messageOf } from "../errors.ts";
import { RunningGenerator } from "../load/running.ts";
import type { Report, TrialResult } from "../model.ts";
import { estimateS } from "../plan/plan.ts";
import { describePlan } from "../report/plan.ts";
import { createProgress, type Progress } from "../report/progress.ts";
import { claimPath, defaultPath, writeReport } from "../report/store.ts";
import { terminal } from "../report/terminal.ts";
import { summarise } from "../session/cells.ts";
import { collectVersions, describeHost } from "../session/environment.ts";
import { runTrials } from "../session/session.ts";
import { untilInterrupted } from "./interruption.ts";
import { type Order, readOrder, type RunOptions } from "./order.ts";
import { screenOf, terminalColumns } from "./screen.ts";
import { Stage } from "./stage.ts";
import { say } from "./say.ts";

/** `run`: measures the chosen scenarios, writes the report and prints the summary. */
export async function run(scenarioIds: readonly string[], options: RunOptions): Promise<number> {
  const order = await readOrder(scenarioIds, options);
  const { config, trials } = order;
  if (options.dryRun) {
    say(
      options.json
        ? JSON.stringify({ config, trials })
        : describePlan(config, trials, estimateS(trials)),
    );
    return 0;
  }
  const progress = createProgress({
    write: (text) => Deno.stderr.writeSync(new TextEncoder().encode(text)),
    columns: Deno.stderr.isTerminal() ? terminalColumns() : null,
    targets: order.targets.length,
    trials: order.trials.length,
    leftS: (done) => estimateS(order.trials.slice(done)),
  });
  const { report, path, stopped } = await measure(order, options, progress);
  progress.close();

  if (report === null) throw stopped;
  say(options.json ? JSON.stringify(report) : terminal(report, screenOf()));
  const written = `${
    report.complete ? "The report" : "What was measured until then"
  } is in ${path}`;
  if (stopped !== null) throw endedBy(stopped, written);
  if (!options.json) say(written);
  return report.cells.every(({ status, failedRounds }) => status === "ok" && failedRounds === 0)
    ? 0
    : 1;
}

interface Outcome {
  /** Null if nothing was measured. */
  readonly report: Report | null;
  readonly path: string;
  /** Why the run ended before its plan did; null if it did not. */
  readonly stopped: unknown;
}

async function measure(order: Order, options: RunOptions, progress: Progress): Promise<Outcome> {
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
    onDatabase: (label) => progress.note(`Using ${label}`),
  });
  await using generator = new RunningGenerator(stage.household, order.generator);
  const { database } = stage;
  const versions = await collectVersions(
    order.targets,
    order.generator,
    database?.version ?? null,
  );
  const results: TrialResult[] = [];
  const write = async (complete: boolean): Promise<Report> => {
    const report: Report = {
      schemaVersion: 1,
      id,
      createdAt,
      command: ["deno", "task", "bench", ...Deno.args],
      complete,
      host: describeHost(),
      versions,
      database: database?.address.label ?? null,
      config: order.config,
      results,
      cells: summarise(results),
    };
    await writeReport(path, report);
    return report;
  };

  let report: Report | null = null;
  try {
    await runTrials(order.trials, {
      targets: new Map(order.targets.map((target) => [target.id, target])),
      scenarios: new Map(order.scenarios.map((scenario) => [scenario.id, scenario])),
      facts: stage.facts,
      launch: (target) => stage.launch(target),
      measure: (job, signal, listener) => generator.measure(job, signal, listener),
      databasePid: database?.process?.pid ?? null,
      assertSound: () => stage.assertSound(),
      abort,
      onEvent: async (event) => {
        if (event.kind === "start") return progress.start(event.trial);
        results.push(event.result);
        report = await write(false);
        for (const cell of summarise([event.result])) progress.end(event.result.trial, cell);
      },
    });
    return { report: await write(true), path, stopped: null };
  } catch (error) {
    return { report, path, stopped: error };
  }
}

/** A path as the person gave it: `deno task` starts in another folder than theirs. */
function fromCaller(path: string): string {
  return path && resolve(Deno.env.get("INIT_CWD") || Deno.cwd(), path);
}

/** The same kind of error, which also says where the report is. */
function endedBy(error: unknown, written: string): unknown {
  if (error instanceof Error) {
    error.message = `${messageOf(error)}\n${written}`;
    return error;
  }
  return new Failure(`${messageOf(error)}\n${written}`);
}
