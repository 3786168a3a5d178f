import type { Measurement } from "../model.ts";
import type { Household } from "../process/household.ts";
import type { LoadGenerator, LoadJob, WindowListener } from "./generator.ts";
import { mergeMeasurements } from "./merge.ts";
import { Shard } from "./shard.ts";

/** A load generator at work: as many processes as the load asks for, which share its connections. */
export class RunningGenerator implements AsyncDisposable {
  readonly #newShard: () => Shard;
  readonly #shards: Shard[] = [];

  /** @param cpus the processors that it may use; null: all. */
  constructor(
    household: Household,
    generator: LoadGenerator,
    cpus: readonly number[] | null = null,
  ) {
    this.#newShard = () => new Shard(household, generator, cpus);
  }

  /**
   * Drives one window. It is open from when it has opened in every shard until it closes in one.
   *
   * @param abort ends the window early, and the generator with it.
   * @throws {Failure} if a shard ends, hangs, or answers what cannot be read.
   * @throws the reason of `abort`.
   */
  async measure(
    job: LoadJob,
    abort: AbortSignal,
    listener: Partial<WindowListener> = {},
  ): Promise<Measurement> {
    abort.throwIfAborted();
    const jobs = split(job);
    while (this.#shards.length < jobs.length) this.#shards.push(this.#newShard());
    const shards = this.#shards.slice(0, jobs.length);
    listener.starting?.(shards.map(({ pid }) => pid));
    let [opened, closed] = [0, 0];
    const events = {
      opened: () => void (++opened === jobs.length && listener.opened?.()),
      closed: () => void (closed++ === 0 && listener.closed?.()),
    };
    const failed = new AbortController();
    const signal = AbortSignal.any([abort, failed.signal]);
    const parts = shards.map((shard, i) =>
      shard.measure(jobs[i] as LoadJob, signal, events).catch((error) => {
        failed.abort(error); // no shard goes on alone, and the first cause is the one that is told
        throw signal.reason;
      })
    );
    await Promise.allSettled(parts);
    return mergeMeasurements(await Promise.all(parts));
  }

  /** Ends every process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard[Symbol.asyncDispose]()));
  }
}

/** A job for each shard; a window of whole cycles cannot be split, nor one connection. */
function split(job: LoadJob): LoadJob[] {
  const { connections, shards, answers } = job.load;
  const count = answers === null ? Math.min(shards, connections) : 1;
  return Array.from({ length: count }, (_, i) => {
    const own = Math.floor(connections / count) + (i < connections % count ? 1 : 0);
    return { ...job, load: { ...job.load, connections: own, shards: 1 } };
  });
}
