/**
 * Measures the distance of two processors: how long a cache line takes from one to the other and back.
 *
 * The host of a virtual machine may move its processors apart. Whatever one of them reads and the other wrote
 * then takes longer, and so does every response (docs/evidence/2026-11-28-distant-processors.md).
 */
import { cpus } from "node:os";
import { processorOf } from "../../process/tree.ts";
import { median } from "../../stats/median.ts";

/** Indexes of the shared cells. The ball is 128 bytes from the others: processors read cache lines in pairs. */
export const CELLS = { job: 0, processor: 1, refused: 2, ball: 32 } as const;
/** Size of the cells in bytes. */
const CELLS_BYTES = 256;
/** Number of balls of a job, more than twice its round trips. Its first ball is its number times this. */
export const BALLS = 1024;
/** The job that ends the other thread. */
export const END = -1;
/** The ball between two jobs. */
const LOST = -1;
/** Number of means, and of round trips in each: 36 µs in all at 100 ns. A measurement is the median of the means. */
const TRIPS = { means: 9, each: 40 } as const;
/** Maximum time of a measurement in milliseconds: the other processor may be busy. */
const MOST_MS = 5;
/** Number of looks at the ball between two looks at the clock. */
const LOOKS = 1000;

/** Measures distances from the processor of the process's main thread, which must be the calling one. */
export class DistanceMeter implements Disposable {
  readonly #cells: Int32Array<SharedArrayBuffer> = new Int32Array(
    new SharedArrayBuffer(CELLS_BYTES),
  );
  readonly #worker: Worker;
  #job = 0;
  #ball = LOST;

  /** Starts the other thread. It needs a fraction of a second until it answers. */
  constructor() {
    const url = new URL("./distance_worker.ts", import.meta.url);
    this.#worker = new Worker(url.href, { type: "module" });
    this.#worker.postMessage(this.#cells);
  }

  /**
   * Returns the time of a round trip to the processor on which a thread ran last, in nanoseconds. Null if
   * the system hides it, if it is the caller's processor, or if one of them is busy.
   */
  measure(thread: number): number | null {
    const processor = processorOf(thread);
    if (processor === null || processor === processorOf(Deno.pid)) return null;
    const endsMs = performance.now() + MOST_MS;
    this.#serve(processor);
    const means: number[] = [];
    // The other thread must first wake up
    for (let isBack = this.#play(1, endsMs); isBack && means.length < TRIPS.means;) {
      const startedMs = performance.now();
      isBack = this.#play(TRIPS.each, endsMs);
      if (isBack) means.push(1e6 * (performance.now() - startedMs) / TRIPS.each);
    }
    Atomics.store(this.#cells, CELLS.ball, LOST);
    return means.length < TRIPS.means ? null : median(means);
  }

  /** Wakes the other thread, to answer from a processor. */
  #serve(processor: number): void {
    this.#job++;
    this.#ball = this.#job * BALLS;
    Atomics.store(this.#cells, CELLS.processor, processor);
    Atomics.store(this.#cells, CELLS.ball, this.#ball);
    Atomics.store(this.#cells, CELLS.job, this.#job);
    Atomics.notify(this.#cells, CELLS.job);
  }

  /** Sends the ball a number of times, and returns whether it always came back in time. */
  #play(trips: number, endsMs: number): boolean {
    for (let trip = 0; trip < trips; trip++, this.#ball += 2) {
      Atomics.store(this.#cells, CELLS.ball, this.#ball + 1);
      for (let looks = 1; Atomics.load(this.#cells, CELLS.ball) !== this.#ball + 2; looks++) {
        if (looks % LOOKS > 0) continue;
        const isRefused = Atomics.load(this.#cells, CELLS.refused) === this.#job;
        if (isRefused || performance.now() > endsMs) return false;
      }
    }
    return true;
  }

  [Symbol.dispose](): void {
    // Deno does not end a thread that waits for a lock
    Atomics.store(this.#cells, CELLS.job, END);
    Atomics.notify(this.#cells, CELLS.job);
    this.#worker.terminate();
  }
}

/**
 * Starts a meter; null unless Linux has exactly two processors. With more, it is normal that threads move to
 * processors at other distances.
 */
export function openDistanceMeter(): DistanceMeter | null {
  return Deno.build.os === "linux" && cpus().length === 2 ? new DistanceMeter() : null;
}
