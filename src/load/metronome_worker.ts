/** The thread of a metronome: sleeps on a lock, which wakes more exactly than a timer does. */
/// <reference lib="deno.worker" />

/** Less than this is not worth sleeping, in milliseconds. */
const SOON_MS = 0.02;

const now = (): number => performance.timeOrigin + performance.now();

self.onmessage = ({ data: { cell, generation, intervalMs } }: MessageEvent): void => {
  const lock = new Int32Array(cell);
  let due = now() + intervalMs;
  while (lock[0] === generation) {
    const leftMs = due - now();
    if (leftMs > SOON_MS) {
      Atomics.wait(lock, 0, generation, leftMs);
    } else {
      self.postMessage({ generation, due });
      due += intervalMs;
    }
  }
};
