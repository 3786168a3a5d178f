/** The process that measures slices: one block at one scenario per job. */
import type { Slices, VariantSlices } from "../../model/block.ts";
import type { Warmup } from "../../model/raw.ts";
import { busiestThread, type Mover, openMover } from "../../process/separation.ts";
import { endedChildrenUs } from "../../process/tree.ts";
import { median, sum } from "../../stats/median.ts";
import { isFalling } from "../../stats/plateau.ts";
import { seededRandom, shuffle } from "../../stats/shuffle.ts";
import { OPENED, serveJobs, SURPLUS, type Talk } from "../generator.ts";
import { isLongEnough, warmupRecord } from "../warming.ts";
import { ClosedLoop } from "./closed_loop.ts";
import { type CpuClock, openCpuClock, processesOf } from "./cpu_clock.ts";
import { type DistanceMeter, openDistanceMeter } from "./distance.ts";
import type { ParsedResponse } from "./response_reader.ts";

/** One variant to load. */
export interface SliceTarget extends Talk {
  readonly variant: string;
  /** Id of the server's process; null: unknown. */
  readonly pid: number | null;
  /** Seconds of slices before the warm-up of all targets; 0 for most. */
  readonly earlyS: number;
}

/** One block at one scenario, as a job for the driver's process. */
export interface SlicesJob {
  readonly targets: readonly SliceTarget[];
  /** Whether to bring the processors together before the warm-up. */
  readonly approaches: boolean;
  /** Number of connections to each target. */
  readonly connections: number;
  readonly timeoutS: number;
  /** Minimum and maximum warm-up of each target, in seconds. */
  readonly warmupS: number;
  readonly mostWarmupS: number;
  /** Measured time of each target, in seconds. */
  readonly durationS: number;
  /** Minimum length of a slice in milliseconds, and minimum number of its responses. */
  readonly sliceMs: number;
  readonly sliceResponses: number;
  readonly seed: number;
}

/** The slices of one block. */
export type DrivenSlices = Omit<Slices, "isAwake" | "usage">;

/**
 * Minimum number of passes. With four, Rel. rate of slow scenarios varied twice as much from block to block
 * (docs/evidence/2026-11-28-passes.md).
 */
const FEWEST_PASSES = 8;
/** Minimum number of warm-up passes: they determine the length of the slices. */
const FEWEST_WARMUPS = 2;
/** Longest slice of a fast variant, in milliseconds. It is longer if another variant is slow. */
const LONGEST_SHARED_MS = 100;
/** Longest slice, in milliseconds, for servers that answer slowly or not at all. */
const LONGEST_SLICE_MS = 2000;
/** Pause before a {@linkcode openCpuClock clock} is read, in milliseconds: the server must be asleep. */
const SETTLE_MS = 0.2;
/** A lock that no thread releases. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));
/** Maximum number of characters that the report shows of a wrong response. */
const EXCERPT = 200;

/**
 * Loads the targets in turn, one slice each, and waits for all pending responses in between. The
 * order of a pass is random, and the next pass has the reverse order. Neither drift nor position
 * then favours a variant.
 */
async function driveSlices(
  job: SlicesJob,
  meter: DistanceMeter | null,
  say: (line: string) => void,
): Promise<DrivenSlices> {
  if (job.approaches) meter?.approach();
  say(OPENED);
  using clock = openCpuClock();
  using mover = openMover();
  using stack = new DisposableStack();
  const variants = job.targets.map((target) =>
    stack.use(new SlicedVariant(target, job, { clock, mover, meter }))
  );
  const random = seededRandom(job.seed);
  const warmup = await warmUp(variants, random, job);
  const slowestMs = Math.max(...variants.map(({ usualMs }) => usualMs));
  for (const variant of variants) variant.begin(Math.min(LONGEST_SHARED_MS, slowestMs));
  const startedMs = performance.now();
  const order = await passes(variants, random, job.durationS, FEWEST_PASSES);
  const durationS = (performance.now() - startedMs) / 1000;
  const results = await Promise.all(variants.map((variant) => variant.result()));
  return { order, durationS, warmup, variants: results };
}

/**
 * Runs passes that do not count, until no variant becomes faster or the longest time is over. Variants that
 * need longer are loaded without the others: otherwise each second would take a second for every variant.
 */
