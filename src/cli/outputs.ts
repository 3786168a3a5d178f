import { pick } from "../experiment/select.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import type { AnyReport } from "../model/report.ts";
import { claimPath, writeWhole } from "../results/store.ts";
import { type Format, render } from "../view/reporters.ts";
import { FILE, type Io } from "./io.ts";

/** Files that a command can write in addition to its report. */
export interface OutputOptions {
  readonly html?: string;
  readonly markdown?: string;
  readonly csv?: string;
}

const OUTPUTS = ["html", "markdown", "csv"] as const satisfies readonly Format[];
/** The variable with the file that GitHub Actions shows as a job's summary. */
export const STEP_SUMMARY = "GITHUB_STEP_SUMMARY";

/** Paths of the files to write, by format. All of them are known to be writable. */
export type Outputs = ReadonlyMap<Format, string>;

/**
 * Checks before a measurement that the files of the options can be written.
 *
 * @param taken real paths of the other files that the command reads or writes
 * @throws {UsageError} if a path is invalid or used twice
 * @throws {Failure} if a file cannot be written
 */
export async function claimOutputs(
  options: OutputOptions,
  taken: readonly (string | undefined)[],
  io: Io,
): Promise<Outputs> {
  const outputs = new Map<Format, string>();
  for (const format of OUTPUTS) {
    const path = options[format];
    if (path === undefined) continue;
    const real = await claimPath(io.path(path));
    if ([...outputs.values(), ...taken].includes(real)) {
      throw new UsageError(`Cannot use ${path} for two files: choose another --${format}`);
    }
    outputs.set(format, real);
  }
  return outputs;
}

/** Writes a report to the files of the options. Prints their paths unless `isQuiet`. */
export async function writeOutputs(
  report: AnyReport,
  outputs: Outputs,
  isQuiet: boolean,
  io: Io,
): Promise<void> {
  for (const [format, path] of outputs) {
    await writeWhole(path, await render(format, [report], FILE));
    if (!isQuiet) io.say(`The ${format === "html" ? "page" : `report as ${format}`} is in ${path}`);
  }
}

/** Appends Markdown to the summary of a GitHub Actions job, if the process runs in one. */
export async function appendJobSummary(text: string, io: Io): Promise<void> {
  const path = io.env(STEP_SUMMARY);
  if (!path) return;
  try {
    await Deno.writeTextFile(path, `${text}\n`, { append: true });
  } catch (error) {
    io.err(`Cannot append to the job's summary in ${path}: ${messageOf(error)}`);
  }
}

/**
 * Parses the value of --explain and returns the ids of its scenarios.
 *
 * @param text ids separated by commas, or all
 * @param known the scenarios of the report
 * @throws {UsageError} if an id is unknown
 */
export function readExplained(
  text: string | undefined,
  known: readonly { readonly id: string }[],
): string[] {
  if (text === undefined) return [];
  const ids = text === "all" ? [] : text.split(",");
  return pick("scenario to explain in this report", ids, known).map(({ id }) => id);
}
