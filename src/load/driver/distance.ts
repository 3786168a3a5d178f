/**
 * Measures the distance of two processors: how long a cache line takes from one to the other and back.
 *
 * The host of a virtual machine may move its processors apart. Whatever one of them reads and the other wrote
 * then takes longer, and so does every response (docs/evidence/2026-11-28-distant-processors.md). If two threads
 * wake each other in turn, the host often moves their processors together again.
 */
import { cpus } from "node:os";
import { DISTANT } from "../../model/block.ts";
import { processorOf } from "../../process/tree.ts";
import { median } from "../../stats/median.ts";

/** Indexes of the shared cells. The ball is 128 bytes from the others: processors read cache lines in pairs. */
export const CELLS = { job: 0, processor: 1, refused: 2, ball: 32, turn: 64 } as const;
/** Size of the cells in bytes. */
const CELLS_BYTES = 384;
/** Number of balls of a job, more than twice its round trips. Its first ball is its number times this. */
export const BALLS = 1024;
/** The job that ends the other thread. */
export const END = -1;
/** The turn while the threads do not wake each other. Odd turns are those of the other thread. */
export const OVER = -1;
/** The ball between two jobs. */
const LOST = -1;
/** Number of means, and of round trips in each: 36 µs in all at 100 ns. A measurement is the median of the means. */
const TRIPS = { means: 9, each: 40 } as const;
/** Maximum time of a measurement in milliseconds: the other processor may be busy. */
const MOST_MS = 5;
/**
 * Time of waking in turn before the distance is measured again, and its maximum in all, in milliseconds. A
 * distance ended after 2 s on average (docs/evidence/2026-11-28-approach.md).
 */
const WAKING_MS = { once: 100, most: 4000 } as const;
/** Failures in a row before it stops. On some hosts, the processors may always be distant. */
const MOST_FAILURES = 4;
/** The round trip between near processors, in nanoseconds: medians of blocks were 88 to 145 ns. */
const USUAL_NS = 150;
/** Number of measurements before slices, 0.1 to 0.4 ms in all. The shortest one counts. */
const MEASUREMENTS = 10;
/** Number of looks at the ball between two looks at the clock. */
const LOOKS = 1000;

/** Measures and ends distances from the processor of the process's main thread, which must be the calling one. */
export class DistanceMeter implements Disposable {
  readonly #cells: Int32Array<SharedArrayBuffer> = new Int32Array(
    new SharedArrayBuffer(CELLS_BYTES),
  );
  readonly #worker: Worker;
  #job = 0;
  #ball = LOST;
  /** Shortest round trip before slices, in nanoseconds. */
  #nearestNs: number;
  /** Number of failed attempts to bring the processors together since they were last near. */
  #failures = 0;

  /**
   * Starts the other thread. It needs a fraction of a second until it answers.
   *
   * @param nearNs a round trip that is near, in nanoseconds, until a shorter one is measured
   */
  constructor(nearNs: number = USUAL_NS) {
    this.#nearestNs = nearNs;
    const url = new URL("./distance_worker.ts", import.meta.url);
    Atomics.store(this.#cells, CELLS.turn, OVER);
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
    return this.#distanceOf(processor);
  }

  /**
   * If the two processors are distant, wakes them in turn until they are near, or for four seconds. They must be
   * able to sleep. After four failures in a row, it stops. It starts again if they were near in between.
   */
  approach(): void {
    const endsMs = performance.now() + WAKING_MS.most;
    while (this.#isDistant()) {
      if (this.#failures === MOST_FAILURES) return;
      if (performance.now() >= endsMs) return void this.#failures++;
      this.#wakeInTurn(otherProcessor());
    }
    this.#failures = 0;
  }

  /** Returns whether the other processor is distant, compared with earlier measurements. */
  #isDistant(): boolean {
    const other = otherProcessor();
    // The first measurements are too long: the code is not compiled yet
    const shortestNs = Math.min(
      ...Array.from({ length: MEASUREMENTS }, () => this.#distanceOf(other) ?? Infinity),
    );
    this.#nearestNs = Math.min(this.#nearestNs, shortestNs);
    return shortestNs !== Infinity && shortestNs >= DISTANT * this.#nearestNs;
  }

  /** Returns the time of a round trip to a processor in nanoseconds; null if one of the two is busy. */
  #distanceOf(processor: number): number | null {
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

  /** Wakes a thread on another processor and is woken by it, again and again. */
  #wakeInTurn(processor: number): void {
    const endsMs = performance.now() + WAKING_MS.once;
    let turn = 0;
    Atomics.store(this.#cells, CELLS.turn, turn);
    this.#serve(processor);
    Atomics.store(this.#cells, CELLS.ball, LOST);
    while (performance.now() < endsMs) {
      turn++;
      Atomics.store(this.#cells, CELLS.turn, turn);
      Atomics.notify(this.#cells, CELLS.turn);
      Atomics.wait(this.#cells, CELLS.turn, turn, WAKING_MS.once);
      turn = Atomics.load(this.#cells, CELLS.turn);
    }
    Atomics.store(this.#cells, CELLS.turn, OVER);
    Atomics.notify(this.#cells, CELLS.turn);
  }

  [Symbol.dispose](): void {
    // Deno does not end a thread that waits for a lock
    Atomics.store(this.#cells, CELLS.job, END);
    Atomics.notify(this.#cells, CELLS.job);
    this.#worker.terminate();
  }
}

/** Returns the processor, of two, that the main thread does not use. */
function otherProcessor(): number {
  return 1 - (processorOf(Deno.pid) ?? 0);
}

/**
 * Starts a meter; null unless Linux has exactly two processors. With more, it is normal that threads move to
 * processors at other distances.
 */
export function openDistanceMeter(): DistanceMeter | null {
  return Deno.build.os === "linux" && cpus().length === 2 ? new DistanceMeter() : null;
}
