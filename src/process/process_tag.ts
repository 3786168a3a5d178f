/**
 * The tag of a program: a variable that it has, and all that it starts, whatever group or session these make
 * for themselves. Only Linux tells the variables of other processes.
 * https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html
 */
import { readText } from "./tree.ts";

/** The variable: the id of a scope, and the program's number in it. */
export const PROCESS_TAG = "STAMPEDE_PROCESS_TAG";

/** Ends every process whose tag begins like this, at once. */
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
