/** A client with one request in flight, for counts that repeat exactly. */
import type { Client } from "../load/driver/load_client.ts";
import { Failure } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";

/** Longest time of a warm-up, in ms. */
const WARM_UP_MS = 1000;
/** Requests of the warm-up between two looks at the clock. */
const WARM_UP_STEP = 10;
/** Longest mean time of a response, in ms: with slower ones, a pass would take minutes. */
const SLOWEST_MS = 20;
/** Longest time of a segment, in ms: strace makes responses a few times slower. */
const SEGMENT_MS = 10_000;

/** Sequential requests, on one connection or on as many as there are requests. */
export class Sequence implements Disposable {
  readonly #open: () => Promise<Client>;
  readonly #signal: AbortSignal;
  readonly #pipelined: number;
  #client: Client | null = null;

  /**
   * @param signal ends requests early, as when the server has ended
   * @param pipelined number of requests that clients of `open` send at once
   */
  constructor(open: () => Promise<Client>, signal: AbortSignal, pipelined = 1) {
    this.#open = open;
    this.#signal = signal;
    this.#pipelined = pipelined;
  }

  /** Sends the first requests. Throws a `Failure` if responses are wrong or slow. */
  async warmUp(count: number): Promise<void> {
    const startedMs = performance.now();
    let [asked, tookMs] = [0, 0];
    for (; asked < count && tookMs < WARM_UP_MS; asked += WARM_UP_STEP) {
      await this.ask(WARM_UP_STEP);
      tookMs = performance.now() - startedMs;
    }
    if (tookMs / asked <= SLOWEST_MS) return;
    throw new Failure(`its responses take longer than ${SLOWEST_MS} ms`);
  }

  /**
   * Sends requests, each after the last response, and pipelined ones in batches. `count` is a multiple
   * of a batch. Returns the number of received bytes.
   */
  async ask(count: number): Promise<number> {
    let bytes = 0;
    await this.#inTime(async () => {
      for (let i = 0; i < count; i += this.#pipelined) bytes += await this.#askOnce();
    });
    return bytes;
  }

  /** Opens connections one after the other. Each sends one request and is closed. */
  async connect(count: number): Promise<void> {
    using others = new Sequence(this.#open, this.#signal);
    await this.#inTime(async () => {
      for (let i = 0; i < count; i++) {
        await others.#askOnce();
        others[Symbol.dispose]();
      }
    });
  }

  /** Sends a batch, on a new connection if none is open. Returns the length of its responses. */
  async #askOnce(): Promise<number> {
    this.#signal.throwIfAborted();
    const client = this.#client ??= await this.#open();
    let sum = 0;
    for (let i = 0; i < this.#pipelined; i++) {
      const { bytes, keepsAlive, status, wrong } = await (i === 0 ? client.ask() : client.next());
      if (!keepsAlive) this[Symbol.dispose]();
      if (status < 200 || status >= 300 || wrong !== null) {
        throw new Failure(`a response was wrong (status ${status})`);
      }
      sum += bytes;
    }
    return sum;
  }

  /** Ends the requests of a segment that takes too long, or if the signal is aborted. */
  async #inTime(during: () => Promise<void>): Promise<void> {
    const late = new Failure(`it did not answer within ${SEGMENT_MS / 1000} s`);
    const asking = during();
    asking.catch(() => {}); // it fails when the connection is closed
    await inTime(asking, SEGMENT_MS, late, this.#signal);
  }

  [Symbol.dispose](): void {
    this.#client?.close();
    this.#client = null;
  }
}
