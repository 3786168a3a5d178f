/** The files that commands write: reports in other formats, and what a run writes while it measures. */
import { basename, dirname, join } from "node:path";
import { isSameResult } from "../analysis/keys.ts";
import { pick } from "../experiment/select.ts";
import type { ResultKey } from "../model/derived.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { AnyReport, Report } from "../model/report.ts";
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
 * Checks before a measurement that the files of the options can be written; throws like
 * {@linkcode claimPath}.
 *
 * @param taken real paths of the other files that the command reads or writes
 * @throws {UsageError} if a path is used twice
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

/** Returns the ids of a report's scenarios in the value of --explain; throws UsageError for others. */
export function readExplained(
  text: string | undefined,
  known: readonly { readonly id: string }[],
): string[] {
  if (text === undefined) return [];
  const ids = text === "all" ? [] : text.split(",");
  return pick("scenario to explain in this report", ids, known).map(({ id }) => id);
}

/** Writes the profiles of a run as .cpuprofile files next to its report, for DevTools. */
export class ProfileFiles {
  readonly #report: string;
  readonly #warn: (text: string) => void;
  readonly #files: { readonly key: ResultKey; readonly names: readonly string[] }[] = [];

  /** @param warn receives a message if a file cannot be written next to the report's */
  constructor(report: string, warn: (text: string) => void) {
    this.#report = report;
    this.#warn = warn;
  }

  /** Writes the profile of a server at a scenario. A failed write does not end the run. */
  async write({ profile, threads }: Extract<RunEvent, { kind: "profiled" }>): Promise<void> {
    const names: string[] = [];
    for (const [i, thread] of threads.entries()) {
      const name = this.#nameOf(profile, threads.length > 1 ? [String(i + 1)] : []);
      try {
        await writeWhole(join(dirname(this.#report), name), JSON.stringify(thread));
        names.push(name);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.#warn(error.message);
      }
    }
    this.#files.push({ key: profile, names });
  }

  /** Adds the names of the written files to the profiles in a report. */
  named(report: Report): Report {
    const profiles = report.profiles.map((profile) => {
      const written = this.#files.find(({ key }) => isSameResult(key, profile));
      return { ...profile, files: written?.names ?? [] };
    });
    return { ...report, profiles };
  }

  /** Returns a file name with server and scenario, and with the load if that name is taken. */
  #nameOf({ variant, scenario, connections, perS }: ResultKey, thread: readonly string[]): string {
    const isTaken = this.#files.some(({ key }) =>
      key.variant === variant && key.scenario === scenario
    );
    const load = [`${connections}-connections`, ...(perS === null ? [] : [`${perS}-per-s`])];
    const report = basename(this.#report).replace(/\.json$/, "");
    const parts = [report, variant, scenario, ...(isTaken ? load : []), ...thread];
    return `${parts.join(".").replaceAll(/[^\w.-]+/g, "-")}.cpuprofile`;
  }
}
