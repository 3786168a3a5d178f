/** The files that commands write: reports in other formats, and what a run writes while it measures. */
import { basename, dirname, join } from "node:path";
import { isSameResult } from "../analysis/keys.ts";
import { pick } from "../experiment/select.ts";
import type { ResultKey } from "../model/derived.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { AnyReport, Report } from "../model/report.ts";
import { count } from "../model/text.ts";
import { claimPath, setAside, stampOf, writeReport, writeWhole } from "../results/store.ts";
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

/**
 * The file of a run's report. A failed write, such as on a full disk, does not end the run: the next
 * write may succeed.
 *
 * If another program changes the file during the run, its version is renamed. Later changes by other
 * programs are overwritten.
 */
export class ReportFile {
  readonly path: string;
  /** Receives a message when a write first fails, and when another program has changed the file. */
  readonly #warn: (text: string) => void;
  #problem: string | null = null;
  /** Number of windows of the report in the file; null if the file has no report of this run. */
  #windows: number | null = null;
  /** Stamp of the file after the last write; null before it, and once another program changed it. */
  #stamp: string | null = null;
  #isContested = false;

  constructor(path: string, warn: (text: string) => void) {
    this.path = path;
    this.#warn = warn;
  }

  /** Replaces the file by a newer report. */
  async write(report: Report): Promise<void> {
    try {
      await this.#makeRoom();
      await writeReport(this.path, report);
      this.#stamp = this.#isContested ? null : await stampOf(this.path);
      this.#problem = null;
      this.#windows = report.trialResults.length;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (this.#problem === null) this.#warn(`${error.message}; the run continues and tries again`);
      this.#problem = error.message;
    }
  }

  /** Removes the file, unless another program changed it. */
  async discard(): Promise<void> {
    if (this.#stamp !== null && await stampOf(this.path) === this.#stamp) {
      await Deno.remove(this.path);
    }
  }

  /** Renames the file if another program wrote it. */
  async #makeRoom(): Promise<void> {
    const found = await stampOf(this.path);
    if (this.#stamp === null || found === null || found === this.#stamp) return;
    this.#isContested = true;
    this.#windows = null;
    const aside = await setAside(this.path);
    this.#warn(
      `Another program changed ${this.path}: its version is now ${aside}; further changes will be lost`,
    );
  }

  /** Why the last write failed, and what the file contains instead; null if the write succeeded. */
  get problem(): string | null {
    if (this.#problem === null) return null;
    const content = this.#windows === null
      ? "nothing of this run"
      : `the run's first ${count(this.#windows, "window")}`;
    return `${this.#problem}; the file has ${content}`;
  }
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
