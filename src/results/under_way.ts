/** Which reports are of runs that go on: a lock tells, since it ends with its process. */
import { basename, dirname, join } from "node:path";

/** Beside a report; hidden, since it is no result. */
function markOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.running`);
}

/** Marks a report as one of a run that goes on, until this is disposed of or the process ends. */
export async function markUnderWay(path: string): Promise<AsyncDisposable> {
  const mark = markOf(path);
  const file = await Deno.open(mark, { create: true, write: true }).catch(() => null);
  // Without a mark the report is taken for one that was interrupted, which does no harm
  await file?.tryLock(true).catch(() => false);
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      if (file === null) return;
      await Deno.remove(mark).catch(() => {});
      file.close();
    },
  };
}

/** Whether a report is of a run that goes on. A mark whose process was killed is removed. */
export async function isUnderWay(path: string): Promise<boolean> {
  const mark = markOf(path);
  const file = await Deno.open(mark, { write: true }).catch(() => null);
  if (file === null) return false;
  try {
    if (!await file.tryLock(true)) return true;
    await Deno.remove(mark).catch(() => {});
    return false;
  } catch {
    return false; // a file system without locks
  } finally {
    file.close();
  }
}
