/**
 * Keeps two threads on separate processors.
 *
 * Linux wakes a thread where it ran last, unless it finds an idle processor. If all were busy shortly before,
 * it does not search. A server and its load generator can then share one processor for many slices while
 * another is idle, and the rate is about half (docs/evidence/2026-11-27-separate-processors.md). Real users have
 * separate computers.
 */
import { readText } from "./files.ts";
import { openLibc, threadsOf } from "./scheduling.ts";
import { processorOf } from "./tree.ts";

const AFFINITY = {
  sched_getaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
  sched_setaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
} as const;
/** Size of a processor mask in bytes: one bit for each of 1024 processors. */
const MASK_BYTES = 128;

/** Moves threads between processors. */
export interface Mover extends Disposable {
  /**
   * Moves a thread to another processor if `other` ran last on the same one. Later it may return. Does nothing
   * if the thread may run only there, or if the system forbids it.
   */
  separate(thread: number, other: number): void;
}

/**
 * Opens the functions that move threads; null on a system without them.
 * https://man7.org/linux/man-pages/man2/sched_setaffinity.2.html
 */
export function openMover(): Mover | null {
  const libc = openLibc(AFFINITY);
  if (libc === null) return null;
  const { sched_getaffinity, sched_setaffinity } = libc.symbols;
  const size = BigInt(MASK_BYTES);
  const allowed = new Uint8Array(MASK_BYTES);
  return {
    separate: (thread, other) => {
      const processor = processorOf(other);
      if (processor === null || processorOf(thread) !== processor) return;
      if (sched_getaffinity(thread, size, allowed) !== 0) return;
      const others = allowed.with(processor >> 3, withoutBit(allowed, processor));
      // Linux moves the thread at once
      sched_setaffinity(thread, size, others);
      sched_setaffinity(thread, size, allowed);
    },
    [Symbol.dispose]: () => libc.close(),
  };
}

/** Returns the byte of a mask that has a processor's bit, without that bit. */
function withoutBit(mask: Uint8Array, processor: number): number {
  return (mask[processor >> 3] ?? 0) & ~(1 << (processor & 7));
}

/** Returns the thread of a program and its descendants that used most CPU time; null if none is visible. */
export function busiestThread(pid: number): number | null {
  const threads = threadsOf(pid).map((thread) => {
    const [ns] = readText(`/proc/${thread}/schedstat`)?.split(" ") ?? [];
    return { thread, ns: Number(ns) };
  });
  const seen = threads.filter(({ ns }) => !Number.isNaN(ns));
  return seen.sort((a, b) => b.ns - a.ns)[0]?.thread ?? null;
}
