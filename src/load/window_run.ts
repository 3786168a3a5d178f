/** The window of a job: when it opens and closes, and what is counted in it. */
import type { Histogram } from "hdr-histogram-js";
import type { Measurement } from "../model/raw.ts";
import { sharedNow } from "../process/shared_clock.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { CLOSED, type LoadJob, OPENED } from "./generator.ts";
import { Warming, WARMUP_STEP_MS } from "./warming.ts";

/** Interval between two entries in the list of rates, in milliseconds. */
const SLICE_MS = 250;
/** A window that ends after a number of responses may take this many times its planned length. */
const OVERDUE_AFTER = 3;
/** Maximum number of characters that the report shows of a wrong response. */
const EXCERPT = 200;

/** Records events while a window is open; earlier and later events do not count. */
export class WindowRecorder {
  readonly #latencies: Histogram = newHistogram();
  readonly #kinds: readonly { readonly scenario: string; readonly latencies: Histogram }[];
  readonly #statuses: Map<number, number> = new Map();
  #openedMs: number | null = null;
  #durationMs: number | null = null;
  #slicer: ReturnType<typeof setInterval> | undefined;
  readonly #slicesPerS: number[] = [];
  #all = 0;
  #responses = 0;
  #checked = 0;
  #bytes = 0;
  #reconnects = 0;
  #announced = 0;
  #errors = 0;
  #timeouts = 0;
  #wrong = 0;
  #wrongResponse: string | null = null;

  /** @param kinds scenarios of a mix, in the order of their indices; empty without a mix */
  constructor(kinds: readonly string[] = []) {
    this.#kinds = kinds.map((scenario) => ({ scenario, latencies: newHistogram() }));
  }

  /** Whether events count now. */
  get isOpen(): boolean {
    return this.#openedMs !== null && this.#durationMs === null;
  }

  /** Number of responses since the load began, including those before the window. */
  get allResponses(): number {
    return this.#all;
  }

  /** Number of responses in the window so far. */
  get responses(): number {
    return this.#responses;
  }

  /** Starts the window's clock. */
  open(): void {
    this.#openedMs = performance.now();
    let [fromMs, from] = [this.#openedMs, 0];
    this.#slicer = setInterval(() => {
      const nowMs = performance.now(); // a busy loop calls late
      this.#slicesPerS.push(Math.round(1000 * (this.#responses - from) / (nowMs - fromMs)));
      [fromMs, from] = [nowMs, this.#responses];
    }, SLICE_MS);
  }

  /** Stops the window's clock. */
  close(): void {
    clearInterval(this.#slicer);
    if (this.#openedMs !== null) this.#durationMs ??= performance.now() - this.#openedMs;
  }

  /** Counts a response that took `ms` milliseconds. `kind` is the index of its kind in a mix. */
  answered(status: number, bytes: number, ms: number, kind = 0): void {
    this.#all++;
    if (!this.isOpen) return;
    this.#responses++;
    this.#bytes += bytes;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    record(this.#latencies, ms);
    const kindRecord = this.#kinds[kind];
    if (kindRecord !== undefined) record(kindRecord.latencies, ms);
  }

  /** Counts a checked body. `wrong` is the text of a wrong body; null if the body was correct. */
  checked(wrong: string | null): void {
    this.#checked++;
    if (wrong === null) return;
    this.#wrong++;
    this.#wrongResponse ??= wrong.slice(0, EXCERPT);
  }

  /** Counts a request without a response. */
  failed(why: "timeout" | "transport"): void {
    if (!this.isOpen) return;
    if (why === "timeout") this.#timeouts++;
    else this.#errors++;
  }

  /** Counts a reopened connection. If the server announced the close, no request is lost. */
  reconnected(wasAnnounced: boolean): void {
    if (!this.isOpen) return;
    this.#reconnects++;
    if (wasAnnounced) this.#announced++;
  }

  /** Returns the measurement; its latency is null if there was no response. */
  result(): Measurement {
    const lost = this.#reconnects - this.#announced - this.#timeouts;
    return {
      durationS: (this.#durationMs ?? 0) / 1000,
      statuses: Object.fromEntries(this.#statuses),
      allResponses: this.#all,
      transportErrors: Math.max(this.#errors, lost), // the server may also close without an error
      timeouts: this.#timeouts,
      checkedBodies: this.#checked,
      wrongResponses: this.#wrong,
      wrongResponse: this.#wrongResponse,
      bytes: this.#bytes,
      connectionsOpened: this.#reconnects,
      slicesPerS: this.#slicesPerS,
      latency: describe(this.#latencies),
      kinds: this.#kinds.map(({ scenario, latencies }) => ({
        scenario,
        responses: latencies.totalCount,
        latency: describe(latencies),
      })),
      open: null,
      warmup: null,
    };
  }
}

/**
 * Opens and closes the window of a job.
 *
 * A window with a length opens after the warm-up, which continues in a closed loop while the rate
 * climbs. A window with a number of responses contains whole waves: it opens with the first
 * response after the warm-up and closes with the last of that number.
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
    // An extensible warm-up has its shortest length; a fixed one ends in all shards together
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

  /** Records a response and returns whether it counts. One that opens the window does not. */
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
