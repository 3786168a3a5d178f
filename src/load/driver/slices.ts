import type { Slices } from "../../model/block.ts";
import type { Warmup } from "../../model/raw.ts";
import { seededRandom, shuffle } from "../../stats/shuffle.ts";
import type { Talk } from "./load_client.ts";
import { CpuClock } from "./cpu_clock.ts";
import { LEAST_REQUESTS, MOST_WARMUP_FACTOR } from "../warming.ts";
import { SlicedVariant } from "./sliced_variant.ts";

/** One variant, as it is loaded. */
export interface SliceTarget extends Talk {
  /** Its id. */
  readonly variant: string;
  /** Its server's first process; null: not known. */
  readonly pid: number | null;
}

/** A block at one scenario, as the process that drives it is asked for it. */
export interface DriverJob {
  readonly targets: readonly SliceTarget[];
  /** To each of them. */
  readonly connections: number;
  readonly timeoutS: number;
  /** Slices of each target that do not count, in seconds, at least and at most. */
  readonly warmupS: number;
  readonly mostWarmupS: number;
  /** Slices of each target that count, in seconds. */
  readonly durationS: number;
  /** How long one slice is at least, in milliseconds, and how many responses it has at least. */
  readonly sliceMs: number;
  readonly sliceResponses: number;
  readonly seed: number;
}

/** What the slices of a block showed. */
export type DrivenSlices = Omit<Slices, "isAwake" | "usage">;

/** Fewer passes have no median worth the name. */
const FEWEST_PASSES = 4;
/** By warm-ups it is known how long slices are. */
const FEWEST_WARMUPS = 2;
/** Beside a variant that takes long for its responses, the others are loaded for longer too, up to this. */
const LONGEST_SHARED_MS = 100;

/**
 * Loads the targets in turn, each for a slice, with what is under way drained at each change. The order of a
 * pass is shuffled, and the pass after it has it in reverse, so that neither drift nor place favours one.
 */
export async function driveSlices(job: DriverJob): Promise<DrivenSlices> {
  using clock = CpuClock.open();
  const variants = job.targets.map((target) => new SlicedVariant(target, job, clock));
  try {
    const random = seededRandom(job.seed);
    const warmup = await warmUp(variants, random, job);
    const slowestMs = Math.max(...variants.map(({ usualMs }) => usualMs));
    for (const variant of variants) variant.begin(Math.min(LONGEST_SHARED_MS, slowestMs));
    const startedMs = performance.now();
    const { durationS } = job;
    const order = await passes(variants, random, { durationS, fewest: FEWEST_PASSES });
    const tookS = (performance.now() - startedMs) / 1000;
    const results = await Promise.all(variants.map((variant) => variant.result()));
    return { order, durationS: tookS, warmup, variants: results };
  } finally {
    for (const variant of variants) variant[Symbol.dispose]();
  }
}

/** Passes that do not count, until no variant becomes faster any more, or the longest time is over. */
async function warmUp(
  variants: readonly SlicedVariant[],
  random: () => number,
  { warmupS, mostWarmupS }: DriverJob,
): Promise<Warmup> {
  const startedMs = performance.now();
  const each = (): number => (performance.now() - startedMs) / 1000 / variants.length;
  const hasEnough = ({ responses }: SlicedVariant): boolean =>
    responses >= LEAST_REQUESTS || each() >= MOST_WARMUP_FACTOR * warmupS;
  // A variant that was level once is done: of many variants, chance makes one fall at any time
  const climbing = new Set(variants);
  const look = (): void => {
    for (const variant of climbing) {
      if (hasEnough(variant) && variant.isSteady) climbing.delete(variant);
    }
  };
  await passes(variants, random, { durationS: warmupS, fewest: FEWEST_WARMUPS });
  for (look(); climbing.size > 0 && each() < mostWarmupS; look()) {
    await passes(variants, random, { durationS: 0, fewest: 1 });
  }
  return {
    tookS: Math.round(1000 * each()) / 1000,
    requests: variants.reduce((sum, { responses }) => sum + responses, 0),
    isSteady: mostWarmupS > warmupS ? climbing.size === 0 : null,
  };
}

/** Passes in pairs until each variant has been loaded for so long; their orders. */
async function passes(
  variants: readonly SlicedVariant[],
  random: () => number,
  { durationS, fewest }: { readonly durationS: number; readonly fewest: number },
): Promise<number[][]> {
  const endsMs = performance.now() + 1000 * durationS * variants.length;
  const orders: number[][] = [];
  while (orders.length < fewest || performance.now() < endsMs) {
    const order = shuffle(variants.map((_variant, i) => i), random);
    for (const one of [order, order.toReversed()]) {
      for (const i of one) await variants[i]?.slice();
      orders.push(one);
    }
  }
  return orders;
}
