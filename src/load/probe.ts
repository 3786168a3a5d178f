/** Checks a server while it is loaded. */
import type { Histogram } from "hdr-histogram-js";
import { messageOf } from "../model/errors.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { ProbeRecord } from "../model/raw.ts";
import type { Reason } from "../model/reason.ts";
import { median } from "../stats/median.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { now, type Ticks } from "./metronome.ts";
import { PacedClient, type PacedOptions, type PacedRequest } from "./paced_client.ts";

/** Longest interval between two requests, in ms. With a longer one, percentiles mean too little. */
const SLOWEST_MS = 20;
/** Shortest interval, in milliseconds. A faster probe would use over a hundredth of two cores. */
const FASTEST_MS = 16;

/** The probe's request and its check. */
export interface ProbeOptions extends Omit<PacedOptions, "connections"> {
  /** Throws if a response with a 2xx status is wrong. */
  readonly expect: (response: HttpResponse) => void;
}

/**
 * Checks a server while a load generator loads it. It sends at fixed times on one extra connection,
 * checks whole responses, and measures from the scheduled send time.
 *
 * During the warm-up it chooses its interval: twice the median response time, within limits. If
 * that response time is longer than the longest interval, the probe does not run. If it is longer
 * than half of the longest interval, the probe checks responses but records no latency. Its
 * requests would then wait in the queue of the probe itself.
 */
export class Probe implements Disposable {
  readonly #client: PacedClient;
  readonly #expect: ProbeOptions["expect"];
  readonly #now: () => number;
  /** Response times of the warm-up, in milliseconds, and the number of its requests. */
  readonly #rehearsed: number[] = [];
  #rehearsals = 0;
  readonly #latencies: Histogram = newHistogram();
  readonly #latenesses: Histogram = newHistogram();
  readonly #counts: { -readonly [Key in keyof ProbeRecord]: ProbeRecord[Key] } = {
    ...absent(null),
    intervalMs: SLOWEST_MS,
  };
  #openedAt: number | null = null;
  #unanswered = 0;
  #isOwnQueue = false;

  /** Starts sending immediately, to choose the interval during the warm-up of the load. */
  constructor(metronome: Ticks, options: ProbeOptions) {
    this.#expect = options.expect;
    this.#now = options.clock ?? now;
    this.#client = new PacedClient(metronome, { ...options, connections: 1 });
    this.#client.start(SLOWEST_MS, ({ sent, done }) => {
      this.#rehearsals++;
      if (sent !== null && done !== null) this.#rehearsed.push(done - sent);
    });
  }

  /** Opens the window: from now on everything counts. */
  open(): void {
    const counts = this.#counts;
    const oldest = this.#client.stop().find(({ sent }) => sent !== null)?.sent;
    const times = oldest ? [...this.#rehearsed, this.#now() - oldest] : this.#rehearsed;
    const typicalMs = times.length === 0 ? 0 : median(times);
    if (times.length === 0 && this.#rehearsals === 0) {
      counts.absence = { kind: "no-rehearsal" };
    } else if (typicalMs > SLOWEST_MS) {
      counts.absence = { kind: "responses-too-slow", ms: typicalMs };
    } else {
      this.#isOwnQueue = 2 * typicalMs > SLOWEST_MS;
      counts.intervalMs = Math.min(SLOWEST_MS, Math.max(FASTEST_MS, Math.ceil(2 * typicalMs)));
      this.#openedAt = this.#now();
      this.#client.start(counts.intervalMs, (request) => this.#take(request));
    }
  }

  /** Closes the window. Each unanswered request counts with the time that it has waited. */
  close(): void {
    if (this.#openedAt === null) return;
    const closedAt = this.#now();
    const unanswered = this.#client.stop();
    for (const { due } of unanswered) record(this.#latencies, closedAt - due);
    this.#unanswered += unanswered.length;
    this.#counts.durationS = (closedAt - this.#openedAt) / 1000;
  }

  #take({ due, noticed, done, response, error }: PacedRequest): void {
    const counts = this.#counts;
    record(this.#latenesses, noticed - due);
    if (response === null || done === null || response.status < 200 || response.status > 299) {
      counts.errors++;
      counts.error ??= error ?? `status ${response?.status}`;
      return;
    }
    record(this.#latencies, done - due);
    counts.responses++;
    try {
      this.#expect(response);
    } catch (error) {
      counts.wrongResponses++;
      counts.wrongResponse ??= messageOf(error);
    }
  }

  get record(): ProbeRecord {
    const { responses, errors } = this.#counts;
    return {
      ...this.#counts,
      due: responses + errors + this.#unanswered,
      allResponses: this.#rehearsals + responses + errors,
      latency: this.#isOwnQueue ? null : describe(this.#latencies),
      sendLatenessP99Us: describe(this.#latenesses)?.p99Us ?? null,
    };
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }
}

/** Returns the record of a window without a probe. */
export function absent(absence: Reason | null): ProbeRecord {
  return {
    intervalMs: 0,
    durationS: 0,
    due: 0,
    responses: 0,
    allResponses: 0,
    errors: 0,
    wrongResponses: 0,
    wrongResponse: null,
    latency: null,
    sendLatenessP99Us: null,
    error: null,
    absence,
  };
}
