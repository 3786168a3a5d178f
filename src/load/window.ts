import { build, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";
import type { Latency, Measurement } from "../model.ts";

const MAX_US = 120_000_000;
const EXCERPT = 200;

/** Collects what happens while a window is open; what happens before and after does not count. */
export class WindowRecorder {
  readonly #latencies: Histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: MAX_US,
    numberOfSignificantValueDigits: 3,
  });
  readonly #statuses: Map<number, number> = new Map();
  #openedMs: number | null = null;
  #durationMs: number | null = null;
  #answers = 0;
  #bytes = 0;
  #reconnects = 0;
  #errors = 0;
  #timeouts = 0;
  #wrong = 0;
  #wrongAnswer: string | null = null;

  /** Whether events count now. */
  get isOpen(): boolean {
    return this.#openedMs !== null && this.#durationMs === null;
  }

  /** Answers so far. */
  get answers(): number {
    return this.#answers;
  }

  /** Starts the window's clock. */
  open(): void {
    this.#openedMs = performance.now();
  }

  /** Stops the window's clock. */
  close(): void {
    if (this.#openedMs !== null) this.#durationMs ??= performance.now() - this.#openedMs;
  }

  /** An answer came, after this many milliseconds. */
  answered(status: number, bytes: number, ms: number): void {
    this.#answers++;
    this.#bytes += bytes;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#latencies.recordValue(Math.min(MAX_US, Math.max(1, Math.round(ms * 1000))));
  }

  /** An answer with a 2xx status had a wrong body. */
  wrong(body: string): void {
    this.#wrong++;
    this.#wrongAnswer ??= body.slice(0, EXCERPT);
  }

  /** A request failed without an answer. */
  failed(error: Error): void {
    if (!this.isOpen) return;
    if (error.message === "request timed out") this.#timeouts++;
    else this.#errors++;
  }

  /** A connection was opened again, after an error, a timeout, or because the server closed it. */
  reconnected(): void {
    if (this.isOpen) this.#reconnects++;
  }

  /** What the window held; null latency if nothing was answered. */
  result(): Measurement {
    const statuses = Object.fromEntries(this.#statuses);
    const closedByServer = Math.max(0, this.#reconnects - this.#errors - this.#timeouts);
    return {
      durationS: (this.#durationMs ?? 0) / 1000,
      statuses,
      transportErrors: this.#errors + closedByServer,
      timeouts: this.#timeouts,
      wrongAnswers: this.#wrong,
      wrongAnswer: this.#wrongAnswer,
      bytes: this.#bytes,
      latency: this.#answers === 0 ? null : describe(this.#latencies),
    };
  }
}

function describe(histogram: Histogram): Latency {
  return {
    count: histogram.totalCount,
    meanUs: histogram.mean,
    minUs: histogram.minNonZeroValue,
    p50Us: histogram.getValueAtPercentile(50),
    p90Us: histogram.getValueAtPercentile(90),
    p99Us: histogram.getValueAtPercentile(99),
    p999Us: histogram.getValueAtPercentile(99.9),
    maxUs: histogram.maxValue,
    histogram: encodeIntoCompressedBase64(histogram),
  };
}
