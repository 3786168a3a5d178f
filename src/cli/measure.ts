/** Measures experiments: connects the engine with progress messages, files and the exit code. */
import { basename, dirname, join, resolve } from "node:path";
import { isSameResult } from "../analysis/keys.ts";
import { isWhole } from "../analysis/slice_ratios.ts";
import { run } from "../engine/run.ts";
import type { Draft } from "../experiment/options.ts";
import { presetExperiment } from "../experiment/preset.ts";
import { findGenerator } from "../load/generator_list.ts";
import type { ResultKey } from "../model/derived.ts";
import { FAILED, Failure, FINE, Interrupted, messageOf, UsageError } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Preset, PresetTable } from "../model/preset.ts";
import type { Report } from "../model/report.ts";
import { addToIndex } from "../results/run_index.ts";
import { claimPath, markUnderWay, ReportFile, writeWhole } from "../results/store.ts";
import { readCatalog } from "../target/catalog.ts";
import { environment } from "../view/environment_text.ts";
import { profilePlaces } from "../view/explain.ts";
import { createProgress } from "../view/progress.ts";
import { quoted } from "../view/reproduce.ts";
import { describePreset, presetMarkdown, ratiosOfTables } from "../view/tables/preset_tables.ts";
import { dryRun } from "./dry_run.ts";
import type { Io } from "./io.ts";
import {
  appendJobSummary,
  pathOfReport,
  type RunSettings,
  testbedOptions,
  writeOutputs,
} from "./command.ts";

/** How a command presents the report of its experiment. */
export interface Presentation<R extends Report> {
  /** Adds the command's own fields to each report. */
  readonly complete?: (report: Report) => Promise<R>;
  readonly print: (report: R) => void | Promise<void>;
  /** Returns Markdown for the summary of a GitHub Actions job; absent for no summary. */
  readonly summary?: (report: R) => string;
  /** Returns the exit code of a run in which every server, round and slice succeeded. */
  readonly exitCode?: (report: R) => number;
}

/** Plans or measures an experiment, prints the report, writes the files and returns the exit code. */
export async function carryOut<R extends Report>(
  experiment: Experiment,
  settings: RunSettings,
  io: Io,
  { complete, print, summary, exitCode }: Presentation<R>,
  resumed: Report | null = null,
): Promise<number> {
  if (settings.dryRun) return await dryRun(experiment, settings, io, resumed);
  const outcome = await measure(experiment, settings, io, complete, resumed);
  const { report } = outcome;
  await print(report);
  try {
    const code = finish(outcome, settings.json ?? false, io);
    return code === FINE ? exitCode?.(report) ?? code : code;
  } finally {
    await writeOutputs(report, settings, io);
    if (summary !== undefined) await appendJobSummary(summary(report), io);
  }
}

interface RunOutcome<R extends Report = Report> {
  readonly report: R;
  /** Path of the report for messages; null if the report was removed, because nothing was measured. */
  readonly path: string | null;
  /** Why the report's file is missing or outdated; null if it is complete. */
  readonly unwritten: string | null;
  /** The error that ended the run early; null if there was none. */
  readonly stopped: unknown;
  /** Whether `--resume` can measure the rest. */
  readonly isResumable: boolean;
}

