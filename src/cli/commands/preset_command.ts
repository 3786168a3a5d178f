import { presetExperiment } from "../../experiment/preset_experiment.ts";
import { isPresetId, readPreset } from "../../experiment/preset_file.ts";
import { findGenerator } from "../../load/find.ts";
import { Failure, UsageError } from "../../model/errors.ts";
import { FAILED, FINE } from "../../model/exit_codes.ts";
import type { Experiment } from "../../model/experiment.ts";
import type { PresetTable } from "../../model/preset.ts";
import type { Report } from "../../model/report.ts";
import { claimPath, writeWhole } from "../../results/store.ts";
import { readCatalog } from "../../target/catalog.ts";
import { environment } from "../../view/environment_text.ts";
import { describePreset, presetMarkdown, ratiosOfTables } from "../../view/tables/preset_tables.ts";
import { dryRun } from "../dry_run.ts";
import { isFine } from "../finish.ts";
import type { Io } from "../io.ts";
import { measure, type RunOutcome } from "../measure.ts";
import { appendJobSummary } from "../outputs.ts";
import { type RunOptions, runScenarios } from "../run_scenarios.ts";

/** Load generator that is used if the published tool is not installed. */
const STAND_IN = "autocannon";

/** Options that cannot be given with --preset, because the preset sets them. */
const OVERRIDDEN = [
  "connections",
  "warmup",
  "rounds",
  "maxRounds",
  "generator",
  "dbPool",
  "servers",
  "server",
  "scenario",
  "out",
  "json",
  "explain",
  "request",
  "header",
  "data",
  "pid",
  "html",
  "csv",
  "profile",
] as const satisfies readonly (keyof RunOptions)[];

/**
 * Runs `run --preset`: repeats a published benchmark, table by table, and prints the published figures
 * next to the measured ones. A table that cannot be measured becomes one line.
 *
 * A preset without tables only names scenarios. It runs as `run` with these scenarios does.
 *
 * @returns the exit code
 * @throws {UsageError} if the preset does not exist or names an unknown server, or for an option that
 *   the preset sets
 */
export async function runPreset(
  name: string,
  args: readonly string[],
  options: RunOptions,
  io: Io,
): Promise<number> {
  if (args.length > 0) {
    throw new UsageError("A preset selects its scenarios itself: leave out the scenarios");
  }
  const preset = await readPreset(isPresetId(name) ? name : io.path(name));
  if (preset.scenarios.length > 0) {
    const { connections = preset.connections === null ? undefined : [preset.connections] } =
      options;
    const { preset: _preset, ...rest } = options;
    const asked = { ...rest, ...(connections && { connections }) };
    if (!options.json) io.say(`${preset.title}\n${preset.source}`);
    return await runScenarios(preset.scenarios, asked, [options.workers], io);
  }
  const given = options.quick
    ? "quick"
    : OVERRIDDEN.find((option) => options[option] !== undefined && !!options[option]);
  if (given !== undefined) {
    const flag = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`A preset sets its options itself: leave out --${flag}`);
  }
  const catalog = await readCatalog();
  const experiments = await Promise.all(preset.tables.map(async (table) => {
    const isHere = "path" in await findGenerator(table.tool);
    return presetExperiment(table, catalog, options, isHere ? table.tool : STAND_IN);
  }));
  io.say(`${preset.title}\n${preset.source}`);
  const { markdown } = options;
  const page = markdown === undefined ? null : await claimPath(io.path(markdown));
  const reports: (Report | null)[] = [];
  let isWritten = true;
  for (const [i, experiment] of experiments.entries()) {
    const table = preset.tables[i] as PresetTable;
    if (options.dryRun) {
      io.say(`\n${table.title}`);
      await dryRun(experiment, { ...options, isJson: false }, io);
      continue;
    }
    io.stop.throwIfAborted();
    const outcome = await measureTable(table, experiment, options, io);
    reports.push(outcome?.report ?? null);
    isWritten &&= outcome?.unwritten === null;
    if (page !== null) await writeWhole(page, presetMarkdown(preset, reports));
  }
  if (options.dryRun) return FINE;
  await appendJobSummary(presetMarkdown(preset, reports), io);
  const ratios = ratiosOfTables(preset, reports);
  if (ratios.length > 0) io.say(["", ...ratios].join("\n"));
  return isWritten && reports.every((report) => report !== null && isFine(report)) ? FINE : FAILED;
}

/** Measures one table and prints it; returns null if no server could be measured. */
async function measureTable(
  table: PresetTable,
  experiment: Experiment,
  options: RunOptions,
  io: Io,
): Promise<RunOutcome | null> {
  let outcome: RunOutcome;
  try {
    outcome = await measure(experiment, options, io, (report) => report);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    io.err(`${table.title}: ${error.message}`);
    return null;
  }
  const { report, path, unwritten, stopped } = outcome;
  for (const line of describePreset(table, report, io.screen)) io.say(line);
  for (const line of environment(report)) io.say(line);
  if (path === null) io.say("Nothing was measured, so there is no report");
  else if (unwritten === null) io.say(`The report is in ${path}`);
  else io.err(unwritten);
  if (stopped !== null) throw stopped;
  return outcome;
}
