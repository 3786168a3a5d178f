import { join } from "node:path";

/**
 * Removes the System V shared memory of a killed PostgreSQL server. The id of that memory is the second
 * number in line 7 of postmaster.pid. If a server shut down normally, that file is missing and nothing is
 * left to remove.
 *
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
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
    // Without ipcrm, 56 bytes stay until the system restarts.
  }
}
