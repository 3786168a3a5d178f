/**
 * Programs as the system sees them: a process with all its descendants. On Linux from /proc, on macOS
 * from ps; elsewhere nothing is known.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */

/** One process. */
export interface ProcessStat {
  readonly parent: number;
  /** Its own time and that of its descendants that have ended and been waited for. */
  readonly userUs: number;
  readonly systemUs: number;
}

/** Microseconds in a clock tick of /proc: USER_HZ is 100 on every Linux that Deno runs on. */
export const TICK_US = 10_000;

/** Every process, by its id; null where the system does not tell. */
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

/** The processes of the program that began with one of these: they and all their descendants. */
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

/** The text of a file in /proc; null if its process has ended meanwhile, or hides it. */
export function readText(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return null;
  }
}

function parseStat(text: string): ProcessStat {
  // Behind the name, which may hold anything: state, parent, ...
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
 * Reads what `ps -axo pid=,ppid=,utime=,time=` of macOS prints: ids, user time, and user and system
 * time together, as `minutes:seconds.hundredths`.
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
