import { join } from "node:path";

/**
 * Removes the System V shared memory that a PostgreSQL server leaves when it is killed: its id is the
 * second number in the seventh line of postmaster.pid, a file that a server which could shut down has
 * removed. https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
 */
export async function removeSharedMemory(dataFolder: string): Promise<void> {
  let text: string;
  try {
    text = await Deno.readTextFile(join(dataFolder, "postmaster.pid"));
  } catch {
    return;
  }
  const id = text.split("\n")[6]?.trim().split(/\s+/)[1];
  if (id === undefined) return;
  try {
    await new Deno.Command("ipcrm", { args: ["-m", id], stdout: "null", stderr: "null" }).output();
  } catch {
    // There is no ipcrm: 56 bytes stay until the system restarts.
  }
}