async function warmUp(
  variants: readonly SlicedVariant[],
  random: () => number,
  { warmupS, mostWarmupS }: SlicesJob,
): Promise<Warmup> {
  for (const variant of variants) await passes([variant], random, variant.earlyS, 0);
  // A variant that was level once is done: of many, one seems to climb at any time by chance
  let climbing = variants;
  let seconds = 0;
  /** Loads the climbing variants, and keeps those that still climb. */
  const load = async (durationS: number, fewest: number): Promise<void> => {
    const startedMs = performance.now();
    await passes(climbing, random, durationS, fewest);
    seconds += (performance.now() - startedMs) / 1000 / climbing.length;
    climbing = climbing.filter(({ isSilent, isSteady, earlyS, responses: requests }) => {
      const loaded = { seconds: earlyS + seconds, requests };
      return !isSilent && !(isSteady && isLongEnough(loaded, earlyS + warmupS));
    });
  };
  await load(warmupS, FEWEST_WARMUPS);
  while (climbing.length > 0 && seconds < mostWarmupS) await load(0, 1);
  const requests = sum(variants.map(({ responses }) => responses));
  const isSteady = mostWarmupS > warmupS ? climbing.every((variant) => variant.isSteady) : null;
  return warmupRecord({ seconds, requests }, isSteady);
}

/** Runs passes in pairs until each variant was loaded for `durationS`, or all are silent; returns their orders. */
async function passes(
  variants: readonly SlicedVariant[],
  random: () => number,
  durationS: number,
  fewest: number,
): Promise<number[][]> {
  const endsMs = performance.now() + 1000 * durationS * variants.length;
  const orders: number[][] = [];
  const isOver = (): boolean =>
    performance.now() >= endsMs || variants.every(({ isSilent }) => isSilent);
  while (orders.length < fewest || !isOver()) {
    const order = shuffle(variants.map((_variant, i) => i), random);
    for (const one of [order, order.toReversed()]) {
      for (const i of one) await variants[i]?.slice();
      orders.push(one);
    }
  }
  return orders;
}

/** A slice that is skipped, because the server does not answer. */
const NO_RESPONSE = {
  responses: 0,
  busyUs: 0,
  p50Us: 0,
  cpuUs: null as number | null,
  roundTripNs: null as number | null,
};

/** Instruments for processors and threads, which all variants share. */
interface Instruments {
  readonly clock: CpuClock | null;
  readonly mover: Mover | null;
  readonly meter: DistanceMeter | null;
}

class SlicedVariant implements Disposable {
  readonly #target: SliceTarget;
  readonly #job: SlicesJob;
  readonly #loop: ClosedLoop;
  readonly #instruments: Instruments;
  #pids: readonly number[] = [];
  #thread: number | null = null; // the server's busiest one
  #startNs: number | null = null;
  #endedUs = 0; // CPU time of the server's ended children
  #sliceMs: number;
  #isSilent = false;
  #ms: number[] = []; // latencies in the current slice
  #busyMs = 0; // time of all connections in the current slice
  #endsMs = 0;
  #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #slices: (typeof NO_RESPONSE)[] = [];
  #tookMs: number[] = []; // length of each slice, including its last responses
  #counts: Counts = new Counts();

