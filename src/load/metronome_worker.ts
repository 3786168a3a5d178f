/** The thread of a metronome. It sleeps on a lock, which wakes it more exactly than a timer does. */
/// <reference lib="deno.worker" />
import { arrivalsOf } from "./arrivals.ts";
import { endTimerSlack } from "./timer_slack.ts";

const now = (): number => performance.timeOrigin + performance.now();

endTimerSlack();

self.onmessage = ({ data }: MessageEvent): void => {
  const { lockBuffer, generation, pace, startMs, soonMs } = data;
  const lock = new Int32Array(lockBuffer);
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
