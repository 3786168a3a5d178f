import type { ArmSlices, Slices } from "../../model/block.ts";
import type { HttpRequest } from "../../model/scenario.ts";
import { median } from "../../stats/median.ts";
import { seededRandom, shuffle } from "../../stats/shuffle.ts";
import type { Answer, Expected } from "./answer.ts";
import { Awake } from "./awake.ts";
import { ClosedLoop } from "./closed_loop.ts";
import { CpuClock, processesOf } from "./cpu_clock.ts";

/** One arm, as it is loaded. */
export interface SliceTarget {
  /** Its id. */
  readonly arm: string;
  readonly origin: string;
  /** Its server's first process; null: not known. */
  readonly pid: number | null;
  readonly request: HttpRequest;
  readonly expected: Expected;
}

/** A block at one scenario, as the process that drives it is asked for it. */
export interface SlicesJob {
  readonly targets: readonly SliceTarget[];
  /** To each of them. */
  readonly connections: number;
  readonly timeoutS: number;
  /** Slices of each target that do not count, in seconds. */
  readonly warmupS: number;
  /** Slices of each target that count, in seconds. */
  readonly durationS: number;
  /** How long one slice is at least, in milliseconds, and how many answers it has at least. */
  readonly sliceMs: number;
  readonly sliceAnswers: number;
  readonly seed: number;
  /** Processors to be kept from falling asleep. */
  readonly awakeCpus: readonly number[];
}

/** Fewer passes have no median worth the name. */
const FEWEST_PASSES = 4;
/** By warm-ups it is known how long slices are. */
const FEWEST_WARMUPS = 2;
/** Beside an arm that takes long for its answers, the others are loaded for longer too, up to this. */
const LONGEST_SHARED_MS = 100;
/** A slice ends after so long, however few answers came. */
const LONGEST_SLICE_MS = 2000;
/** After the last answer a server goes to sleep, which its clock needs (see CpuClock). */
const SETTLE_MS = 0.2;
const EXCERPT = 200;

/**
 * Loads the targets in turn, each for a slice, with what is under way drained at each change. The order of a
 * pass is shuffled, and the pass after it has it in reverse, so that neither drift nor place favours one.
 */
export async function driveSlices(job: SlicesJob): Promise<Slices> {
  using clock = CpuClock.open();
  await using awake = new Awake(job.awakeCpus);
  const arms = job.targets.map((target) => new SlicedArm(target, job, clock));
  try {
    const random = seededRandom(job.seed);
    await pass(arms, random, { durationS: job.warmupS, fewest: FEWEST_WARMUPS });
    const slowestMs = Math.max(...arms.map(({ usualMs }) => usualMs));
    for (const arm of arms) arm.begin(Math.min(LONGEST_SHARED_MS, slowestMs));
    const startedMs = performance.now();
    const { durationS } = job;
    const order = await pass(arms, random, { durationS, fewest: FEWEST_PASSES });
    const tookS = (performance.now() - startedMs) / 1000;
    const { isAwake } = awake;
    return { order, durationS: tookS, isAwake, arms: arms.map((arm) => arm.result()) };
  } finally {
    for (const arm of arms) arm[Symbol.dispose]();
  }
}

/** Passes in pairs until each arm has been loaded for so long; their orders. */
async function pass(
  arms: readonly SlicedArm[],
  random: () => number,
  { durationS, fewest }: { readonly durationS: number; readonly fewest: number },
): Promise<number[][]> {
  const endsMs = performance.now() + 1000 * durationS * arms.length;
  const orders: number[][] = [];
  while (orders.length < fewest || performance.now() < endsMs) {
    const order = shuffle(arms.map((_arm, i) => i), random);
    for (const one of [order, order.toReversed()]) {
      for (const i of one) await arms[i]?.slice();
      orders.push(one);
    }
  }
  return orders;
}

/** One target with its connections, and what its slices say. */
class SlicedArm implements Disposable {
  readonly #job: SlicesJob;
  readonly #loop: ClosedLoop;
  readonly #clock: CpuClock | null;
  readonly #pid: number | null;
  readonly #arm: string;
  #pids: readonly number[] = [];
  #startNs: number | null = null;
  /** Of the slice under way. */
  #ms: number[] = [];
  #endsMs = 0;
  #sliceMs: number;
  /** How long slices took, of which the last answers are a part. */
  #tookMs: number[] = [];
  #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #totals = noTotals();

