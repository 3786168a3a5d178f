import { isSameResult, resultKeyOf } from "../analysis/keys.ts";
import type { Trial, Variant } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import type { RunningServer } from "../target/launch.ts";
import { measureHandshakes, measureWindow } from "./measure_window.ts";
import { type RunContext, scenarioById, variantById } from "./run_context.ts";
import { explain } from "./servers.ts";

/**
 * Runs trials in order. In each round every server has a fresh process, unless the context keeps it
 * running. Each scenario is verified before its load. A failed trial yields a result.
 */
export async function runTrials(context: RunContext, trials: readonly Trial[]): Promise<void> {
  const rounds = Map.groupBy(trials, ({ round, variant }) => `${round} ${variant}`);
  for (const own of rounds.values()) await runRound(context, own as [Trial, ...Trial[]]);
}

/** Runs the trials of a server's round. If the server ends, the next trial starts it again. */
async function runRound(
  context: RunContext,
  trials: readonly [Trial, ...Trial[]],
): Promise<void> {
  const { servers, recorder, emit, signal } = context;
  const [{ variant: id }] = trials;
  const variant = variantById(context, id);
  try {
    for (const [i, trial] of trials.entries()) {
      const known = servers.knownFailure(trial);
      if (known !== null) {
        // A failure is recorded once for each result; later trials of the result are left out.
        const isRecorded = recorder.trialResults.some((earlier) =>
          earlier.failure === known && isSameResult(resultKeyOf(earlier.trial), resultKeyOf(trial))
        );
        if (!isRecorded) await record(context, failed(trial, known));
        continue;
      }
      signal.throwIfAborted();
      await emit({ kind: "start", trial });
      const startedAt = new Date().toISOString();
      let server = servers.running.get(id);
      try {
        server ??= await started(context, variant, trial);
      } catch (error) {
        signal.throwIfAborted();
        const rest = trials.slice(i).filter((trial) => servers.knownFailure(trial) === null);
        const failure = servers.startFailure(id, error);
        for (const trial of rest) await record(context, failed(trial, failure));
        return await servers.stop(id); // it runs if it has refused handshakes
      }
      const scenario = scenarioById(context, trial.scenario);
      const outcome = await measured({ ...context, trial, variant, scenario, server });
      await record(context, { trial, startedAt, ...outcome });
      if (server.process?.hasEnded) await servers.stop(id);
    }
  } finally {
    if (!servers.keeps) await servers.stop(id);
  }
}

/** Starts a server and records that, except for a pilot window, which belongs to no round. */
async function started(
  { servers, recorder }: RunContext,
  variant: Variant,
  { purpose, round }: Trial,
): Promise<RunningServer> {
  const server = await servers.start(variant);
  if (purpose === "pilot") return server;
  const { startUpS, idleRssBytes } = server;
  const handshakes = await measureHandshakes(server);
  recorder.add("launches", { variant: variant.id, round, startUpS, idleRssBytes, handshakes });
  return server;
}

async function measured(
  order: Parameters<typeof measureWindow>[0],
): Promise<Pick<TrialResult, "window" | "failure">> {
  const { variant, server, signal } = order;
  try {
    return { window: await measureWindow(order), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    const failure = await explain(error, server, `the server ${variant.server.name}`);
    return { window: null, failure };
  }
}

async function record(
  { servers, recorder, report, emit, testbed, signal }: RunContext,
  trialResult: TrialResult,
): Promise<void> {
  const { trial, failure } = trialResult;
  if (failure !== null) servers.remember(trial, failure);
  recorder.add("trialResults", trialResult);
  if (recorder.isDue) await report(false);
  for (const result of recorder.results([trialResult])) {
    await emit({ kind: "result", trialResult, result });
  }
  await testbed.assertSound();
  signal.throwIfAborted();
}

function failed(trial: Trial, failure: TrialResult["failure"]): TrialResult {
  return { trial, startedAt: new Date().toISOString(), window: null, failure };
}
