import { Failure } from "../model/errors.ts";
import type { CpuProfile } from "../model/profile.ts";
import { pause } from "../process/pause.ts";
import { schedule, threadsOf } from "../process/scheduling.ts";
import { Inspector } from "./inspector.ts";

/** Samples where a server's threads are, between two moments. */
export interface Sampler {
  start(): Promise<void>;
  /** What was sampled since, of each thread. */
  stop(): Promise<CpuProfile[]>;
}

/** Short enough for a server that spends little of its time in JavaScript. V8's own default is 1000. */
const INTERVAL_US = 100;
/** How Deno and Node.js say on their standard error where an inspector listens, one line for each thread. */
const LISTENING = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\S+)/gm;
const POLL_MS = 20;
const TIMEOUT_MS = 2000;

/**
 * The threads of a server that have an inspector: no more than its standard error names.
 *
 * V8 samples from a thread of its own. Where all processors are busy, Linux lets that run when the server
 * sleeps, and what the server does is hardly ever seen: docs/architecture.md has figures. So the server's
 * other threads give way, while they are sampled, to any that wants their processor.
 */
export class V8Sampler implements Sampler, Disposable {
  readonly #inspectors: readonly Inspector[];
  readonly #pid: number | null;
  /** Those that give way. */
  #threads: readonly number[] = [];

  private constructor(inspectors: readonly Inspector[], pid: number | null) {
    this.#inspectors = inspectors;
    this.#pid = pid;
  }

  /**
   * Connects to every inspector of a server.
   *
   * @param log what the server has written to its standard error so far
   * @param pid the server's process; null: not known
   * @throws {Failure} if there is none, or one does not answer.
   */
  static async connect(log: () => string, pid: number | null): Promise<V8Sampler> {
    const deadline = performance.now() + TIMEOUT_MS;
    while (addressesIn(log()).length === 0 && performance.now() < deadline) await pause(POLL_MS);
    const addresses = addressesIn(log());
    if (addresses.length === 0) {
      throw new Failure("Cannot profile the server: it does not say where its inspector listens");
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
    // Before there are those that sample
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
