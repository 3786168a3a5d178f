import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Report } from "../model/report.ts";

/** The folder of reports, where the person is. */
export const RESULTS = "results";

/** Where a report goes unless the person says otherwise: one file a run. */
export function defaultPath(createdAt: string, id: string): string {
  return `${RESULTS}/${createdAt.slice(0, 19).replaceAll(":", "-")}-${id}.json`;
}

/**
 * Finds out before anything is measured whether a report can be written there; changes nothing there,
 * and leaves no folder behind.
 *
 * @returns the file's path, with symbolic links followed
 * @throws {UsageError} if there is something that is no file.
 * @throws {Failure} if it cannot be written there.
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

/** Removes a folder and those above it, up to `last`, as long as nothing is in them. */
async function removeEmpty(folder: string, last: string): Promise<void> {
  try {
    for (let at = folder; at.length >= last.length; at = dirname(at)) await Deno.remove(at);
  } catch {
    // Another run has written there meanwhile.
  }
}

/**
 * Writes a report as JSON, whole or not at all.
 *
 * @throws {Failure} if it cannot be written there.
 */
export async function writeReport(path: string, report: Report): Promise<void> {
  await writeWhole(path, JSON.stringify(report, null, 1) + "\n");
}

/**
 * Writes a text whole or not at all: to a temporary file beside it, which then takes its place.
 *
 * @throws {Failure} if it cannot be written there.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  await explained(path, async () => {
    await writeTemporary(path, text);
    await Deno.rename(temporary(path), path);
  });
}

/** What changes when a file is written or replaced; null if there is none. */
export async function stampOf(path: string): Promise<string | null> {
  const info = await Deno.stat(path).catch(() => null);
  return info && [info.ino, info.size, info.mtime?.getTime()].join(" ");
}

/** The name under which something else's change of a file is kept, the i-th from 1 on. */
export function asideOf(path: string, i: number): string {
  return `${path}.changed-${i}`;
}

/**
 * Gives a file another name, at which there was none.
 *
 * @returns that name.
 * @throws {Failure} if it cannot be renamed.
 */
export async function setAside(path: string): Promise<string> {
  for (let i = 1;; i++) {
    const aside = asideOf(path, i);
    if (await stampOf(aside) !== null) continue;
    await explained(path, () => Deno.rename(path, aside));
    return aside;
  }
}

/** So often another run can have removed the folder that it had made, before this one wrote there. */
const ATTEMPTS = 10;

/**
 * Writes the temporary file of a path, in a folder that is made if it is missing.
 *
 * @param onMade hears of the first folder that was made
 */
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
      if (attempt === ATTEMPTS || !isOfAnotherRun(error)) throw error;
    }
  }
}

/**
 * Whether a folder went away between two steps: before a file was written in it, or, while it was
 * made, between the response that it is there already and the look at what it is.
 */
function isOfAnotherRun(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound ||
    (error instanceof Error && "code" in error && error.code === "EEXIST");
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
