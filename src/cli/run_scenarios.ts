import type { ExperimentOptions } from "../experiment/options.ts";
import { type ClosedLoopRates, rateExperiment } from "../experiment/rate_experiment.ts";
import { runExperiment } from "../experiment/run_experiment.ts";
import { scalingExperiment } from "../experiment/scaling_experiment.ts";
import { select, type Selection, type SelectOptions } from "../experiment/select.ts";
import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import { toJson } from "../model/text.ts";
import { markdown } from "../view/markdown.ts";
import { terminal } from "../view/terminal.ts";
import { measureClosedLoopRates } from "./measure_closed_loop_rates.ts";
import { dryRun } from "./dry_run.ts";
import { readExplained } from "./explained.ts";
import { finish } from "./finish.ts";
import type { Io } from "./io.ts";
import { measure, type MeasureOptions } from "./measure.ts";
import { appendJobSummary, claimOutputs, type OutputOptions, writeOutputs } from "./outputs.ts";

/** Options of `run`, as parsed. */
export interface RunOptions
  extends ExperimentOptions, SelectOptions, MeasureOptions, OutputOptions {
  /** Id of a built-in preset, or path of a preset's file. */
  readonly preset?: string;
  /** Whether --quick is given. Its defaults are already in the other options. */
  readonly quick?: boolean;
  readonly explain?: string;
  readonly wide: boolean;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/**
 * Returns the rates of --rate, or of scenarios that have fixed rates; undefined for closed loops.
 *
 * @throws {UsageError} if only some of the scenarios have fixed rates and --rate is missing
 */
function ratesFor(
  { scenarios }: Selection,
  { rate }: RunOptions,
): ExperimentOptions["rate"] {
  const own = scenarios.filter(({ beside }) => beside !== undefined);
  if (rate !== undefined || own.length === 0) return rate;
  if (own.length < scenarios.length) {
    const names = own.map(({ id }) => id).join(", ");
    throw new UsageError(
      `Cannot measure ${names} together with other scenarios: give a --rate for all of them`,
    );
  }
  return { perS: [], shares: [] };
}

/**
 * Measures scenarios as one experiment, writes the report and prints the summary.
 *
 * @returns the exit code
 * @throws {UsageError} if the options contradict each other
 */
export async function runScenarios(
  args: readonly string[],
  options: RunOptions,
  workers: readonly number[],
  io: Io,
): Promise<number> {
  const selection = await select(args, options, io.path);
  const rate = ratesFor(selection, options);
  if (options.dryRun && rate !== undefined && rate.shares.length > 0) {
    throw new UsageError(
      "Cannot plan a --rate in percent, since it needs a measurement: give requests per second",
    );
  }
  const experimentAt = (closedLoopPerS: ClosedLoopRates): Experiment =>
    workers.length > 1
      ? scalingExperiment(selection, options, workers)
      : rate === undefined
      ? runExperiment(selection, options)
      : rateExperiment(selection, options, rate, closedLoopPerS);
  experimentAt({}); // rejects invalid options before a server starts
  const extent = {
    explained: readExplained(options.explain, selection.scenarios),
    isWide: options.wide,
    file: options.out ?? null,
  };
  const taken = options.out === undefined ? [] : [io.path(options.out)];
  const outputs = await claimOutputs(options, taken, io);
  const closedLoopPerS = (rate?.shares.length ?? 0) === 0
    ? {}
    : await measureClosedLoopRates(selection, options, io);
  const experiment = experimentAt(closedLoopPerS);
  if (options.dryRun) {
    return await dryRun(experiment, { ...options, isJson: options.json ?? false }, io);
  }
  const outcome = await measure(experiment, options, io, (report) => report);
  const isQuiet = options.json ?? false;
  const { report } = outcome;
  io.out(isQuiet ? toJson(report) : terminal(report, io.screen, extent));
  try {
    return finish(outcome, isQuiet, io);
  } finally {
    await writeOutputs(report, outputs, isQuiet, io);
    await appendJobSummary(markdown([report]), io);
  }
}
