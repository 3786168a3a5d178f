/**
 * The tag of a program is an environment variable, which all its descendants inherit, even in other
 * groups or sessions. Only Linux shows the variables of other processes.
 *
 * https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html
 */
import { readText } from "./files.ts";

/**
 * Name of the environment variable for the tag. Its value is the id of a scope and the number of a
 * program.
 */
export const PROCESS_TAG = "STAMPEDE_PROCESS_TAG";

/** Kills every process with a tag that begins with `start`. Works only on Linux. */
export function killTagged(start: string): void {
  if (Deno.build.os !== "linux") return;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const variables = readText(`/proc/${name}/environ`)?.split("\0") ?? [];
    if (!variables.some((variable) => variable.startsWith(`${PROCESS_TAG}=${start}`))) continue;
    try {
      Deno.kill(Number(name), "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
