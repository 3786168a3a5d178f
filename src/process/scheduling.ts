import { familyOf, readProcesses } from "./tree.ts";

/** How Linux schedules a thread: as all others, or only where no other wants the processor. */
export type Policy = "normal" | "idle";

/** The C library, where Deno runs on Linux. */
const LIBC = "libc.so.6";
/** https://man7.org/linux/man-pages/man7/sched.7.html */
const POLICIES: Readonly<Record<Policy, number>> = { normal: 0, idle: 5 };

/** The threads that a program has now, by their ids; none where the system does not tell. */
export function threadsOf(pid: number): number[] {
  const processes = Deno.build.os === "linux" ? readProcesses() : null;
  if (processes === null) return [];
  return familyOf(processes, [pid]).flatMap((process) => {
    try {
      return [...Deno.readDirSync(`/proc/${process}/task`)].map(({ name }) => Number(name));
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}

/**
 * Has threads scheduled otherwise, as far as the system allows: back from `idle` it may not.
 * https://man7.org/linux/man-pages/man2/sched_setscheduler.2.html
 */
export function schedule(threads: readonly number[], policy: Policy): void {
  if (threads.length === 0) return;
  try {
    const libc = Deno.dlopen(LIBC, {
      sched_setscheduler: { parameters: ["i32", "i32", "buffer"], result: "i32" },
    });
    const priority = new Int32Array(1);
    for (const thread of threads) {
      libc.symbols.sched_setscheduler(thread, POLICIES[policy], priority);
    }
    libc.close();
  } catch {
    // Another C library, or no permission for it: threads stay as they are
  }
}

/** Niceness of a process that is to run before others: a weight of ten times theirs. */
const AHEAD = -10;
/** https://man7.org/linux/man-pages/man2/setpriority.2.html */
const PRIO_PROCESS = 0;

/**
 * Lets this process run before others, or ends that, as far as Linux allows it: root or CAP_SYS_NICE may. If Linux
 * shares processors out by sessions (autogroup), the session, which has to be its own, gets the weight.
 * https://man7.org/linux/man-pages/man7/sched.7.html
 *
 * @returns whether it was allowed
 */
export function runAhead(isOn: boolean): boolean {
  const niceness = isOn ? AHEAD : 0;
  const threads = threadsOf(Deno.pid);
  try {
    const libc = Deno.dlopen(LIBC, {
      setpriority: { parameters: ["i32", "u32", "i32"], result: "i32" },
    });
    const failed = threads.filter((thread) =>
      libc.symbols.setpriority(PRIO_PROCESS, thread, niceness) !== 0
    );
    libc.close();
    if (threads.length === 0 || failed.length > 0) return false;
    shareOfSession(niceness);
    return true;
  } catch {
    return false; // another C library, or no permission for FFI
  }
}

function shareOfSession(niceness: number): void {
  try {
    Deno.writeTextFileSync("/proc/self/autogroup", String(niceness), { create: false });
  } catch {
    // This Linux does not share processors out by sessions
  }
}
