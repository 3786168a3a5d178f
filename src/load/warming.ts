import { isClimbing, type Sample } from "../stats/plateau.ts";
import type { Warmup } from "../model/raw.ts";

/** How often the rate is looked at, in milliseconds: often enough for four quarters of the shortest warm-up. */
export const WARMUP_STEP_MS = 50;
/**
 * Requests that a server gets before a level rate counts as its plateau. A starved compiler can leave the rate
 * level and low until it has seen about as many: V8 and the JVM compile after some thousand calls.
 */
export const LEAST_REQUESTS = 1000;
/** Slow servers need no more than this many times the warm-up that was asked for, however few requests that is. */
export const MOST_WARMUP_FACTOR = 2;

/** Records a warm-up and tells when it may end: the rate has stopped climbing, or the longest time is over. */
export class Warming {
  readonly #leastS: number;
  readonly #mostS: number;
  readonly #samples: Sample[] = [];

  /** @param mostS not more than `leastS` means that the length is fixed */
  constructor(leastS: number, mostS: number) {
    this.#leastS = leastS;
    this.#mostS = mostS;
  }

  /** Notes how far the load has come, counted from its start. */
  add(sample: Sample): void {
    this.#samples.push(sample);
  }

  /** Whether it may end now. */
  get isOver(): boolean {
    const { seconds = 0, requests = 0 } = this.#samples.at(-1) ?? {};
    if (seconds < this.#leastS) return false;
    if (seconds >= this.#mostS) return true;
    const hasEnough = requests >= LEAST_REQUESTS || seconds >= MOST_WARMUP_FACTOR * this.#leastS;
    return hasEnough && !isClimbing(this.#samples);
  }

  /** What it was. */
  get record(): Warmup {
    const { seconds = 0, requests = 0 } = this.#samples.at(-1) ?? {};
    return {
      tookS: Math.round(1000 * seconds) / 1000,
      requests,
      isSteady: this.#mostS > this.#leastS ? !isClimbing(this.#samples) : null,
    };
  }
}
