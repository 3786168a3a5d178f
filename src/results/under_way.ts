/**
 * Marks the reports of running runs by marker files. A run locks its marker; the lock ends with the process.
 */
import { basename, dirname, join } from "node:path";

/**
 * Returns the path of a report's marker file. It is a hidden file in the same folder, because it is not a
 * report.
 */
function markOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.running`);
}

/** Marks a report as running, until the returned object is disposed or the process ends. */
export async function markUnderWay(path: string): Promise<AsyncDisposable> {
  const mark = markOf(path);
  const file = await Deno.open(mark, { create: true, write: true }).catch(() => null);
  // Without a marker the report counts as interrupted, which does no harm
  await file?.tryLock(true).catch(() => false);
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      if (file === null) return;
      await Deno.remove(mark).catch(() => {});
      file.close();
    },
  };
}

/** Returns whether a report's run is still running. Removes the marker of a killed process. */
export async function isUnderWay(path: string): Promise<boolean> {
  const mark = markOf(path);
  const file = await Deno.open(mark, { write: true }).catch(() => null);
  if (file === null) return false;
  try {
    if (!await file.tryLock(true)) return true;
    await Deno.remove(mark).catch(() => {});
    return false;
  } catch {
    return false; // the file system has no locks
  } finally {
    file.close();
  }
}
