/** The window of a job: when it opens and closes, and what is counted in it. */
import type { Histogram } from "hdr-histogram-js";
import type { Measurement } from "../model/raw.ts";
import { sharedNow } from "../process/shared_clock.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { isClimbing, type Sample } from "../stats/plateau.ts";
import { CLOSED, type LoadJob, OPENED } from "./generator.ts";
import { mayEnd, warmupRecord } from "./warming.ts";

/** Interval between two entries in the list of rates, in milliseconds. */
const SLICE_MS = 250;
/** Interval between two samples, in ms: short enough for quarters of the shortest warm-up. */
const WARMUP_STEP_MS = 50;
/** A window that ends after a number of responses may take this many times its planned length. */
const OVERDUE_AFTER = 3;
/** Maximum number of characters that the report shows of a wrong response. */
const EXCERPT = 200;

/**
 * Opens and closes the window of a job. Earlier and later events do not count.
 *
 * A window with a length opens after the warm-up, which continues in a closed loop while the rate
 * climbs. A window with a number of responses contains whole waves: it opens with the first
 * response after the warm-up and closes with the last of that number.
 */
export class WindowRun {
  readonly #job: Pick<LoadJob, "load" | "mix" | "opensAtMs">;
  readonly #say: (line: string) => void;
  readonly #end: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Resolves when the window has closed. */
  readonly closed: Promise<void> = this.#end.promise;

  readonly #startedMs: number = performance.now();
  readonly #isExtensible: boolean;
  readonly #leastS: number;
  readonly #samples: Sample[] = [];
  readonly #sampler: ReturnType<typeof setInterval>;
  #timer: ReturnType<typeof setTimeout>;
  #slicer: ReturnType<typeof setInterval> | undefined;
  #opensWithResponse = false;
  #openedMs: number | null = null;
  #durationMs: number | null = null;

  readonly #latencies: Histogram = newHistogram();
  /** The scenarios of a mix; empty without a mix. */
  readonly #kinds: readonly { readonly scenario: string; readonly latencies: Histogram }[];
  #responses = 0;
  #announcedCloses = 0;
  readonly #counts = {
    statuses: {} as Record<string, number>,
    /** Since the load began, including those before the window. */
    allResponses: 0,
    transportErrors: 0,
    timeouts: 0,
    checkedBodies: 0,
    wrongResponses: 0,
    wrongResponse: null as string | null,
    bytes: 0,
    connectionsOpened: 0,
    slicesPerS: [] as number[],
  };

  /** @param say receives a line when the window opens and when it closes */
  constructor(job: Pick<LoadJob, "load" | "mix" | "opensAtMs">, say: (line: string) => void) {
    this.#job = job;
    this.#say = say;
    this.#kinds = job.mix.map(({ scenario }) => ({ scenario, latencies: newHistogram() }));
    const { responses, open, warmupS, mostWarmupS } = job.load;
    this.#isExtensible = responses === null && open === null && mostWarmupS > warmupS;
    // An extensible warm-up has its shortest length; a fixed one ends in all shards together
    this.#leastS = this.#isExtensible ? warmupS : Math.max(0, job.opensAtMs - sharedNow()) / 1000;
    this.#sampler = setInterval(() => this.#sample(), WARMUP_STEP_MS);
    this.#timer = setTimeout(() => this.#endWarmup(), 1000 * this.#leastS);
  }

  #sample(): void {
    const seconds = (performance.now() - this.#startedMs) / 1000;
    this.#samples.push({ seconds, requests: this.#counts.allResponses });
  }

  /** Opens the window, or continues the warm-up while the rate still climbs. */
  #endWarmup(): void {
    this.#sample();
    const { responses, timeoutS, mostWarmupS } = this.#job.load;
    if (this.#isExtensible && !mayEnd(this.#samples, this.#leastS, mostWarmupS)) {
      this.#timer = setTimeout(() => this.#endWarmup(), WARMUP_STEP_MS);
      return;
    }
    clearInterval(this.#sampler);
    if (responses === null) return this.open();
    this.#opensWithResponse = true;
    this.#timer = setTimeout(() => {
      this.open(); // no response opened it: the window stays empty
      this.close();
    }, timeoutS * 1000);
  }

  open(): void {
    clearTimeout(this.#timer); // the timer for a missing first response
    this.#openedMs = performance.now();
    let [fromMs, from] = [this.#openedMs, 0];
    this.#slicer = setInterval(() => {
      const nowMs = performance.now(); // a busy loop calls late
      this.#counts.slicesPerS.push(Math.round(1000 * (this.#responses - from) / (nowMs - fromMs)));
      [fromMs, from] = [nowMs, this.#responses];
    }, SLICE_MS);
    this.#say(OPENED);
    const { durationS, responses } = this.#job.load;
    const limitS = durationS * (responses === null ? 1 : OVERDUE_AFTER);
    this.#timer = setTimeout(() => this.close(), limitS * 1000);
  }

  close(): void {
    this.#opensWithResponse = false; // a late response opens nothing
    clearTimeout(this.#timer);
    clearInterval(this.#sampler);
    clearInterval(this.#slicer);
    if (this.#openedMs !== null) this.#durationMs ??= performance.now() - this.#openedMs;
    this.#say(CLOSED);
    this.#end.resolve();
  }

  get #isOpen(): boolean {
    return this.#openedMs !== null && this.#durationMs === null;
  }

  /** Records a response; returns whether it counts. One that opens the window does not. */
  answered(status: number, bytes: number, ms: number, kind = 0): boolean {
    const counts = this.#counts;
    counts.allResponses++;
    if (!this.#isOpen) {
      if (this.#opensWithResponse) {
        this.#opensWithResponse = false;
        this.open();
      }
      return false;
    }
    this.#responses++;
    counts.bytes += bytes;
    counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
    record(this.#latencies, ms);
    const kindRecord = this.#kinds[kind];
    if (kindRecord !== undefined) record(kindRecord.latencies, ms);
    const { responses } = this.#job.load;
    if (responses !== null && this.#responses >= responses) this.close();
    return true;
  }

  /** Counts a checked body. `wrong` is its text if it was wrong, otherwise null. */
  checked(wrong: string | null): void {
    const counts = this.#counts;
    counts.checkedBodies++;
    if (wrong === null) return;
    counts.wrongResponses++;
    counts.wrongResponse ??= wrong.slice(0, EXCERPT);
  }

  failed(why: "timeout" | "transport"): void {
    if (this.#isOpen) this.#counts[why === "timeout" ? "timeouts" : "transportErrors"]++;
  }

  /** Counts a reopened connection. If the server announced the close, no request is lost. */
  reconnected(wasAnnounced: boolean): void {
    if (!this.#isOpen) return;
    this.#counts.connectionsOpened++;
    if (wasAnnounced) this.#announcedCloses++;
  }

  result(): Measurement {
    const { transportErrors, timeouts, connectionsOpened } = this.#counts;
    const lost = connectionsOpened - this.#announcedCloses - timeouts;
    const warmedUp = this.#samples.at(-1) ?? { seconds: 0, requests: 0 };
    return {
      durationS: (this.#durationMs ?? 0) / 1000,
      ...this.#counts,
      transportErrors: Math.max(transportErrors, lost), // the server may also close without an error
      latency: describe(this.#latencies),
      kinds: this.#kinds.map(({ scenario, latencies }) => ({
        scenario,
        responses: latencies.totalCount,
        latency: describe(latencies),
      })),
      open: null,
      warmup: warmupRecord(warmedUp, this.#isExtensible ? !isClimbing(this.#samples) : null),
    };
  }
}
