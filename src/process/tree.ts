/**
 * Processes and their descendants: on Linux from /proc, on macOS from ps, unknown on other systems.
 *
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
import { readText } from "./files.ts";

/** The parent of one process and its CPU time. */
export interface ProcessStat {
  readonly parent: number;
  /**
   * User CPU time of the process in microseconds. On Linux it includes descendants that have ended,
   * if their parents have waited for them.
   */
  readonly userUs: number;
  /** System CPU time of the same processes, in microseconds. */
  readonly systemUs: number;
}

/** Microseconds in a clock tick of /proc: USER_HZ is 100 on every Linux that Deno runs on. */
export const TICK_US = 10_000;

/** Returns all processes by id; null if the system does not list them. */
export function readProcesses(): Map<number, ProcessStat> | null {
  if (Deno.build.os === "darwin") return readWithPs();
  if (Deno.build.os !== "linux") return null;
  const processes = new Map<number, ProcessStat>();
  for (const { name } of Deno.readDirSync("/proc")) {
    const text = /^\d+$/.test(name) ? readText(`/proc/${name}/stat`) : null;
    if (text !== null) processes.set(Number(name), parseStat(text));
  }
  return processes;
}

/** Returns the ids of the root processes and of all their descendants. */
export function familyOf(
  processes: ReadonlyMap<number, ProcessStat>,
  roots: readonly number[],
): number[] {
  return [...processes.keys()].filter((pid) => {
    let ancestor: number | undefined = pid;
    while (ancestor !== undefined && !roots.includes(ancestor)) {
      ancestor = processes.get(ancestor)?.parent;
    }
    return ancestor !== undefined;
  });
}

function parseStat(text: string): ProcessStat {
  // The fields after the name, which may contain any character: state, parent, ...
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ").map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return {
    parent: fields[1] ?? 0,
    userUs: (user + endedUser) * TICK_US,
    systemUs: (system + endedSystem) * TICK_US,
  };
}

function readWithPs(): Map<number, ProcessStat> | null {
  try {
    const args = ["-axo", "pid=,ppid=,utime=,time="];
    const { stdout } = new Deno.Command("ps", { args, stderr: "null" }).outputSync();
    return parsePs(new TextDecoder().decode(stdout));
  } catch {
    return null;
  }
}

const PS_LINE = /^\s*(\d{1,10})\s+(\d{1,10})\s+([\d:]{1,15}\.\d\d)\s+([\d:]{1,15}\.\d\d)\s*$/;

/**
 * Parses the output of `ps -axo pid=,ppid=,utime=,time=` on macOS: ids, user time, and user plus system
 * time. Times have the form `minutes:seconds.hundredths`.
 */
export function parsePs(text: string): Map<number, ProcessStat> {
  const processes = new Map<number, ProcessStat>();
  for (const line of text.trim().split("\n")) {
    const [, pid, parent, user = "", both = ""] = PS_LINE.exec(line) ?? [];
    if (pid === undefined) continue;
    const userUs = microseconds(user);
    const systemUs = microseconds(both) - userUs;
    processes.set(Number(pid), { parent: Number(parent), userUs, systemUs });
  }
  return processes;
}

function microseconds(time: string): number {
  const seconds = time.split(":").reduce((total, part) => total * 60 + Number(part), 0);
  return Math.round(seconds * 1e6);
}
