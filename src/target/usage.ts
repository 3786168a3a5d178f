import type { CpuTime, Usage } from "../model.ts";

/** Microseconds in a clock tick of /proc: USER_HZ is 100 on every Linux that Deno runs on. */
const TICK_US = 10_000;

/**
 * Reads the processor time that sessions of processes have used so far, those of their processes
 * included that have ended and been waited for. Linux only.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 *
 * @param sessions the process ids of the sessions' leaders
 * @returns one time for each session; null where the system does not tell
 */
export function readCpuTimes(sessions: readonly number[]): (CpuTime | null)[] {
  if (Deno.build.os !== "linux") return sessions.map(() => null);
  const times = new Map(sessions.map((session) => [session, { userUs: 0, systemUs: 0 }]));
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readStat(name);
    const time = times.get(Number(fields?.[3]));
    if (fields === null || time === undefined) continue;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11).map(Number);
    time.userUs += (user + endedUser) * TICK_US;
    time.systemUs += (system + endedSystem) * TICK_US;
  }
  return sessions.map((session) => times.get(session) ?? null);
}

/** The fields of /proc/PID/stat behind the name, which may hold anything, from the state on. */
function readStat(pid: string): string[] | null {
  try {
    const text = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null; // It has ended meanwhile.
  }
}

/** What is metered: the leaders of the sessions; null where there is none of Stampede's own. */
export interface Metered {
  readonly server: number;
  readonly database: number | null;
  readonly generator: number;
}

/** Measures the processor time that a window takes, from `open` to `close`. */
export class UsageMeter {
  #sessions: (readonly [string, number])[] = [];
  #before: (CpuTime | null)[] = [];
  #used: Record<string, CpuTime | null> = {};

  /** The window opens. */
  open({ server, database, generator }: Metered): void {
    this.#sessions = Object.entries({ server, database, generator })
      .filter((entry): entry is [string, number] => entry[1] !== null);
    this.#before = this.#read();
  }

  /** The window has closed. */
  close(): void {
    const after = this.#read();
    this.#used = Object.fromEntries(
      this.#sessions.map(([name], i) => [name, difference(after[i], this.#before[i])]),
    );
  }

  /** What was used in between; null where it is not known. */
  get usage(): Usage {
    const { server = null, database = null, generator = null } = this.#used;
    return { server, database, generator };
  }

  #read(): (CpuTime | null)[] {
    return readCpuTimes(this.#sessions.map(([, session]) => session));
  }
}

function difference(
  after: CpuTime | null | undefined,
  before: CpuTime | null | undefined,
): CpuTime | null {
  if (!after || !before) return null;
  return { userUs: after.userUs - before.userUs, systemUs: after.systemUs - before.systemUs };
}
