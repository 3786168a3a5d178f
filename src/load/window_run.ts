import type { Measurement } from "../model/raw.ts";
import { sharedNow } from "../process/shared_clock.ts";
import { CLOSED, type LoadJob, OPENED } from "./generator.ts";
import { Warming, WARMUP_STEP_MS } from "./warming.ts";
import { WindowRecorder } from "./window_recorder.ts";

/**
 * A window that ends after a number of responses may take at most this many times its planned
 * length.
 */
const OVERDUE_AFTER = 3;

/**
 * Opens and closes the window of a job.
 *
 * A window with a length in seconds opens after the warm-up. A window with a number of responses
 * contains whole waves. It opens with the first response after the warm-up and closes with the last
 * of that number. In a closed loop the warm-up continues while the rate still climbs.
 */
export class WindowRun {
  readonly recorder: WindowRecorder;
  readonly #job: LoadJob;
  readonly #say: (line: string) => void;
  readonly #closed: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #warming: Warming;
  readonly #startedMs: number = performance.now();
  readonly #sampler: ReturnType<typeof setInterval>;
  #timer: ReturnType<typeof setTimeout>;
  #opensWithResponse = false;

  /** @param say receives a line when the window opens and when it closes */
  constructor(job: LoadJob, say: (line: string) => void) {
    this.#job = job;
    this.#say = say;
    this.recorder = new WindowRecorder(job.mix.map(({ scenario }) => scenario));
    const { load: { responses, open, warmupS, mostWarmupS }, opensAtMs } = job;
    const extraS = responses === null && open === null ? mostWarmupS - warmupS : 0;
    // An extensible warm-up always has its shortest length; a fixed one ends at the same time in
    // all shards
    const leastS = extraS > 0 ? warmupS : Math.max(0, opensAtMs - sharedNow()) / 1000;
    this.#warming = new Warming(leastS, leastS + extraS);
    this.#sampler = setInterval(() => this.#sample(), WARMUP_STEP_MS);
    this.#timer = setTimeout(() => this.#endWarmup(extraS > 0), 1000 * leastS);
  }

  #sample(): void {
    const seconds = (performance.now() - this.#startedMs) / 1000;
    this.#warming.add({ seconds, requests: this.recorder.allResponses });
  }

  /** Opens the window, or continues the warm-up while the rate still climbs. */
  #endWarmup(mayGoOn: boolean): void {
    this.#sample();
    if (mayGoOn && !this.#warming.isOver) {
      this.#timer = setTimeout(() => this.#endWarmup(true), WARMUP_STEP_MS);
      return;
    }
    clearInterval(this.#sampler);
    const { responses, timeoutS } = this.#job.load;
    if (responses === null) return this.#open();
    this.#opensWithResponse = true;
    this.#timer = setTimeout(() => {
      this.#open(); // no response opened it: the window stays empty
      this.close();
    }, timeoutS * 1000);
  }

  /** Resolves when the window has closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /**
   * Records a response.
   *
   * @param ms the response time in milliseconds
   * @param kind the index of its kind in a mix
   * @returns whether it counts. A response that opens the window does not: the window begins after it.
   */
  answered(status: number, bytes: number, ms: number, kind = 0): boolean {
    const { recorder } = this;
    const { responses } = this.#job.load;
    const counts = recorder.isOpen;
    recorder.answered(status, bytes, ms, kind);
    if (counts) {
      if (responses !== null && recorder.responses >= responses) this.close();
    } else if (this.#opensWithResponse) {
      this.#opensWithResponse = false;
      this.#open();
    }
    return counts;
  }

  #open(): void {
    clearTimeout(this.#timer); // the timer for a missing first response
    this.recorder.open();
    this.#say(OPENED);
    const { durationS, responses } = this.#job.load;
    const limitS = durationS * (responses === null ? 1 : OVERDUE_AFTER);
    this.#timer = setTimeout(() => this.close(), limitS * 1000);
  }

  /** Returns the results of the window and of its warm-up. */
  result(): Measurement {
    return { ...this.recorder.result(), warmup: this.#warming.record };
  }

  /** Closes the window. */
  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#sampler);
    this.recorder.close();
    this.#say(CLOSED);
    this.#closed.resolve();
  }
}
