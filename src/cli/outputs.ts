import { messageOf, UsageError } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { claimPath, writeWhole } from "../results/store.ts";
import { type Format, render } from "../view/reporters.ts";
import { FILE, type Io } from "./io.ts";

/** Files that a command can write beside its report. */
export interface OutputOptions {
  readonly html?: string;
  readonly markdown?: string;
  readonly csv?: string;
}

const OUTPUTS = ["html", "markdown", "csv"] as const satisfies readonly Format[];
/** Where GitHub Actions shows Markdown beside a job. */
export const STEP_SUMMARY = "GITHUB_STEP_SUMMARY";

/** Where files go that were asked for by options, known to be writable. */
export type Outputs = ReadonlyMap<Format, string>;

/**
 * Finds out before anything is measured whether the files that were asked for can be written.
 *
 * @param taken other files that the command reads or writes, by their real paths
 * @throws {UsageError} for a place that cannot be, or is meant for two of them.
 * @throws {Failure} if one cannot be written.
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
      throw new UsageError(`Cannot use ${path} for two files at once: name another --${format}`);
    }
    outputs.set(format, real);
  }
  return outputs;
}

/** Writes the files that were asked for. */
export async function writeOutputs(
  report: Report,
  outputs: Outputs,
  isQuiet: boolean,
  io: Io,
): Promise<void> {
  for (const [format, path] of outputs) {
    await writeWhole(path, await render(format, [report], FILE));
    if (!isQuiet) io.say(`The ${format === "html" ? "page" : `report as ${format}`} is in ${path}`);
  }
}

/** Adds Markdown to the summary of a GitHub Actions job, if this is one. */
export async function appendJobSummary(text: string, io: Io): Promise<void> {
  const path = io.env(STEP_SUMMARY);
  if (!path) return;
  try {
    await Deno.writeTextFile(path, `${text}\n`, { append: true });
  } catch (error) {
    io.err(`Cannot add to the job's summary in ${path}: ${messageOf(error)}`);
  }
}