/** Measures an experiment, shows the progress, and stores the report. */
export async function measure<R extends Report>(
  experiment: Experiment,
  settings: RunSettings,
  io: Io,
  complete: (report: Report) => R | Promise<R> = (report) => report as R,
  resumed: Report | null = null,
): Promise<RunOutcome<R>> {
  const testbed = await io.testbed(testbedOptions(settings, io));
  const path = pathOfReport(settings, testbed.origin, io);
  const progress = createProgress({
    ...io.progress,
    variants: experiment.variants.length,
    isSearch: experiment.search !== null,
  });
  const tell = (problem: string): void => {
    progress.close();
    io.err(problem);
  };
  const claimed = await claimPath(resolve(io.folder, path));
  const isInPlace = resumed !== null && settings.out === settings.resume;
  const file = new ReportFile(claimed, tell, isInPlace ? resumed.trialResults.length : null);
  const profiles = new ProfileFiles(file.path, tell);
  await using mark = await markUnderWay(file.path);
  if (resumed !== null && mark.isTaken) {
    throw new UsageError(`Cannot resume ${path}: its run is under way`);
  }
  let report: R | null = null;
  let stopped: unknown = null;
  try {
    for await (const event of run(experiment, testbed, io.stop, resumed)) {
      if (event.kind === "profiled") await profiles.write(event);
      if (event.kind === "report") {
        report = await complete(profiles.named(event.report));
        await file.write(report);
        progress.show({ kind: "report", report });
        continue;
      }
      progress.show(event);
    }
  } catch (error) {
    if (report === null) throw error;
    stopped = error;
  } finally {
    progress.close();
  }
  if (report === null) throw new Error("A run without a report has an error");
  const isMeasured = report.counts.length + report.costs.length > 0 ||
    report.selfTimes.length > 0 ||
    report.blocks.some(({ slices }) => slices !== null) ||
    report.trialResults.some(({ failure }) => failure?.kind !== "start");
  // If no server started, the report contains only the reason. It is kept if the user named its file
  const isKept = isMeasured || settings.out !== undefined || stopped !== null;
  if (!isKept) await file.discard();
  else if (file.problem === null) await addToIndex(io, file.path, report);
  return {
    report,
    path: isKept ? path : null,
    unwritten: file.problem,
    stopped,
    isResumable: whyNotResumed(experiment) === null,
  };
}

const NOTHING = "Nothing was measured, so there is no report";

/**
 * Prints the report's path, unless `isQuiet`, and returns the exit code. Throws the error that ended the
 * run early, with the path, or the error of writing the report.
 */
export function finish(
  { report, path, unwritten, stopped, isResumable }: RunOutcome,
  isQuiet: boolean,
  io: Io,
): number {
  const what = report.complete ? "The report" : "The partial report";
  const place = unwritten ?? (path === null ? NOTHING : `${what} is in ${path}`);
  if (stopped !== null) {
    if (!isResumable || unwritten !== null || path === null) throw withLine(stopped, place);
    const whole = resolve(io.folder, path);
    // `deno task` may have been typed in another folder
    const option = quoted(["--resume", io.path(path) === whole ? path : whole]);
    throw withLine(stopped, `${place}\nMeasure the rest with the same command and ${option}`);
  }
  if (unwritten !== null) throw new Failure(unwritten);
  if (!isQuiet) io.say([place, ...profilePlaces(report)].join("\n"));
  return isFine(report) ? FINE : FAILED;
}

/** Returns why `--resume` cannot measure the rest of an experiment; null if it can. */
export function whyNotResumed({ kind, design, variants }: Experiment): string | null {
  if (kind === "rate") return "response times at a --rate are measured in one part";
  if (!["run", "scaling"].includes(kind)) return "only stampede run can be resumed";
  if (design.costs.length > 0) return "the costs of --measure are measured in one part";
  if (variants.some(({ generator }) => generator === "auto")) {
    return "another generator may be the fastest now: name it instead of --generator auto";
  }
  return variants.some(({ server }) => server.attached !== null)
    ? "the server at a URL may be another one now"
    : null;
}

/** Returns whether every server, round and slice of a run succeeded. */
function isFine({ results, servers, blocks }: Report): boolean {
  return blocks.every(isWhole) && servers.every(({ failure }) => failure === null) &&
    results.every(({ status, failedRounds }) => status === "ok" && failedRounds === 0);
}

/** Returns an error of the same kind with a further line. */
export function withLine(error: unknown, line: string): Error {
  const message = `${messageOf(error)}\n${line}`;
  if (error instanceof Interrupted) return new Interrupted(message, { cause: error });
  if (error instanceof UsageError) return new UsageError(message, { cause: error });
  return new Failure(message, null, { cause: error });
}

/** Writes the profiles of a run as .cpuprofile files next to its report, for DevTools. */
export class ProfileFiles {
  readonly #files: { readonly key: ResultKey; readonly names: readonly string[] }[] = [];

