import { HttpError } from "./problem.ts";

/**
 * A counting semaphore with a bounded first-in-first-out queue. A request that finds no free slot
 * waits. If the queue is full, the request is refused at once. An aborted request leaves the queue.
 */
export class Slots {
  readonly #queue: Set<() => void> = new Set();
  readonly #limit: number;
  readonly #what: string;
  #free: number;

  /**
   * @param count number of slots
   * @param limit maximum length of the queue
   * @param what the name of the resource, for the error message
   */
  constructor(count: number, limit: number, what: string) {
    this.#free = count;
    this.#limit = limit;
    this.#what = what;
  }

  /** Returns the number of requests in the queue. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Takes a slot if one is free, without waiting.
   *
   * @returns whether it took one; the caller must then call `release`.
   */
  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /**
   * Takes a slot, and waits for one if none is free. The caller must then call `release`.
   *
   * @throws {HttpError} 503 with `Retry-After` if the queue is full.
   * @throws the signal's reason if it is aborted first.
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

  /** Passes the slot to the next request in the queue, or frees it. */
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