  constructor(target: SliceTarget, job: SlicesJob, clock: CpuClock | null) {
    this.#job = job;
    this.#clock = clock;
    this.#pid = target.pid;
    this.#sliceMs = job.sliceMs;
    this.#arm = target.arm;
    const { connections, timeoutS } = job;
    this.#loop = new ClosedLoop({ ...target, connections, timeoutS }, {
      answered: (answer, ms) => this.#answered(answer, ms),
      failed: (why, message) => {
        this.#totals[why === "timeout" ? "timeouts" : "transportErrors"]++;
        this.#totals.error ??= message;
      },
      reconnected: () => {},
    });
  }

  /** How long a slice takes, by those so far. */
  get usualMs(): number {
    return median(this.#tookMs);
  }

  /** What was until now does not count; slices last so long at least, if that is longer than asked for. */
  begin(sliceMs: number): void {
    this.#sliceMs = Math.max(this.#job.sliceMs, sliceMs);
    this.#totals = noTotals();
    this.#pids = this.#pid === null ? [] : processesOf(this.#pid);
    this.#startNs = this.#cpuNs();
  }

  /** Loads it for one slice. */
  async slice(): Promise<void> {
    this.#ms = [];
    this.#ended = Promise.withResolvers();
    const beforeNs = this.#cpuNs();
    const startedMs = performance.now();
    this.#endsMs = startedMs + this.#sliceMs;
    const timer = setTimeout(() => this.#halt(), LONGEST_SLICE_MS);
    this.#loop.start();
    await this.#ended.promise;
    clearTimeout(timer);
    this.#tookMs.push(performance.now() - startedMs);
    sleep(SETTLE_MS);
    const afterNs = this.#cpuNs();
    const { answers, busyUs, p50Us, cpuUs } = this.#totals;
    answers.push(this.#ms.length);
    busyUs.push(Math.round(1000 * this.#ms.reduce((sum, ms) => sum + ms, 0)));
    p50Us.push(this.#ms.length === 0 ? 0 : Math.round(10_000 * median(this.#ms)) / 10);
    cpuUs.push(beforeNs === null || afterNs === null ? null : microseconds(afterNs - beforeNs));
  }

  #answered({ status, isChecked, wrong }: Answer, ms: number): void {
    const totals = this.#totals;
    this.#ms.push(ms);
    totals.statuses[status] = (totals.statuses[status] ?? 0) + 1;
    if (isChecked) totals.checkedBodies++;
    if (wrong !== null) {
      totals.wrongAnswers++;
      totals.wrongAnswer ??= wrong.slice(0, EXCERPT);
    }
    if (this.#ms.length >= this.#job.sliceAnswers && performance.now() >= this.#endsMs) {
      this.#halt();
    }
  }

  #halt(): void {
    this.#ended.resolve(this.#loop.halt());
  }

  #cpuNs(): number | null {
    return this.#pids.length === 0 ? null : this.#clock?.read(this.#pids) ?? null;
  }

  /** What its slices say. */
  result(): ArmSlices {
    const { cpuUs, ...totals } = this.#totals;
    const endNs = this.#cpuNs();
    // Where processes came or went meanwhile, their clocks tell only a part
    const isSame = this.#pid !== null && `${processesOf(this.#pid)}` === `${this.#pids}`;
    const isKnown = isSame && cpuUs.every((us) => us !== null);
    return {
      arm: this.#arm,
      ...totals,
      cpuUs: isKnown && cpuUs.length > 0 ? cpuUs as number[] : null,
      totalCpuUs: !isKnown || this.#startNs === null || endNs === null
        ? null
        : microseconds(endNs - this.#startNs),
    };
  }

  [Symbol.dispose](): void {
    this.#loop[Symbol.dispose]();
  }
}

/** What is collected of an arm. */
type Totals =
  & {
    -readonly [Name in keyof Omit<ArmSlices, "arm" | "cpuUs" | "totalCpuUs" | "statuses" | Lists>]:
      ArmSlices[Name];
  }
  & { readonly [Name in Lists]: number[] }
  & { readonly cpuUs: (number | null)[]; readonly statuses: Record<string, number> };
type Lists = "answers" | "busyUs" | "p50Us";

function noTotals(): Totals {
  return {
    answers: [],
    busyUs: [],
    p50Us: [],
    cpuUs: [],
    statuses: {},
    transportErrors: 0,
    timeouts: 0,
    checkedBodies: 0,
    wrongAnswers: 0,
    wrongAnswer: null,
    error: null,
  };
}

function microseconds(nanoseconds: number): number {
  return Math.round(nanoseconds / 100) / 10;
}

/** Blocks for so long; nothing is under way meanwhile. */
function sleep(ms: number): void {
  Atomics.wait(LOCK, 0, 0, ms);
}
const LOCK = new Int32Array(new SharedArrayBuffer(4));