  constructor(target: SliceTarget, job: SlicesJob, instruments: Instruments) {
    this.#target = target;
    this.#job = job;
    this.#instruments = instruments;
    this.#sliceMs = job.sliceMs;
    const { connections, timeoutS } = job;
    this.#loop = new ClosedLoop({ ...target, connections, timeoutS }, {
      answered: (response, ms, busyMs) => this.#answered(response, ms, busyMs),
      failed: (why, message) => {
        this.#counts[why === "timeout" ? "timeouts" : "transportErrors"]++;
        this.#counts.error ??= message;
      },
      reconnected: () => {},
    });
  }

  /** Whether the server did not answer in a whole slice. Its later slices are skipped. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Seconds of slices before the warm-up of all variants. */
  get earlyS(): number {
    return this.#target.earlyS;
  }

  /** Number of responses in all slices so far. */
  get responses(): number {
    return sum(this.#slices.map(({ responses }) => responses));
  }

  /** Whether the time per response has stopped falling. */
  get isSteady(): boolean {
    const answered = this.#slices.filter(({ responses }) => responses > 0);
    return !isFalling(answered.map(({ busyUs, responses }) => busyUs / responses));
  }

  /** The median length of the slices so far, in milliseconds. */
  get usualMs(): number {
    return median(this.#tookMs);
  }

  /** Ends the warm-up: only later slices count. They take at least `sliceMs` milliseconds. */
  begin(sliceMs: number): void {
    this.#sliceMs = Math.max(this.#job.sliceMs, sliceMs);
    this.#slices = [];
    if (!this.#isSilent) this.#counts = new Counts();
    const { pid } = this.#target;
    this.#pids = pid === null ? [] : processesOf(pid);
    this.#thread = pid === null ? null : busiestThread(pid);
    this.#endedUs = endedChildrenUs(this.#pids);
    this.#leave(); // compiles the code of the measurement
    this.#startNs = this.#cpuNs();
  }

  async slice(): Promise<void> {
    if (this.#isSilent) return void this.#slices.push(NO_RESPONSE);
    this.#ms = [];
    this.#busyMs = 0;
    this.#ended = Promise.withResolvers();
    await this.#loop.reopen();
    const roundTripNs = this.#leave();
    const beforeNs = this.#cpuNs();
    const startedMs = performance.now();
    this.#endsMs = startedMs + this.#sliceMs;
    const timer = setTimeout(() => this.#halt(), LONGEST_SLICE_MS);
    this.#loop.start();
    await this.#ended.promise;
    clearTimeout(timer);
    this.#isSilent = this.#ms.length === 0;
    this.#tookMs.push(performance.now() - startedMs);
    Atomics.wait(NEVER, 0, 0, SETTLE_MS); // blocks this thread; nothing is in flight
    const afterNs = this.#cpuNs();
    this.#slices.push({
      responses: this.#ms.length,
      busyUs: Math.round(1000 * this.#busyMs),
      p50Us: this.#ms.length === 0 ? 0 : tenths(1000 * median(this.#ms)),
      cpuUs: beforeNs === null || afterNs === null ? null : tenths((afterNs - beforeNs) / 1000),
      roundTripNs,
    });
  }

  #answered({ status, isChecked, wrong }: ParsedResponse, ms: number, busyMs: number): void {
    const { statuses } = this.#counts;
    this.#ms.push(ms);
    this.#busyMs += busyMs;
    statuses[status] = (statuses[status] ?? 0) + 1;
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

  /** Leaves the processor of the server's busiest thread. Returns its distance in nanoseconds; null if unknown. */
  #leave(): number | null {
    if (this.#thread === null) return null;
    const { mover, meter } = this.#instruments;
    mover?.separate(Deno.pid, this.#thread);
    const ns = meter?.measure(this.#thread) ?? null;
    return ns === null ? null : Math.round(ns);
  }

  #cpuNs(): number | null {
    return this.#pids.length === 0 ? null : this.#instruments.clock?.read(this.#pids) ?? null;
  }

  /** Checks the connections for surplus bytes and returns the results of the slices. */
  async result(): Promise<VariantSlices> {
    const { variant, pid } = this.#target;
    const slices = this.#slices;
    const [startNs, endNs] = [this.#startNs, this.#cpuNs()];
    const cpuUs = slices.map(({ cpuUs }) => cpuUs).filter((us) => us !== null);
    // If processes started or ended in the meantime, even between two slices, the clocks are incomplete
    const isKnown = pid !== null && `${processesOf(pid)}` === `${this.#pids}` &&
      endedChildrenUs(this.#pids) === this.#endedUs &&
      cpuUs.length === slices.length && startNs !== null && endNs !== null;
    for (let left = await this.#loop.surplus(); left > 0; left--) this.#checked(SURPLUS);
    return {
      variant,
      responses: slices.map(({ responses }) => responses),
      busyUs: slices.map(({ busyUs }) => busyUs),
      p50Us: slices.map(({ p50Us }) => p50Us),
      cpuUs: isKnown ? cpuUs : null,
      roundTripNs: slices.some(({ roundTripNs }) => roundTripNs !== null)
        ? slices.map(({ roundTripNs }) => roundTripNs)
        : null,
      totalCpuUs: isKnown ? tenths((endNs - startNs) / 1000) : null,
      ...this.#counts,
    };
  }

  [Symbol.dispose](): void {
    this.#loop[Symbol.dispose]();
  }
}

class Counts {
  readonly statuses: Record<string, number> = {};
  transportErrors = 0;
  timeouts = 0;
  checkedBodies = 0;
  wrongResponses = 0;
  wrongResponse: string | null = null;
  error: string | null = null;
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}

if (import.meta.main) {
  using meter = openDistanceMeter();
  await serveJobs((job: SlicesJob, say) => driveSlices(job, meter, say));
}
