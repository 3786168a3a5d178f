/** Writes reports completely or not at all, and marks those of running runs by locked files. */
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { AnyReport, Report } from "../model/report.ts";
import { count } from "../model/text.ts";

/** The folder of reports. */
export interface Place {
  /** The working directory. */
  readonly folder: string;
  /** The folder of reports as people know it: absolute, or relative to `folder`. */
  readonly results: string;
}

/** Returns the name of a report's file: one file for each run. */
export function fileName({ createdAt, id }: Pick<AnyReport, "createdAt" | "id">): string {
  return `${createdAt.slice(0, 19).replaceAll(":", "-")}-${id}.json`;
}

/**
 * Checks that a report can be written, changes nothing, and returns the path without symbolic links. Throws
 * UsageError if the path exists and is not a file, Failure if the file cannot be written.
 */
export async function claimPath(path: string): Promise<string> {
  const info = await Deno.stat(path).catch(() => null);
  if (path === "" || (info !== null && !info.isFile)) {
    throw new UsageError(`Cannot write the report to "${path}": that is not a file`);
  }
  const real = info === null ? path : await Deno.realPath(path);
  await explained(real, async () => {
    let firstMade: string | undefined;
    try {
      await writeTemporary(real, "", (made) => firstMade ??= made);
      await Deno.remove(temporary(real));
    } finally {
      if (firstMade !== undefined) await removeEmpty(dirname(real), firstMade);
    }
  });
  return real;
}

/** Removes a folder and its parents up to `last`, if they are empty. */
async function removeEmpty(folder: string, last: string): Promise<void> {
  try {
    for (let at = folder; at.length >= last.length; at = dirname(at)) await Deno.remove(at);
  } catch {
    // Another run has written there in the meantime
  }
}

export async function writeReport(path: string, report: AnyReport): Promise<void> {
  await writeWhole(path, JSON.stringify(report, null, 1) + "\n");
}

/** Replaces a file by a text, completely or not at all; throws Failure if it cannot be written. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await explained(path, async () => {
    await writeTemporary(path, text);
    await Deno.rename(temporary(path), path);
  });
}

/** Writes the temporary file of a path. `onMade` receives the topmost folder that was created. */
async function writeTemporary(
  path: string,
  text: string,
  onMade: (folder: string) => void = () => {},
): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      const made = await mkdir(dirname(path), { recursive: true });
      if (made !== undefined) onMade(made);
      return await Deno.writeTextFile(temporary(path), text);
    } catch (error) {
      // Another run removed the folder before the write, or while the folder was being created
      const isOfAnotherRun = error instanceof Deno.errors.NotFound ||
        (error instanceof Error && "code" in error && error.code === "EEXIST");
      if (attempt === 10 || !isOfAnotherRun) throw error;
    }
  }
}

function temporary(path: string): string {
  return `${path}.part`;
}

async function explained(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    await Deno.remove(temporary(path)).catch(() => {});
    throw new Failure(`Cannot write the report to ${path}: ${messageOf(error)}`);
  }
}

/**
 * The file of a run's report. After a failed write, such as on a full disk, the next one may succeed. If
 * another program changes the file, its version is renamed once; later changes are overwritten.
 */
export class ReportFile {
  #problem: string | null = null;
  /** Number of windows of the report in the file; null if the file has no report of this run. */
  #windows: number | null = null;
  /** Stamp of the file after the last write; null before it, and once another program changed it. */
  #stamp: string | null = null;
  #isContested = false;

  /**
   * @param warn receives a message when a write first fails, and when another program changed the file
   * @param windows number of windows of the report in the file, if that is of this run; otherwise null
   */
  constructor(
    readonly path: string,
    readonly warn: (text: string) => void,
    windows: number | null = null,
  ) {
    this.#windows = windows;
  }

  async write(report: Report): Promise<void> {
    try {
      await this.#makeRoom();
      await writeReport(this.path, report);
      this.#stamp = this.#isContested ? null : await stampOf(this.path);
      this.#problem = null;
      this.#windows = report.trialResults.length;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (this.#problem === null) this.warn(`${error.message}; the run continues and tries again`);
      this.#problem = error.message;
    }
  }

  /** Removes the file, unless another program changed it. */
  async discard(): Promise<void> {
    if (this.#stamp !== null && await stampOf(this.path) === this.#stamp) {
      await Deno.remove(this.path);
    }
  }

  /** Renames the file to the first free name, `.changed-1` and so on, if another program wrote it. */
  async #makeRoom(): Promise<void> {
    const { path } = this;
    const found = await stampOf(path);
    if (this.#stamp === null || found === null || found === this.#stamp) return;
    this.#isContested = true;
    this.#windows = null;
    let i = 1;
    while (await stampOf(`${path}.changed-${i}`) !== null) i++;
    const aside = `${path}.changed-${i}`;
    await explained(path, () => Deno.rename(path, aside));
    this.warn(
      `Another program changed ${path}: its version is now ${aside}; further changes will be lost`,
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

/** Returns a text that changes if the file is written or replaced; null for a missing file. */
async function stampOf(path: string): Promise<string | null> {
  const info = await Deno.stat(path).catch(() => null);
  return info && [info.ino, info.size, info.mtime?.getTime()].join(" ");
}

/** Returns the path of a report's marker: a hidden file in the same folder, because it is no report. */
function markOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.running`);
}

/** Returns the name of a report's file from the name of its marker; null for other files. */
export function fileOfMark(name: string): string | null {
  return /^\.(.+)\.running$/.exec(name)?.[1] ?? null;
}

/**
 * Marks a report as running, until the returned object is disposed or the process ends. `isTaken`: another
 * process has marked it.
 */
export async function markUnderWay(
  path: string,
): Promise<AsyncDisposable & { readonly isTaken: boolean }> {
  const mark = markOf(path);
  const file = await Deno.open(mark, { create: true, write: true }).catch(() => null);
  // Without a marker or locks, the report counts as interrupted, which does no harm
  const isOwn = await file?.tryLock(true).catch(() => true) ?? true;
  return {
    isTaken: !isOwn,
    async [Symbol.asyncDispose](): Promise<void> {
      if (isOwn && file !== null) await Deno.remove(mark).catch(() => {});
      file?.close();
    },
  };
}

/** Returns whether a report's run is still running. Removes the marker of a killed process. */
export async function isUnderWay(path: string): Promise<boolean> {
  const mark = markOf(path);
  using file = await Deno.open(mark, { write: true }).catch(() => null);
  try {
    if (file === null) return false;
    if (!await file.tryLock(true)) return true;
    await Deno.remove(mark).catch(() => {});
  } catch {
    // The file system has no locks
  }
  return false;
}
