/** The end of warm-ups: when the rate has stopped climbing, or after the longest time. */
import type { Warmup } from "../model/raw.ts";
import { isClimbing, type Sample } from "../stats/plateau.ts";

/** Interval between two samples, in ms: short enough for quarters of the shortest warm-up. */
export const WARMUP_STEP_MS = 50;
/**
 * Minimum number of requests before a level rate counts as a plateau. A compiler that lacks CPU
 * time can keep the rate level and low until then. V8 and the JVM compile a function only after
 * many calls.
 */
const LEAST_REQUESTS = 1000;
/** After this many times its configured length, a warm-up may end with fewer requests. */
const MOST_WARMUP_FACTOR = 2;

/** Returns whether a warm-up can be judged. `leastS` is its configured length. */
export function isLongEnough({ seconds, requests }: Sample, leastS: number): boolean {
  return requests >= LEAST_REQUESTS || seconds >= MOST_WARMUP_FACTOR * leastS;
}

/** Returns the record of a warm-up; `isSteady` is null if its length was fixed. */
export function warmupRecord({ seconds, requests }: Sample, isSteady: boolean | null): Warmup {
  return { tookS: Math.round(1000 * seconds) / 1000, requests, isSteady };
}

/** Records a warm-up and decides when it ends. */
export class Warming {
  readonly #leastS: number;
  readonly #mostS: number;
  readonly #samples: Sample[] = [];

  /** @param leastS,mostS the shortest and the longest time in seconds; equal if it is fixed */
  constructor(leastS: number, mostS: number) {
    this.#leastS = leastS;
    this.#mostS = mostS;
  }

  /** Adds a sample: the seconds and requests since the start of the load. */
  add(sample: Sample): void {
    this.#samples.push(sample);
  }

  get #last(): Sample {
    return this.#samples.at(-1) ?? { seconds: 0, requests: 0 };
  }

  /** Whether the warm-up may end now. */
  get isOver(): boolean {
    const { seconds } = this.#last;
    if (seconds < this.#leastS) return false;
    if (seconds >= this.#mostS) return true;
    return isLongEnough(this.#last, this.#leastS) && !isClimbing(this.#samples);
  }

  /** The result of the warm-up. */
  get record(): Warmup {
    const isFixed = this.#mostS <= this.#leastS;
    return warmupRecord(this.#last, isFixed ? null : !isClimbing(this.#samples));
  }
}
