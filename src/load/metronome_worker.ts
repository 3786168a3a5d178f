/** The thread of a metronome: sleeps on a lock, which wakes more exactly than a timer does. */
/// <reference lib="deno.worker" />
import { arrivalsOf } from "./arrivals.ts";
import { endTimerSlack } from "./timer_slack.ts";

/** Less than this is not worth sleeping, in milliseconds. */
const SOON_MS = 0.02;

const now = (): number => performance.timeOrigin + performance.now();

endTimerSlack();

self.onmessage = ({ data: { cell, generation, pace, startMs } }: MessageEvent): void => {
  const lock = new Int32Array(cell);
  const arrivals = arrivalsOf(pace);
  let dueMs = startMs + arrivals.next().value;
  let count = 0;
  while (lock[0] === generation) {
    const leftMs = dueMs - now();
    if (leftMs > SOON_MS) {
      Atomics.wait(lock, 0, generation, leftMs);
      continue;
    }
    const untilMs = now() + SOON_MS;
    for (; dueMs <= untilMs; count++) dueMs = startMs + arrivals.next().value;
    self.postMessage({ generation, count });
  }
};
