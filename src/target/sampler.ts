import { Failure } from "../model/errors.ts";
import type { CpuProfile } from "../model/profile.ts";
import { pause } from "../process/pause.ts";
import { schedule, threadsOf } from "../process/scheduling.ts";
import { Inspector } from "./inspector.ts";

/** Samples the stacks of a server's threads between two moments. */
export interface Sampler {
  start(): Promise<void>;
  /** Returns the samples since the start, one profile per thread. */
  stop(): Promise<CpuProfile[]>;
}

/**
 * Sampling interval in microseconds. V8's default of 1000 is too coarse for a server that spends little
 * time in JavaScript.
 */
const INTERVAL_US = 100;
/** Line that Deno and Node.js print to standard error for each thread with an inspector. */
const LISTENING = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\S+)/gm;
/** Interval between two searches for inspector addresses, in milliseconds. */
const POLL_MS = 20;
/** Time limit of the search for inspector addresses, in milliseconds. */
const READY_TIMEOUT_MS = 2000;

/**
 * Samples each thread for which the server's standard error shows an inspector address.
 *
 * V8 samples from a separate thread. If all processors are busy, Linux runs that thread only while
 * the server sleeps. The samples then miss almost all of the server's work (figures in
 * docs/architecture.md). The server's other threads therefore run at idle priority while they are
 * sampled.
 */
export class V8Sampler implements Sampler, Disposable {
  readonly #inspectors: readonly Inspector[];
  readonly #pid: number | null;
  /** Threads that run at idle priority. */
  #threads: readonly number[] = [];

  private constructor(inspectors: readonly Inspector[], pid: number | null) {
    this.#inspectors = inspectors;
    this.#pid = pid;
  }

  /**
   * Connects to every inspector of a server.
   *
   * @param log returns the server's standard error so far
   * @param pid the server's process; null: unknown
   * @throws {Failure} if no inspector is found, or if one does not answer.
   */
  static async connect(log: () => string, pid: number | null): Promise<V8Sampler> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (addressesIn(log()).length === 0 && performance.now() < deadline) await pause(POLL_MS);
    const addresses = addressesIn(log());
    if (addresses.length === 0) {
      throw new Failure("Cannot profile the server: it does not print its inspector's address");
    }
    const inspectors: Inspector[] = [];
    try {
      for (const address of addresses) {
        const inspector = await Inspector.connect(address);
        inspectors.push(inspector);
        await inspector.send("Profiler.enable");
        await inspector.send("Profiler.setSamplingInterval", { interval: INTERVAL_US });
      }
      return new V8Sampler(inspectors, pid);
    } catch (error) {
      for (const inspector of inspectors) inspector[Symbol.dispose]();
      throw error;
    }
  }

  async start(): Promise<void> {
    // The list is read before V8 starts its sampling threads
    this.#threads = this.#pid === null ? [] : threadsOf(this.#pid);
    await Promise.all(this.#inspectors.map((inspector) => inspector.send("Profiler.start")));
    schedule(this.#threads, "idle");
  }

  async stop(): Promise<CpuProfile[]> {
    schedule(this.#threads, "normal");
    return await Promise.all(this.#inspectors.map(async (inspector) => {
      const response = await inspector.send("Profiler.stop");
      return (response as { readonly profile: CpuProfile }).profile;
    }));
  }

  [Symbol.dispose](): void {
    for (const inspector of this.#inspectors) inspector[Symbol.dispose]();
  }
}

function addressesIn(log: string): string[] {
  return [...new Set([...log.matchAll(LISTENING)].map(([, address = ""]) => address))];
}
