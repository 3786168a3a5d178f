import type { ExperimentOptions } from "../../experiment/options.ts";
import { runExperiment } from "../../experiment/run.ts";
import { select, type SelectOptions } from "../../experiment/select.ts";
import { markdown } from "../../view/markdown.ts";
import { terminal } from "../../view/terminal.ts";
import { dryRun } from "../dry_run.ts";
import { readExplained } from "../explained.ts";
import { finish } from "../finish.ts";
import type { Io } from "../io.ts";
import { measure, type MeasureOptions } from "../measure.ts";
import { appendJobSummary, claimOutputs, type OutputOptions, writeOutputs } from "../outputs.ts";
import { runPreset } from "./preset.ts";

/** Options of `run`, as the table of options yields them. */
export interface RunOptions
  extends ExperimentOptions, SelectOptions, MeasureOptions, OutputOptions {
  /** Id or path. */
  readonly preset?: string;
  readonly explain?: string;
  readonly wide: boolean;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** `run`: measures the chosen scenarios, writes the report and prints the summary. */
export async function run(args: readonly string[], options: RunOptions, io: Io): Promise<number> {
  if (options.preset !== undefined) return await runPreset(options.preset, args, options, io);
  const selection = await select(args, options, io.path);
  const experiment = runExperiment(selection, options);
  const extent = {
    explained: readExplained(options.explain, selection.scenarios),
    isWide: options.wide,
    file: options.out ?? null,
  };
  const taken = options.out === undefined ? [] : [io.path(options.out)];
  const outputs = await claimOutputs(options, taken, io);
  if (options.dryRun) {
    return await dryRun(experiment, { ...options, isJson: options.json ?? false }, io);
  }
  const outcome = await measure(experiment, options, io, (report) => report);
  const isQuiet = options.json ?? false;
  const { report } = outcome;
  io.out(isQuiet ? JSON.stringify(report) : terminal(report, io.screen, extent));
  try {
    return finish(outcome, isQuiet, io);
  } finally {
    await writeOutputs(report, outputs, isQuiet, io);
    await appendJobSummary(markdown([report]), io);
  }
}
