import type { Histogram } from "hdr-histogram-js";
import type { Measurement } from "../model/raw.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";

const SLICE_MS = 250;
const EXCERPT = 200;

/** Collects what happens while a window is open; what happens before and after does not count. */
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

  /** @param kinds scenarios of a mix, in the order in which answers name them; empty without one */
  constructor(kinds: readonly string[] = []) {
    this.#kinds = kinds.map((scenario) => ({ scenario, latencies: newHistogram() }));
  }

  /** Whether events count now. */
  get isOpen(): boolean {
    return this.#openedMs !== null && this.#durationMs === null;
  }

  /** Answers since the load began, before the window opened too. */
  get allResponses(): number {
    return this.#all;
  }

  /** Answers so far. */
  get responses(): number {
    return this.#responses;
  }

  /** Starts the window's clock. */
  open(): void {
    this.#openedMs = performance.now();
    let [fromMs, from] = [this.#openedMs, 0];
    this.#slicer = setInterval(() => {
      const nowMs = performance.now(); // a busy loop fires late
      this.#slicesPerS.push(Math.round(1000 * (this.#responses - from) / (nowMs - fromMs)));
      [fromMs, from] = [nowMs, this.#responses];
    }, SLICE_MS);
  }

  /** Stops the window's clock. */
  close(): void {
    clearInterval(this.#slicer);
    if (this.#openedMs !== null) this.#durationMs ??= performance.now() - this.#openedMs;
  }

  /** A response came, after this many milliseconds, of a kind of a mix. */
  answered(status: number, bytes: number, ms: number, kind = 0): void {
    this.#all++;
    if (!this.isOpen) return;
    this.#responses++;
    this.#bytes += bytes;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    record(this.#latencies, ms);
    const own = this.#kinds[kind];
    if (own !== undefined) record(own.latencies, ms);
  }

  /** The body of a response with a 2xx status was looked at; `wrong` is its text if it was. */
  checked(wrong: string | null): void {
    this.#checked++;
    if (wrong === null) return;
    this.#wrong++;
    this.#wrongResponse ??= wrong.slice(0, EXCERPT);
  }

  /** A request failed without a response. */
  failed(why: "timeout" | "transport"): void {
    if (!this.isOpen) return;
    if (why === "timeout") this.#timeouts++;
    else this.#errors++;
  }

  /**
   * A connection was opened again: after an error, a timeout, because the server closed it, or because
   * it had said in its response that it would, when nothing is lost.
   */
  reconnected(wasAnnounced: boolean): void {
    if (!this.isOpen) return;
    this.#reconnects++;
    if (wasAnnounced) this.#announced++;
  }

  /** What the window held; null latency if nothing was answered. */
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
