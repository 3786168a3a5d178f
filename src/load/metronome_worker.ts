/** The thread of a metronome. It sleeps on a lock, which wakes it more exactly than a timer. */
/// <reference lib="deno.worker" />

import { openLibc } from "../process/scheduling.ts";
import { arrivalsOf, now } from "./metronome.ts";

const PR_SET_TIMERSLACK = 29;

/**
 * Sets the calling thread's timer slack to its minimum, and returns whether the system accepted
 * that. By default Linux may wake a thread up to 50 µs late, to wake several at once.
 * https://man7.org/linux/man-pages/man2/PR_SET_TIMERSLACK.2const.html
 */
export function endTimerSlack(): boolean {
  const libc = openLibc({
    prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
  });
  const failed = libc?.symbols.prctl(PR_SET_TIMERSLACK, 1n, 0n, 0n, 0n);
  libc?.close();
  return failed === 0;
}

endTimerSlack();

self.onmessage = ({ data: { lock, generation, pace, startMs, soonMs } }: MessageEvent): void => {
  const arrivals = arrivalsOf(pace);
  let dueMs = startMs + arrivals.next().value;
  let count = 0;
  while (lock[0] === generation) {
    const leftMs = dueMs - now();
    if (leftMs > soonMs) {
      Atomics.wait(lock, 0, generation, leftMs - soonMs);
      continue;
    }
    const untilMs = now() + soonMs;
    for (; dueMs <= untilMs; count++) dueMs = startMs + arrivals.next().value;
    self.postMessage({ generation, count });
  }
};
