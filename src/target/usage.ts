import type { CpuTime, Usage } from "../model.ts";

/** Microseconds in a clock tick of /proc: USER_HZ is 100 on every Linux that Deno runs on. */
const TICK_US = 10_000;

interface ProcessTime extends CpuTime {
  readonly parent: number;
}

/**
 * Reads the processor time that programs have used so far, with all their descendants, those included
 * that have ended and been waited for. Linux only.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 *
 * @param roots the process ids of the programs
 * @returns one time for each program; null where the system does not tell
 */
export function readCpuTimes(roots: readonly number[]): (CpuTime | null)[] {
  if (Deno.build.os !== "linux") return roots.map(() => null);
  const processes = new Map<number, ProcessTime>();
  for (const { name } of Deno.readDirSync("/proc")) {
    const time = /^\d+$/.test(name) ? readStat(name) : null;
    if (time !== null) processes.set(Number(name), time);
  }
  const totals = new Map(roots.map((root) => [root, { userUs: 0, systemUs: 0 }]));
  for (const [pid, time] of processes) {
    let ancestor: number | undefined = pid;
    while (ancestor !== undefined && !totals.has(ancestor)) {
      ancestor = processes.get(ancestor)?.parent;
    }
    const total = ancestor === undefined ? undefined : totals.get(ancestor);
    if (total === undefined) continue;
    total.userUs += time.userUs;
    total.systemUs += time.systemUs;
  }
  return roots.map((root) => processes.has(root) ? totals.get(root) ?? null : null);
}

function readStat(pid: string): ProcessTime | null {
  try {
    const text = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // Behind the name, which may hold anything: state, parent, ...
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ").map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
    return {
      parent: fields[1] ?? 0,
      userUs: (user + endedUser) * TICK_US,
      systemUs: (system + endedSystem) * TICK_US,
    };
  } catch {
    return null; // It has ended meanwhile.
  }
}

/** What is metered, by process id; null where there is none of Stampede's own. */
export interface Metered {
  readonly server: number;
  readonly database: number | null;
  readonly generator: number;
}

/** Measures the processor time that a window takes, from `open` to `close`. */
export class UsageMeter {
  #programs: (readonly [string, number])[] = [];
  #before: (CpuTime | null)[] = [];
  #used: Record<string, CpuTime | null> = {};

  /** The window opens. */
  open({ server, database, generator }: Metered): void {
    this.#programs = Object.entries({ server, database, generator })
      .filter((entry): entry is [string, number] => entry[1] !== null);
    this.#before = this.#read();
  }

  /** The window has closed. */
  close(): void {
    const after = this.#read();
    this.#used = Object.fromEntries(
      this.#programs.map(([name], i) => [name, difference(after[i], this.#before[i])]),
    );
  }

  /** What was used in between; null where it is not known. */
  get usage(): Usage {
    const { server = null, database = null, generator = null } = this.#used;
    return { server, database, generator };
  }

  #read(): (CpuTime | null)[] {
    return readCpuTimes(this.#programs.map(([, pid]) => pid));
  }
}

function difference(
  after: CpuTime | null | undefined,
  before: CpuTime | null | undefined,
): CpuTime | null {
  if (!after || !before) return null;
  return { userUs: after.userUs - before.userUs, systemUs: after.systemUs - before.systemUs };
}
