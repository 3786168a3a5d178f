import { noiseExperiment } from "../../experiment/noise_experiment.ts";
import { select } from "../../experiment/select.ts";
import { noiseText } from "../../view/noise_text.ts";
import { dryRun } from "../dry_run.ts";
import { finish } from "../finish.ts";
import type { Io } from "../io.ts";
import { measure } from "../measure.ts";
import type { RunOptions } from "../run_scenarios.ts";

/**
 * Runs `noise`: measures a server against itself. The result is the noise floor: smaller differences
 * between servers mean nothing.
 *
 * @returns the exit code
 */
export async function noise(args: readonly string[], options: RunOptions, io: Io): Promise<number> {
  const experiment = noiseExperiment(await select(args, options, io.path), options);
  if (options.dryRun) return await dryRun(experiment, { ...options, isJson: false }, io);
  const outcome = await measure(experiment, options, io, (report) => report);
  io.say(noiseText(outcome.report, io.screen));
  return finish(outcome, false, io);
}
