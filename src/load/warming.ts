import { isClimbing, type Sample } from "../stats/plateau.ts";
import type { Warmup } from "../model/raw.ts";

/**
 * Interval between two samples of the rate, in milliseconds. It is short enough to compare the
 * rates in the four quarters of the shortest warm-up.
 */
export const WARMUP_STEP_MS = 50;
/**
 * Minimum number of requests before a level rate counts as a plateau. A compiler that lacks CPU time can keep
 * the rate level and low until then. V8 and the JVM compile a function only after many calls.
 */
export const LEAST_REQUESTS = 1000;
/**
 * After this many times its configured length, a warm-up may end with fewer than {@linkcode
 * LEAST_REQUESTS} requests, because the server is slow.
 */
export const MOST_WARMUP_FACTOR = 2;

/**
 * Records a warm-up and decides when it ends: when the rate has stopped climbing, or after the longest
 * time.
 */
export class Warming {
  readonly #leastS: number;
  readonly #mostS: number;
  readonly #samples: Sample[] = [];

  /**
   * @param leastS the shortest time in seconds
   * @param mostS the longest time in seconds; at most `leastS` if the length is fixed
   */
  constructor(leastS: number, mostS: number) {
    this.#leastS = leastS;
    this.#mostS = mostS;
  }

  /** Adds a sample: the seconds and requests since the start of the load. */
  add(sample: Sample): void {
    this.#samples.push(sample);
  }

  /** Whether the warm-up may end now. */
  get isOver(): boolean {
    const { seconds = 0, requests = 0 } = this.#samples.at(-1) ?? {};
    if (seconds < this.#leastS) return false;
    if (seconds >= this.#mostS) return true;
    const hasEnough = requests >= LEAST_REQUESTS || seconds >= MOST_WARMUP_FACTOR * this.#leastS;
    return hasEnough && !isClimbing(this.#samples);
  }

  /** The result of the warm-up. */
  get record(): Warmup {
    const { seconds = 0, requests = 0 } = this.#samples.at(-1) ?? {};
    return {
      tookS: Math.round(1000 * seconds) / 1000,
      requests,
      isSteady: this.#mostS > this.#leastS ? !isClimbing(this.#samples) : null,
    };
  }
}
