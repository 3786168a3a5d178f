import type { Histogram } from "hdr-histogram-js";
import type { Measurement } from "../model/raw.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";

/** Interval between two entries in the list of rates, in milliseconds. */
const SLICE_MS = 250;
/** Maximum number of characters that the report shows of a wrong response. */
const EXCERPT = 200;

/** Records events while a window is open; earlier and later events do not count. */
export class WindowRecorder {
  readonly #latencies: Histogram = newHistogram();
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
  readonly #kinds: readonly { readonly scenario: string; readonly latencies: Histogram }[];

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

  /**
   * Counts a response.
   *
   * @param ms the response time in milliseconds
   * @param kind the index of its kind in a mix
   */
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

  /**
   * Counts a checked body.
   *
   * @param wrong the text of a wrong body; null if the body was correct
   */
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

  /**
   * Counts a reopened connection: after an error, a timeout, or a close by the server. If the server
   * announced the close in its last response, nothing is lost.
   */
  reconnected(wasAnnounced: boolean): void {
    if (!this.isOpen) return;
    this.#reconnects++;
    if (wasAnnounced) this.#announced++;
  }

  /** Returns the measurement; its latency is null if there was no response. */
  result(): Measurement {
    const statuses = Object.fromEntries(this.#statuses);
    const closedByServer = Math.max(
      0,
      this.#reconnects - this.#announced - this.#errors - this.#timeouts,
    );
    return {
      durationS: (this.#durationMs ?? 0) / 1000,
      statuses,
      allResponses: this.#all,
      transportErrors: this.#errors + closedByServer,
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
