/** Policy and priority of threads. https://man7.org/linux/man-pages/man7/sched.7.html */
import { getPriority } from "node:os";
import { listFolder } from "./files.ts";
import { familyOf, readProcesses } from "./tree.ts";

/** Opens functions of Linux's C library, glibc; null on another system, or without the permission. */
export function openLibc<const S extends Deno.ForeignLibraryInterface>(
  symbols: S,
): Deno.DynamicLibrary<S> | null {
  try {
    return Deno.build.os === "linux" ? Deno.dlopen("libc.so.6", symbols) : null;
  } catch {
    return null;
  }
}

/**
 * Numbers of the policies, and priorities within them. A thread that is `idle` runs only if no other wants
 * the processor. A `realTime` thread (SCHED_RR) runs at once, before all normal ones.
 */
const POLICIES = { normal: [0, 0], idle: [5, 0], realTime: [2, 1] } as const;

/** Returns the thread ids of a program and its descendants; none if the system does not list them. */
export function threadsOf(pid: number): number[] {
  if (Deno.build.os !== "linux") return [];
  return familyOf(readProcesses() ?? new Map(), [pid]).flatMap((process) =>
    listFolder(`/proc/${process}/task`)?.map(Number) ?? []
  );
}

/**
 * Changes the policy of threads, where 0 is the calling one, as far as the system allows. Leaving
 * `idle` may need a permission. Returns whether every change was allowed.
 * https://man7.org/linux/man-pages/man2/sched_setscheduler.2.html
 */
export function schedule(threads: readonly number[], policy: keyof typeof POLICIES): boolean {
  const libc = openLibc({
    sched_setscheduler: { parameters: ["i32", "i32", "buffer"], result: "i32" },
  });
  if (libc === null) return false;
  const [number, level] = POLICIES[policy];
  const priority = Int32Array.of(level);
  const failed = threads.filter((thread) =>
    libc.symbols.sched_setscheduler(thread, number, priority) !== 0
  );
  libc.close();
  return failed.length === 0;
}

/** Size of a processor mask in bytes: one bit for each of 1024 processors. */
const MASK_BYTES = 128;

/**
 * Restricts a thread, where 0 is the calling one, to one processor. Threads that it starts later inherit
 * that. Returns whether the system allowed it.
 * https://man7.org/linux/man-pages/man2/sched_setaffinity.2.html
 */
export function keepOn(thread: number, processor: number): boolean {
  const libc = openLibc({
    sched_setaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
  });
  const mask = new Uint8Array(MASK_BYTES);
  mask[processor >> 3] = 1 << (processor & 7);
  const result = libc?.symbols.sched_setaffinity(thread, BigInt(MASK_BYTES), mask);
  libc?.close();
  return result === 0;
}

/** Difference in niceness for about ten times the weight. */
const AHEAD = 10;
/** Niceness with which this process was started. */
const USUAL = getPriority();
/** For a process or thread. https://man7.org/linux/man-pages/man2/setpriority.2.html */
const PRIO_PROCESS = 0;

/**
 * Raises the priority of this process above all normal ones, or resets it. Returns whether the system
 * allowed that: only root, or a process with CAP_SYS_NICE, may raise it. If Linux divides processors
 * between sessions (autogroup), the weight of the session changes too; this process must then be alone
 * in it.
 */
export function runAhead(isOn: boolean): boolean {
  const niceness = isOn ? USUAL - AHEAD : USUAL;
  const threads = threadsOf(Deno.pid);
  const libc = openLibc({ setpriority: { parameters: ["i32", "u32", "i32"], result: "i32" } });
  if (libc === null) return false;
  const failed = threads.filter((thread) =>
    libc.symbols.setpriority(PRIO_PROCESS, thread, niceness) !== 0
  );
  libc.close();
  if (threads.length === 0 || failed.length > 0) return false;
  // A container may allow only the niceness
  schedule(threads, isOn ? "realTime" : "normal");
  weighSession(niceness);
  return true;
}

/** Sets the weight of this process's session among sessions by a niceness, if Linux has autogroups. */
export function weighSession(niceness: number): void {
  try {
    Deno.writeTextFileSync("/proc/self/autogroup", String(niceness), { create: false });
  } catch {
    // This Linux has no autogroups
  }
}