  constructor(readonly report: string, readonly warn: (text: string) => void) {}

  /** Writes the profile of a server at a scenario. A failed write does not end the run. */
  async write({ profile, threads }: Extract<RunEvent, { kind: "profiled" }>): Promise<void> {
    const names: string[] = [];
    for (const [i, thread] of threads.entries()) {
      const name = this.#nameOf(profile, threads.length > 1 ? [String(i + 1)] : []);
      try {
        await writeWhole(join(dirname(this.report), name), JSON.stringify(thread));
        names.push(name);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.warn(error.message);
      }
    }
    this.#files.push({ key: profile, names });
  }

  named(report: Report): Report {
    const profiles = report.profiles.map((profile) => {
      const written = this.#files.find(({ key }) => isSameResult(key, profile));
      return { ...profile, files: written?.names ?? profile.files };
    });
    return { ...report, profiles };
  }

  /** Returns a file name with server and scenario, and with the load if that name is taken. */
  #nameOf({ variant, scenario, connections, perS }: ResultKey, thread: readonly string[]): string {
    const isTaken = this.#files.some(({ key }) =>
      key.variant === variant && key.scenario === scenario
    );
    const load = [`${connections}-connections`, ...(perS === null ? [] : [`${perS}-per-s`])];
    const report = basename(this.report).replace(/\.json$/, "");
    const parts = [report, variant, scenario, ...(isTaken ? load : []), ...thread];
    return `${parts.join(".").replaceAll(/[^\w.-]+/g, "-")}.cpuprofile`;
  }
}

/** Load generator that is used if the published tool is not installed. */
const STAND_IN = "autocannon";

/** Repeats a published benchmark. A table that cannot be measured becomes one line. */
export async function repeatTables(
  preset: Preset,
  draft: Draft,
  settings: RunSettings,
  io: Io,
): Promise<number> {
  const catalog = await readCatalog();
  const planned = await Promise.all(preset.tables.map(async (table) => {
    const isHere = "path" in await findGenerator(table.tool);
    const generator = isHere ? table.tool : STAND_IN;
    return { table, experiment: presetExperiment(table, catalog, draft, generator) };
  }));
  io.say(`${preset.title}\n${preset.source}`);
  const page = settings.outputs.get("markdown");
  const reports: (Report | null)[] = [];
  let isAllFine = true;
  for (const { table, experiment } of planned) {
    if (settings.dryRun) {
      io.say(`\n${table.title}`);
      await dryRun(experiment, settings, io);
      continue;
    }
    io.stop.throwIfAborted();
    const outcome = await measureTable(table, experiment, settings, io);
    reports.push(outcome?.report ?? null);
    isAllFine &&= outcome !== null && outcome.unwritten === null && isFine(outcome.report);
    if (page !== undefined) await writeWhole(page, presetMarkdown(preset, reports));
  }
  if (settings.dryRun) return FINE;
  await appendJobSummary(presetMarkdown(preset, reports), io);
  const ratios = ratiosOfTables(preset, reports);
  if (ratios.length > 0) io.say(["", ...ratios].join("\n"));
  return isAllFine ? FINE : FAILED;
}

/** Measures and prints one table; returns null if no server could be measured. */
async function measureTable(
  table: PresetTable,
  experiment: Experiment,
  settings: RunSettings,
  io: Io,
): Promise<RunOutcome | null> {
  const outcome = await measure(experiment, settings, io).catch((error) => {
    if (!(error instanceof Failure)) throw error;
    io.err(`${table.title}: ${error.message}`);
    return null;
  });
  if (outcome === null) return null;
  const { report, path, unwritten, stopped } = outcome;
  for (const line of describePreset(table, report, io.screen)) io.say(line);
  for (const line of environment(report)) io.say(line);
  if (unwritten !== null && path !== null) io.err(unwritten);
  else io.say(path === null ? NOTHING : `The report is in ${path}`);
  if (stopped !== null) throw stopped;
  return outcome;
}
