import { HttpError } from "./problem.ts";

/**
 * A counting semaphore with a bounded first-in-first-out queue: a request that finds no slot
 * waits, one that finds the queue full is refused at once, and one that aborts while waiting leaves.
 */
export class Slots {
  readonly #queue: Set<() => void> = new Set();
  readonly #limit: number;
  readonly #what: string;
  #free: number;

  /**
   * @param count how many may hold a slot at once
   * @param limit how many may wait
   * @param what the thing waited for, for the refusal's message
   */
  constructor(count: number, limit: number, what: string) {
    this.#free = count;
    this.#limit = limit;
    this.#what = what;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Takes a slot if one is free right now. The holder calls `release` when done. */
  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /**
   * Waits for a slot.
   *
   * @throws {HttpError} 503 with `Retry-After` if the queue is full.
   * @throws the signal's reason if it aborts first.
   */
  acquire(signal: AbortSignal): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve();
    if (this.#queue.size >= this.#limit) {
      throw new HttpError(503, `Too many requests wait for ${this.#what}: try again later`, {
        "retry-after": "1",
      });
    }
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#queue.delete(enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#queue.add(enter);
    });
  }

  /** Hands the slot to the next in the queue, or frees it. */
  release(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#free++;
    } else {
      this.#queue.delete(next);
      next();
    }
  }
}
