/**
 * The processes of this machine, from /proc on Linux, from ps on macOS: their families, the one
 * that listens on a port, and those with a tag. https://man7.org/linux/man-pages/man5/proc.5.html
 */
import { listFolder, readText } from "./files.ts";

interface ProcessStat {
  readonly parent: number;
  /** On Linux, both times include ended descendants for which parents have waited. */
  readonly userUs: number;
  readonly systemUs: number;
}

/** Microseconds in a clock tick of /proc: USER_HZ is 100 on every Linux that Deno runs on. */
export const TICK_US = 10_000;

/** Returns all processes by id; null if the system does not list them. */
export function readProcesses(): Map<number, ProcessStat> | null {
  if (Deno.build.os === "darwin") return readWithPs();
  if (Deno.build.os !== "linux") return null;
  const processes = new Map<number, ProcessStat>();
  for (const pid of processIds()) {
    const text = readText(`/proc/${pid}/stat`);
    if (text !== null) processes.set(pid, parseStat(text));
  }
  return processes;
}

function processIds(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(Number.isInteger);
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

/**
 * Returns the CPU time of ended children for which these processes have waited, in microseconds, in steps of
 * {@linkcode TICK_US}.
 */
export function endedChildrenUs(pids: readonly number[]): number {
  return pids.reduce((total, pid) => {
    const [user = 0, system = 0] = fieldsOf(readText(`/proc/${pid}/stat`) ?? "").slice(13);
    return total + (user + system) * TICK_US;
  }, 0);
}

/** Returns the processor on which a thread ran last; null if the system hides it. A process id is its main thread. */
export function processorOf(thread: number): number | null {
  const text = Deno.build.os === "linux" ? readText(`/proc/${thread}/stat`) : null;
  return text === null ? null : fieldsOf(text)[36] ?? null;
}

/** Returns the fields of /proc/PID/stat after the name, which may contain any character: state, parent, ... */
function fieldsOf(text: string): number[] {
  return text.slice(text.lastIndexOf(")") + 2).split(" ").map(Number);
}

function parseStat(text: string): ProcessStat {
  const fields = fieldsOf(text);
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

/** Parses `ps -axo pid=,ppid=,utime=,time=` of macOS; times are `minutes:seconds.hundredths`. */
export function parsePs(text: string): Map<number, ProcessStat> {
  const microseconds = (time: string): number => {
    const seconds = time.split(":").reduce((total, part) => total * 60 + Number(part), 0);
    return Math.round(seconds * 1e6);
  };
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

/** Returns the listener on a TCP port, or the ancestor of all; null if none is visible or common. */
export function findListener(port: number): number | null {
  const processes = Deno.build.os === "linux" ? readProcesses() : null;
  if (processes === null) return null;
  const sockets = listeningSockets(port);
  const holders = [...processes.keys()].filter((pid) => holdsOne(pid, sockets));
  return holders.find((pid) => {
    const family = familyOf(processes, [pid]);
    return holders.every((holder) => family.includes(holder));
  }) ?? null;
}

/** State of a listening socket in /proc/net/tcp (`TCP_LISTEN`). */
const LISTENS = "0A";

/** Returns the sockets that listen on a port, as links in /proc/PID/fd: `socket:[4711]`. */
function listeningSockets(port: number): Set<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const lines = ["tcp", "tcp6"].flatMap((name) =>
    (readText(`/proc/net/${name}`) ?? "").split("\n")
  );
  return new Set(lines.flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTENS && local?.endsWith(`:${hex}`) ? [`socket:[${inode}]`] : [];
  }));
}

function holdsOne(pid: number, sockets: ReadonlySet<string>): boolean {
  if (sockets.size === 0) return false;
  // Null if the process has ended, or belongs to another user
  return listFolder(`/proc/${pid}/fd`)?.some((name) => {
    try {
      return sockets.has(Deno.readLinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      return false; // it was closed in the meantime
    }
  }) ?? false;
}

/** The variable with a scope's id and a program's number: descendants inherit it in any session. */
export const PROCESS_TAG = "STAMPEDE_PROCESS_TAG";

/** Kills every process with a tag that begins with `start`. Only Linux shows others' variables. */
export function killTagged(start: string): void {
  if (Deno.build.os !== "linux") return;
  for (const pid of processIds()) {
    const variables = readText(`/proc/${pid}/environ`)?.split("\0") ?? [];
    if (!variables.some((variable) => variable.startsWith(`${PROCESS_TAG}=${start}`))) continue;
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
