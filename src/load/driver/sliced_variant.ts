import type { VariantSlices } from "../../model/block.ts";
import { median } from "../../stats/median.ts";
import { isFalling } from "../../stats/plateau.ts";
import type { ParsedResponse } from "./response_reader.ts";
import { ClosedLoop } from "./closed_loop.ts";
import { type CpuClock, processesOf } from "./cpu_clock.ts";
import { SURPLUS } from "../surplus.ts";
import type { DriverJob, SliceTarget } from "./slices.ts";

/** A slice ends after so long, however few responses came. */
const LONGEST_SLICE_MS = 2000;
/** After the last response a server goes to sleep, which its clock needs (see CpuClock). */
const SETTLE_MS = 0.2;
const EXCERPT = 200;

/** What one slice was. */
interface Slice {
  readonly responses: number;
  readonly busyUs: number;
  readonly p50Us: number;
  readonly cpuUs: number | null;
}

const NO_RESPONSE: Slice = { responses: 0, busyUs: 0, p50Us: 0, cpuUs: null };

/** One target with its connections, and what its slices say. */
export class SlicedVariant implements Disposable {
  readonly #target: SliceTarget;
  readonly #job: DriverJob;
  readonly #loop: ClosedLoop;
  readonly #clock: CpuClock | null;
  #pids: readonly number[] = [];
  #startNs: number | null = null;
  #sliceMs: number;
  /** A server that has not answered for a whole slice is not waited for again. */
  #isSilent = false;
  /** Of the slice under way. */
  #ms: number[] = [];
  #endsMs = 0;
  #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #slices: Slice[] = [];
  /** How long slices took, of which the last responses are a part. */
  #tookMs: number[] = [];
  #counts = noCounts();

  constructor(target: SliceTarget, job: DriverJob, clock: CpuClock | null) {
    this.#target = target;
    this.#job = job;
    this.#clock = clock;
    this.#sliceMs = job.sliceMs;
    const { connections, timeoutS } = job;
    this.#loop = new ClosedLoop({ ...target, connections, timeoutS }, {
      answered: (response, ms) => this.#answered(response, ms),
      failed: (why, message) => {
        this.#counts[why === "timeout" ? "timeouts" : "transportErrors"]++;
        this.#counts.error ??= message;
      },
      reconnected: () => {},
    });
  }

  /** Responses of all slices so far. */
  get responses(): number {
    return this.#slices.reduce((sum, { responses }) => sum + responses, 0);
  }

  /** Whether its responses no longer come sooner than before. */
  get isSteady(): boolean {
    const answered = this.#slices.filter(({ responses }) => responses > 0);
    return !isFalling(answered.map(({ busyUs, responses }) => busyUs / responses));
  }

  /** How long a slice takes, by those so far. */
  get usualMs(): number {
    return median(this.#tookMs);
  }

  /**
   * What was until now does not count; slices last so long at least, if that is longer than asked for.
   */
  begin(sliceMs: number): void {
    this.#sliceMs = Math.max(this.#job.sliceMs, sliceMs);
    this.#slices = [];
    if (!this.#isSilent) this.#counts = noCounts();
    const { pid } = this.#target;
    this.#pids = pid === null ? [] : processesOf(pid);
    this.#startNs = this.#cpuNs();
  }

  /** Loads it for one slice. */
  async slice(): Promise<void> {
    if (this.#isSilent) return void this.#slices.push(NO_RESPONSE);
    this.#ms = [];
    this.#ended = Promise.withResolvers();
    const beforeNs = this.#cpuNs();
    const startedMs = performance.now();
    this.#endsMs = startedMs + this.#sliceMs;
    const timer = setTimeout(() => this.#halt(), LONGEST_SLICE_MS);
    this.#loop.start();
    await this.#ended.promise;
    clearTimeout(timer);
    this.#isSilent = this.#ms.length === 0;
    this.#tookMs.push(performance.now() - startedMs);
    sleep(SETTLE_MS);
    const afterNs = this.#cpuNs();
    this.#slices.push({
      responses: this.#ms.length,
      busyUs: Math.round(1000 * this.#ms.reduce((sum, ms) => sum + ms, 0)),
      p50Us: this.#ms.length === 0 ? 0 : tenths(1000 * median(this.#ms)),
      cpuUs: beforeNs === null || afterNs === null ? null : tenths((afterNs - beforeNs) / 1000),
    });
  }

  #answered({ status, isChecked, wrong }: ParsedResponse, ms: number): void {
    const counts = this.#counts;
    this.#ms.push(ms);
    counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
    if (isChecked) this.#checked(wrong);
    if (this.#ms.length >= this.#job.sliceResponses && performance.now() >= this.#endsMs) {
      this.#halt();
    }
  }

  #checked(wrong: string | null): void {
    this.#counts.checkedBodies++;
    if (wrong === null) return;
    this.#counts.wrongResponses++;
    this.#counts.wrongResponse ??= wrong.slice(0, EXCERPT);
  }

  #halt(): void {
    this.#ended.resolve(this.#loop.halt());
  }

  #cpuNs(): number | null {
    return this.#pids.length === 0 ? null : this.#clock?.read(this.#pids) ?? null;
  }

  /** Checks the connections for surplus bytes, and returns the figures of the slices. */
  async result(): Promise<VariantSlices> {
    const { variant, pid } = this.#target;
    const slices = this.#slices;
    const endNs = this.#cpuNs();
    const cpuUs = slices.map(({ cpuUs }) => cpuUs).filter((us) => us !== null);
    // Where processes came or went meanwhile, their clocks tell only a part
    const startNs = this.#startNs;
    const isKnown = pid !== null && `${processesOf(pid)}` === `${this.#pids}` &&
      cpuUs.length === slices.length && startNs !== null && endNs !== null;
    for (let left = await this.#loop.surplus(); left > 0; left--) this.#checked(SURPLUS);
    return {
      variant,
      responses: slices.map(({ responses }) => responses),
      busyUs: slices.map(({ busyUs }) => busyUs),
      p50Us: slices.map(({ p50Us }) => p50Us),
      cpuUs: isKnown ? cpuUs : null,
      totalCpuUs: isKnown ? tenths((endNs - startNs) / 1000) : null,
      ...this.#counts,
    };
  }

  [Symbol.dispose](): void {
    this.#loop[Symbol.dispose]();
  }
}

/** What is counted over all slices of a variant. */
interface Counts {
  readonly statuses: Record<string, number>;
  transportErrors: number;
  timeouts: number;
  checkedBodies: number;
  wrongResponses: number;
  wrongResponse: string | null;
  error: string | null;
}

function noCounts(): Counts {
  return {
    statuses: {},
    transportErrors: 0,
    timeouts: 0,
    checkedBodies: 0,
    wrongResponses: 0,
    wrongResponse: null,
    error: null,
  };
}

/** Rounded to a tenth. */
function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}

/** Blocks for so long; nothing is under way meanwhile. */
function sleep(ms: number): void {
  Atomics.wait(LOCK, 0, 0, ms);
}
const LOCK = new Int32Array(new SharedArrayBuffer(4));
