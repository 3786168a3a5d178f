import type { Draft } from "../experiment/options.ts";
import { presetExperiment } from "../experiment/preset.ts";
import { findGenerator } from "../load/generator_list.ts";
import { FAILED, Failure, FINE } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Preset, PresetTable } from "../model/preset.ts";
import type { Report } from "../model/report.ts";
import { writeWhole } from "../results/store.ts";
import { readCatalog } from "../target/catalog.ts";
import { environment } from "../view/environment_text.ts";
import { describePreset, presetMarkdown, ratiosOfTables } from "../view/tables/preset_tables.ts";
import { dryRun } from "./dry_run.ts";
import type { Io } from "./io.ts";
import { isFine, measure, type RunOutcome } from "./measure.ts";
import { appendJobSummary } from "./outputs.ts";
import type { RunSettings } from "./run_settings.ts";

/** Load generator that is used if the published tool is not installed. */
const STAND_IN = "autocannon";

/**
 * Repeats a published benchmark, table by table, and prints the published figures next to the measured
 * ones. A table that cannot be measured becomes one line.
 *
 * @returns the exit code
 * @throws {UsageError} if the preset names an unknown server or scenario
 */
export async function repeatTables(
  preset: Preset,
  draft: Draft,
  settings: RunSettings,
  io: Io,
): Promise<number> {
  const catalog = await readCatalog();
  const experiments = await Promise.all(preset.tables.map(async (table) => {
    const isHere = "path" in await findGenerator(table.tool);
    return presetExperiment(table, catalog, draft, isHere ? table.tool : STAND_IN);
  }));
  io.say(`${preset.title}\n${preset.source}`);
  const page = settings.outputs.get("markdown");
  const reports: (Report | null)[] = [];
  let isWritten = true;
  for (const [i, experiment] of experiments.entries()) {
    const table = preset.tables[i] as PresetTable;
    if (settings.isDryRun) {
      io.say(`\n${table.title}`);
      await dryRun(experiment, settings, io);
      continue;
    }
    io.stop.throwIfAborted();
    const outcome = await measureTable(table, experiment, settings, io);
    reports.push(outcome?.report ?? null);
    isWritten &&= outcome?.unwritten === null;
    if (page !== undefined) await writeWhole(page, presetMarkdown(preset, reports));
  }
  if (settings.isDryRun) return FINE;
  await appendJobSummary(presetMarkdown(preset, reports), io);
  const ratios = ratiosOfTables(preset, reports);
  if (ratios.length > 0) io.say(["", ...ratios].join("\n"));
  return isWritten && reports.every((report) => report !== null && isFine(report)) ? FINE : FAILED;
}

/** Measures one table and prints it; returns null if no server could be measured. */
async function measureTable(
  table: PresetTable,
  experiment: Experiment,
  settings: RunSettings,
  io: Io,
): Promise<RunOutcome | null> {
  let outcome: RunOutcome;
  try {
    outcome = await measure(experiment, settings, io);
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
