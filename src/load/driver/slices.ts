import type { Slices } from "../../model/block.ts";
import { seededRandom, shuffle } from "../../stats/shuffle.ts";
import type { Talk } from "./client.ts";
import { CpuClock } from "./cpu_clock.ts";
import { SlicedArm } from "./sliced_arm.ts";

/** One arm, as it is loaded. */
export interface SliceTarget extends Talk {
  /** Its id. */
  readonly arm: string;
  /** Its server's first process; null: not known. */
  readonly pid: number | null;
}

/** A block at one scenario, as the process that drives it is asked for it. */
export interface DriverJob {
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
}

/** What the slices of a block showed. */
export type DrivenSlices = Omit<Slices, "isAwake">;

/** Fewer passes have no median worth the name. */
const FEWEST_PASSES = 4;
/** By warm-ups it is known how long slices are. */
const FEWEST_WARMUPS = 2;
/** Beside an arm that takes long for its answers, the others are loaded for longer too, up to this. */
const LONGEST_SHARED_MS = 100;

/**
 * Loads the targets in turn, each for a slice, with what is under way drained at each change. The order of a
 * pass is shuffled, and the pass after it has it in reverse, so that neither drift nor place favours one.
 */
export async function driveSlices(job: DriverJob): Promise<DrivenSlices> {
  using clock = CpuClock.open();
  const arms = job.targets.map((target) => new SlicedArm(target, job, clock));
  try {
    const random = seededRandom(job.seed);
    await passes(arms, random, { durationS: job.warmupS, fewest: FEWEST_WARMUPS });
    const slowestMs = Math.max(...arms.map(({ usualMs }) => usualMs));
    for (const arm of arms) arm.begin(Math.min(LONGEST_SHARED_MS, slowestMs));
    const startedMs = performance.now();
    const { durationS } = job;
    const order = await passes(arms, random, { durationS, fewest: FEWEST_PASSES });
    const tookS = (performance.now() - startedMs) / 1000;
    const results = await Promise.all(arms.map((arm) => arm.result()));
    return { order, durationS: tookS, arms: results };
  } finally {
    for (const arm of arms) arm[Symbol.dispose]();
  }
}

/** Passes in pairs until each arm has been loaded for so long; their orders. */
async function passes(
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
