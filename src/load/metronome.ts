import { setImmediate } from "node:timers";
import { arrivalsOf, type Pace } from "./arrivals.ts";

/** Less than this is not worth sleeping, in milliseconds. */
const SOON_MS = 0.02;
/**
 * How early a metronome that spins is woken, in milliseconds: two threads have to wake up one after the other, each of
 * which took 30 to 75 us on two virtual cores.
 */
const EARLY_MS = 0.25;
/**
 * It spins for at most this share of the time, a quarter on two processors: more would keep one of few from the
 * server.
 */
const MOST_SPINNING = navigator.hardwareConcurrency / 8;

/** Calls at times of a pace, on some clock. */
export interface Ticks {
  /** Calls back at each arrival, with the time for which the call was meant. */
  start(pace: Pace, onTick: (due: number) => void): void;
  /** Calls no more. */
  stop(): void;
}

/**
 * Calls at times of a pace. Deno's timers fire up to 1.4 ms late, and 18 ms when every core is busy; a
 * thread that sleeps on a lock is 0.05 ms late, and 2 ms (docs/methodology.md).
 */
export class Metronome implements Ticks, Disposable {
  readonly #worker: Worker;
  readonly #spins: boolean;
  readonly #result: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  #generation = 0;
  #run: MetronomeRun | null = null;

  /** @param spins whether it is woken early and waits busily for the last moment, if the pace leaves time for it */
  constructor(spins = false) {
    this.#spins = spins;
    const url = new URL("./metronome_worker.ts", import.meta.url);
    this.#worker = new Worker(url.href, { type: "module" });
  }

  /**
   * Calls back at each arrival, with the time for which the call was meant, on the clock of
   * {@linkcode now}; an earlier call has an end.
   */
  start(pace: Pace, onTick: (due: number) => void): void {
    const generation = this.#next();
    const startMs = now();
    const arrivals = arrivalsOf(pace);
    const run: MetronomeRun = {
      arrivals,
      startMs,
      dueMs: startMs + arrivals.next().value,
      announced: 0,
      onTick,
    };
    this.#run = run;
    const isSlow = EARLY_MS <= MOST_SPINNING * pace.gapMs;
    const soonMs = this.#spins && isSlow ? EARLY_MS : SOON_MS;
    const earlyMs = soonMs === EARLY_MS ? 0 : SOON_MS;
    let count = 0;
    let isSpinning = false;
    const announceDue = (): void => {
      while (run.announced < count && run.dueMs <= now() + earlyMs && this.#run === run) {
        announce(run);
      }
      isSpinning = run.announced < count && this.#run === run;
      if (isSpinning) setImmediate(announceDue); // responses are read meanwhile
    };
    this.#worker.onmessage = ({ data }) => {
      if (data.generation !== generation) return; // it was on its way
      count = data.count;
      if (!isSpinning) announceDue();
    };
    this.#worker.postMessage({ result: this.#result, generation, pace, startMs, soonMs });
  }

  /** Calls back at once for what was due by then, and was not told yet. */
  catchUp(untilMs: number): void {
    const run = this.#run;
    while (run !== null && run.dueMs <= untilMs && this.#run === run) announce(run);
  }

  /** Calls no more. */
  stop(): void {
    this.#run = null;
    this.#next();
  }

  #next(): number {
    const lock = new Int32Array(this.#result);
    Atomics.store(lock, 0, ++this.#generation);
    Atomics.notify(lock, 0);
    return this.#generation;
  }

  [Symbol.dispose](): void {
    this.stop();
    this.#worker.terminate();
  }
}

/** From one start to the next. */
interface MetronomeRun {
  readonly arrivals: Generator<number, never>;
  readonly startMs: number;
  /** When the next call is due, and how many there were. */
  dueMs: number;
  announced: number;
  readonly onTick: (due: number) => void;
}

function announce(run: MetronomeRun): void {
  const { dueMs } = run;
  run.dueMs = run.startMs + run.arrivals.next().value;
  run.announced++;
  run.onTick(dueMs);
}

/** Milliseconds since 1970 on a clock that only goes forward, the same in every thread. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
