import type { Histogram } from "hdr-histogram-js";
import type { OpenRecord } from "../model/raw.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import type { Arrival } from "./driver/open_loop.ts";

/**
 * Records the outcome of all requests that are due while a window is open, even if their responses come
 * later.
 */
export class ArrivalRecorder {
  readonly #responseTime: Histogram = newHistogram();
  readonly #lateness: Histogram = newHistogram();
  readonly #wait: Histogram = newHistogram();
  readonly #serviceTime: Histogram = newHistogram();
  #fromMs = Infinity;
  #toMs = Infinity;
  #sent = 0;
  #failed = 0;
  #unanswered = 0;
  #shed = 0;

  /**
   * Opens the window: requests that are due from this time on count.
   *
   * @param atMs the time in milliseconds, on the clock of `now`
   */
  open(atMs: number): void {
    this.#fromMs = atMs;
  }

  /**
   * Closes the window: requests that are due from this time on do not count.
   *
   * @param atMs the time in milliseconds, on the clock of `now`
   */
  close(atMs: number): void {
    this.#toMs = atMs;
  }

  /** Records a request that was answered or has failed. */
  ended(arrival: Arrival, atMs: number, outcome: "answered" | "failed"): void {
    if (!this.#counts(arrival)) return;
    this.#recordTimes(arrival, atMs);
    if (outcome === "failed") this.#failed++;
    else record(this.#serviceTime, atMs - (arrival.sentMs ?? atMs));
  }

  /**
   * Records requests that were given up: never sent, or sent without a response. Each counts with
   * the time that it has waited.
   *
   * @param atMs the time at which they were given up, in milliseconds on the clock of `now`
   */
  left(arrivals: readonly Arrival[], atMs: number): void {
    for (const arrival of arrivals) {
      if (!this.#counts(arrival)) continue;
      this.#recordTimes(arrival, atMs);
      if (arrival.sentMs === null) this.#shed++;
      else this.#unanswered++;
    }
  }

  #counts({ dueMs }: Arrival): boolean {
    return dueMs >= this.#fromMs && dueMs < this.#toMs;
  }

  #recordTimes({ dueMs, noticedMs, sentMs }: Arrival, atMs: number): void {
    if (sentMs !== null) this.#sent++;
    record(this.#responseTime, atMs - dueMs);
    record(this.#lateness, noticedMs - dueMs);
    record(this.#wait, (sentMs ?? atMs) - noticedMs);
  }

  /**
   * Returns the results of the window.
   *
   * @param atMs the time at which the last request ended or was given up, in milliseconds on the
   *   clock of `now`
   */
  result(atMs: number): OpenRecord {
    return {
      offered: this.#responseTime.totalCount,
      sent: this.#sent,
      failed: this.#failed,
      unanswered: this.#unanswered,
      shed: this.#shed,
      recoveryS: Math.max(0, atMs - this.#toMs) / 1000,
      responseTime: describe(this.#responseTime),
      lateness: describe(this.#lateness),
      wait: describe(this.#wait),
      serviceTime: describe(this.#serviceTime),
    };
  }
}
