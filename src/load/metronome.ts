/** Calls back at the arrival times of an open loop. */
import { setImmediate } from "node:timers";
import type { OpenLoad } from "../model/experiment.ts";
import { openLibc } from "../process/scheduling.ts";
import { seededRandom } from "../stats/shuffle.ts";

/** Spacing of the arrivals in an open loop: even, or a Poisson process. */
type Pace =
  | { readonly kind: "even"; readonly gapMs: number }
  | { readonly kind: "poisson"; readonly gapMs: number; readonly seed: number };

/** Returns the pace at which the requests of a load are due. */
export function paceOf({ perS, arrivals, seed }: OpenLoad): Pace {
  return { kind: arrivals, gapMs: 1000 / perS, seed };
}

/**
 * Yields the times of arrivals in milliseconds from the start: always the same for one pace. A
 * Poisson process models many independent users. Its gaps have an exponential distribution:
 * https://en.wikipedia.org/wiki/Exponential_distribution#Random_variate_generation
 */
export function* arrivalsOf(pace: Pace): Generator<number, never> {
  const { gapMs } = pace;
  if (pace.kind === "even") {
    for (let i = 1;; i++) yield i * gapMs;
  }
  const random = seededRandom(pace.seed);
  let atMs = 0;
  for (;;) yield atMs -= gapMs * Math.log(1 - random());
}

const CLOCK = { clock_gettime: { parameters: ["i32", "buffer"], result: "i32" } } as const;
const CLOCK_MONOTONIC = 1;
/** Number of readings of both clocks, of which at least one is probably not interrupted. */
const READINGS = 5;

/**
 * Returns when this thread's `performance.now()` was 0, in milliseconds on a clock that all threads share. It is
 * Linux's monotonic clock. Without glibc or the permission for it, it is the time of day, which must not be set
 * before the last thread starts. https://man7.org/linux/man-pages/man3/clock_gettime.3.html
 */
function originMs(): number {
  const libc = openLibc(CLOCK);
  if (libc === null) return performance.timeOrigin;
  const time = new BigInt64Array(2);
  const origins = Array.from({ length: READINGS }, () => {
    const result = libc.symbols.clock_gettime(CLOCK_MONOTONIC, time);
    const nowMs = performance.now();
    const [seconds = 0n, nanoseconds = 0n] = time;
    return result === 0 ? 1000 * Number(seconds) + Number(nanoseconds) / 1e6 - nowMs : NaN;
  });
  libc.close();
  // An interruption between the two clocks lowers the difference
  const most = Math.max(...origins);
  return Number.isNaN(most) ? performance.timeOrigin : most;
}

const ORIGIN_MS = originMs();

/** Returns milliseconds on a monotonic clock that all threads share. */
export function now(): number {
  return ORIGIN_MS + performance.now();
}

/** Shortest sleep, in milliseconds. Arrivals that are closer together are reported together. */
const SOON_MS = 0.02;
/** Longest early wake-up in ms: two threads wake in turn, each in 30 to 75 µs here. */
const EARLY_MS = 0.25;
/** Maximum share of a processor for spinning: more would take a processor from the server. */
const MOST_SPINNING = navigator.hardwareConcurrency / 8;

/**
 * Calls back at the arrival times of a pace.
 *
 * Deno's timers are up to 1.4 ms late, and 18 ms if every core is busy. A thread that sleeps on a
 * lock is 0.05 ms late, and 2 ms if every core is busy (docs/methodology.md).
 */
export class Metronome implements Disposable {
  readonly #worker: Worker;
  readonly #spins: boolean;
  readonly #lock: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4));
  #generation = 0;
  #catchUp: (untilMs: number) => void = () => {};

  /** @param spins whether to wake up early and spin until the exact time; less at a faster pace */
  constructor(spins = false) {
    this.#spins = spins;
    const url = new URL("./metronome_worker.ts", import.meta.url);
    this.#worker = new Worker(url.href, { type: "module" });
  }

  /** Calls back at each arrival until the next start; times are on the clock of {@linkcode now}. */
  start(pace: Pace, onTick: (due: number) => void): void {
    const generation = this.#next();
    const startMs = now();
    const arrivals = arrivalsOf(pace);
    let dueMs = startMs + arrivals.next().value;
    let reported = 0;
    const isCurrent = (): boolean => this.#generation === generation;
    const reportNext = (): void => {
      const thisDueMs = dueMs;
      dueMs = startMs + arrivals.next().value;
      reported++;
      onTick(thisDueMs);
    };
    this.#catchUp = (untilMs) => {
      while (dueMs <= untilMs && isCurrent()) reportNext();
    };
    const spinMs = this.#spins ? Math.min(EARLY_MS, MOST_SPINNING * pace.gapMs) : 0;
    const soonMs = Math.max(SOON_MS, spinMs);
    const earlyMs = spinMs > SOON_MS ? 0 : SOON_MS;
    let count = 0;
    let isSpinning = false;
    const reportDue = (): void => {
      while (reported < count && dueMs <= now() + earlyMs && isCurrent()) reportNext();
      isSpinning = reported < count && isCurrent();
      if (isSpinning) setImmediate(reportDue); // between two checks, responses are read
    };
    this.#worker.onmessage = ({ data }) => {
      if (data.generation !== generation) return; // a message of an earlier pace
      count = data.count;
      if (!isSpinning) reportDue();
    };
    this.#worker.postMessage({ lock: this.#lock, generation, pace, startMs, soonMs });
  }

  /** Reports each unreported arrival until `untilMs`, on the clock of {@linkcode now}. */
  catchUp(untilMs: number): void {
    this.#catchUp(untilMs);
  }

  /** Stops the calls. */
  stop(): void {
    this.#next();
  }

  #next(): number {
    Atomics.store(this.#lock, 0, ++this.#generation);
    Atomics.notify(this.#lock, 0);
    return this.#generation;
  }

  [Symbol.dispose](): void {
    this.stop();
    this.#worker.terminate();
  }
}

/** The part of a metronome that its clients use. */
export type Ticks = Pick<Metronome, "start" | "stop">;
