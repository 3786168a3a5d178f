import { LIMITS } from "./limits.ts";
import { HttpError } from "./problem.ts";
import { Slots } from "./database.ts";

interface CpuPoolOptions {
  /** Module that each worker runs. It must reply to every message with one message. */
  readonly module: URL;
  readonly workers: number;
  /** Maximum number of requests that wait for a worker. */
  readonly queueLimit: number;
  /** Time limit of one reply in milliseconds. */
  readonly deadlineMs?: number;
}

/**
 * A pool of Web Workers with one job each. If a worker throws an error or misses the time limit,
 * its request fails with 500 and the worker is replaced. The time limit also detects a worker that
 * closes itself, which sends no event.
 */
export class CpuPool<In, Out> implements Disposable {
  readonly #options: Required<CpuPoolOptions>;
  readonly #slots: Slots;
  readonly #idle: Worker[] = [];
  readonly #all: Set<Worker> = new Set();

  constructor(options: CpuPoolOptions) {
    this.#options = { deadlineMs: LIMITS.WORKER_MS, ...options };
    this.#slots = new Slots(options.workers, options.queueLimit, "a worker");
    for (let i = 0; i < options.workers; i++) this.#idle.push(this.#spawn());
  }

  /**
   * Runs one job on the next free worker.
   *
   * @throws {HttpError} 503 if the queue is full, 500 if the worker failed.
   * @throws the signal's reason if it is aborted while the job waits.
   */
  async run(job: In, signal: AbortSignal): Promise<Out> {
    await this.#slots.acquire(signal);
    const worker = this.#idle.pop() ?? this.#spawn();
    try {
      const reply = await this.#ask(worker, job);
      this.#idle.push(this.#makeIdle(worker));
      return reply;
    } catch (error) {
      this.#remove(worker);
      throw error;
    } finally {
      this.#slots.release();
    }
  }

  #ask(worker: Worker, job: In): Promise<Out> {
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    const { deadlineMs } = this.#options;
    const timer = setTimeout(
      () => reject(new HttpError(500, `The worker did not answer within ${deadlineMs / 1000} s`)),
      deadlineMs,
    );
    worker.onmessage = ({ data }: MessageEvent<Out>): void => resolve(data);
    worker.onerror = (event): void => {
      event.preventDefault();
      reject(new HttpError(500, "The worker failed while computing the response"));
    };
    worker.postMessage(job);
    return promise.finally(() => clearTimeout(timer));
  }

  #spawn(): Worker {
    const worker = new Worker(this.#options.module, { type: "module" });
    this.#all.add(worker);
    return this.#makeIdle(worker);
  }

  /** Removes the worker if it throws an error while it has no job; a later job starts another. */
  #makeIdle(worker: Worker): Worker {
    worker.onerror = (event): void => {
      event.preventDefault();
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#remove(worker);
    };
    return worker;
  }

  #remove(worker: Worker): void {
    this.#all.delete(worker);
    worker.terminate();
  }

  /** Stops every worker, even during a job. */
  [Symbol.dispose](): void {
    for (const worker of this.#all) worker.terminate();
    this.#all.clear();
    this.#idle.length = 0;
  }
}
