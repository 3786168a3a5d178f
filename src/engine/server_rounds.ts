import { isSameResult, resultKeyOf } from "../analysis/keys.ts";
import type { Trial, Variant } from "../model/experiment.ts";
import type { TrialFailure, TrialResult } from "../model/raw.ts";
import type { RunningServer } from "../target/launch.ts";
import { measureHandshakes, measureWindow } from "./measure_window.ts";
import { type RunContext, scenarioById, variantById } from "./run_context.ts";
import { explain } from "./servers.ts";

/**
 * Runs trials in order. In each round every server has a fresh process, unless the context keeps it running.
 * Each scenario is verified before its load. A failed trial yields a result.
 *
 * @throws {Failure} if nothing more can be measured.
 * @throws the reason of the context's `signal` if that is aborted.
 */
export async function runTrials(context: RunContext, trials: readonly Trial[]): Promise<void> {
  for (let at = 0; at < trials.length;) {
    const round = trials.slice(at, at + roundLength(trials, at));
    at += round.length;
    await runRound(context, round);
  }
}

/** Runs the trials of one server's round. If the server ends, it is started again for the next trial. */
async function runRound(context: RunContext, trials: readonly Trial[]): Promise<void> {
  const { servers, emit, signal } = context;
  const own = trials[0]?.variant ?? "";
  let server = servers.kept?.get(own) ?? null;
  servers.kept?.delete(own);
  try {
    for (const [i, trial] of trials.entries()) {
      const known = servers.knownFailure(trial);
      if (known !== null) {
        if (!isReported(context, trial, known)) await record(context, failed(trial, known));
        continue;
      }
      signal.throwIfAborted();
      await emit({ kind: "start", trial });
      const startedAt = new Date().toISOString();
      const variant = variantById(context, trial.variant);
      try {
        if (server === null) {
          server = await servers.launch(variant);
          await recordLaunch(context, trial, server);
        }
      } catch (error) {
        signal.throwIfAborted();
        const rest = trials.slice(i).filter((trial) => servers.knownFailure(trial) === null);
        const failure = servers.startFailure(variant.id, error);
        for (const trial of rest) await record(context, failed(trial, failure));
        return;
      }
      await record(context, {
        trial,
        startedAt,
        ...await measured(context, trial, variant, server),
      });
      if (server.process?.hasEnded) {
        await server[Symbol.asyncDispose]();
        server = null;
      }
    }
    if (servers.kept !== null && server !== null) {
      servers.kept.set(own, server);
      server = null;
    }
  } finally {
    await server?.[Symbol.asyncDispose]();
  }
}

/** Measures the window of a trial, or explains why it is missing. */
async function measured(
  context: RunContext,
  trial: Trial,
  variant: Variant,
  server: RunningServer,
): Promise<Pick<TrialResult, "window" | "failure">> {
  const scenario = scenarioById(context, trial.scenario);
  try {
    const window = await measureWindow({ ...context, trial, variant, scenario, server });
    return { window, failure: null };
  } catch (error) {
    context.signal.throwIfAborted();
    const failure = await explain(error, server, `the server ${variant.server.name}`);
    return { window: null, failure };
  }
}

/** Records that a server was started. A pilot window belongs to no round, so its start is not recorded. */
async function recordLaunch(
  { recorder }: RunContext,
  { purpose, round, variant }: Trial,
  server: RunningServer,
): Promise<void> {
  if (purpose === "pilot") return;
  const { startUpS, idleRssBytes } = server;
  const handshakes = await measureHandshakes(server);
  recorder.launched({ variant, round, startUpS, idleRssBytes, handshakes });
}

/**
 * Records and emits the result of a trial.
 *
 * @throws {Failure} if nothing more can be measured.
 */
async function record(
  { servers, recorder, report, emit, testbed, signal }: RunContext,
  trialResult: TrialResult,
): Promise<void> {
  const { trial, failure } = trialResult;
  if (failure !== null) servers.remember(trial, failure);
  recorder.add(trialResult);
  if (recorder.isDue) await report(false);
  for (const result of recorder.results([trialResult])) {
    await emit({ kind: "result", trialResult, result });
  }
  await testbed.assertSound();
  signal.throwIfAborted();
}

/**
 * Returns whether a known failure was already recorded for the result that a trial belongs to. Later trials
 * of that result are left out.
 */
function isReported({ recorder }: RunContext, trial: Trial, known: TrialFailure): boolean {
  return recorder.trialResults.some((earlier) =>
    earlier.failure === known && isSameResult(resultKeyOf(earlier.trial), resultKeyOf(trial))
  );
}

/** Returns the result of a trial that was not run. */
function failed(trial: Trial, failure: TrialFailure): TrialResult {
  return { trial, startedAt: new Date().toISOString(), window: null, failure };
}

function roundLength(trials: readonly Trial[], from: number): number {
  const first = trials[from] as Trial;
  const length = trials.slice(from).findIndex(({ round, variant }) =>
    round !== first.round || variant !== first.variant
  );
  return length < 0 ? trials.length - from : length;
}
