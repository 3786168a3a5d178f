import type { ServerConfig } from "./config.ts";
import { Slots } from "./database.ts";
import { HttpError } from "./http.ts";
import { LIMITS } from "./limits.ts";

/**
 * A pool of Web Workers with one job each. If a worker throws an error or misses the time limit,
 * its request fails with 500 and the worker is replaced. The time limit also detects a worker that
 * closes itself, which sends no event.
 */
export class CpuPool<In, Out> implements Disposable {
  readonly #module: URL;
  readonly #deadlineMs: number;
  readonly #slots: Slots;
  #idle: Worker[] = [];
  readonly #all: Set<Worker> = new Set();

  /** Starts workers that run `module`, which must reply to each message within `deadlineMs` ms. */
  constructor(
    module: URL,
    { cpuWorkers, queueLimit }: Pick<ServerConfig, "cpuWorkers" | "queueLimit">,
    deadlineMs: number = LIMITS.WORKER_MS,
  ) {
    this.#module = module;
    this.#deadlineMs = deadlineMs;
    this.#slots = new Slots(cpuWorkers, queueLimit, "a worker");
    for (let i = 0; i < cpuWorkers; i++) this.#idle.push(this.#spawn());
  }

  /**
   * Runs one job for a request on the next free worker.
   *
   * @throws {HttpError} 503 if the queue is full, 500 if the worker failed.
   * @throws the reason of the request's signal if it is aborted while the job waits.
   */
  async run(job: In, request: Pick<Request, "signal">): Promise<Out> {
    await this.#slots.acquire(request);
    const worker = this.#idle.pop() ?? this.#spawn();
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    const fail = (why: string): void => reject(new HttpError(500, `The worker ${why}`));
    const deadlineMs = this.#deadlineMs;
    const timer = setTimeout(
      () => fail(`did not answer within ${deadlineMs / 1000} s`),
      deadlineMs,
    );
    worker.onmessage = ({ data }: MessageEvent<Out>): void => resolve(data);
    worker.onerror = (event): void => {
      event.preventDefault();
      fail("failed while computing the response");
    };
    try {
      worker.postMessage(job);
      const reply = await promise;
      this.#idle.push(this.#makeIdle(worker));
      return reply;
    } catch (error) {
      this.#remove(worker);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#slots.release();
    }
  }

  #spawn(): Worker {
    const worker = new Worker(this.#module, { type: "module" });
    this.#all.add(worker);
    return this.#makeIdle(worker);
  }

  /** Removes the worker if it throws an error while it has no job; a later job starts another. */
  #makeIdle(worker: Worker): Worker {
    worker.onerror = (event): void => {
      event.preventDefault();
      this.#idle = this.#idle.filter((other) => other !== worker);
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
    this.#idle = [];
    for (const worker of this.#all) this.#remove(worker);
  }
}
