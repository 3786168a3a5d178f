import { capacityExperiment } from "../../experiment/capacity_experiment.ts";
import { select } from "../../experiment/select.ts";
import { toJson } from "../../model/text.ts";
import { markdown } from "../../view/markdown.ts";
import { terminal } from "../../view/terminal.ts";
import { dryRun } from "../dry_run.ts";
import { finish } from "../finish.ts";
import type { Io } from "../io.ts";
import { measure } from "../measure.ts";
import { appendJobSummary, claimOutputs, writeOutputs } from "../outputs.ts";
import type { RunOptions } from "../run_scenarios.ts";

/**
 * Runs `capacity`: finds the highest rate at which each server meets an SLO, and measures response times at
 * shares of it.
 *
 * @returns the exit code
 */
export async function capacity(
  args: readonly string[],
  options: RunOptions,
  io: Io,
): Promise<number> {
  const experiment = capacityExperiment(await select(args, options, io.path), options);
  const isQuiet = options.json ?? false;
  if (options.dryRun) return await dryRun(experiment, { ...options, isJson: isQuiet }, io);
  const taken = options.out === undefined ? [] : [io.path(options.out)];
  const outputs = await claimOutputs(options, taken, io);
  const outcome = await measure(experiment, options, io, (report) => report);
  const { report } = outcome;
  const extent = { explained: [], isWide: options.wide, file: options.out ?? null };
  io.out(isQuiet ? toJson(report) : terminal(report, io.screen, extent));
  try {
    return finish(outcome, isQuiet, io);
  } finally {
    await writeOutputs(report, outputs, isQuiet, io);
    await appendJobSummary(markdown([report]), io);
  }
}
