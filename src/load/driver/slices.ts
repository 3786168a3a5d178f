import type { Slices } from "../../model/block.ts";
import type { Warmup } from "../../model/raw.ts";
import { seededRandom, shuffle } from "../../stats/shuffle.ts";
import type { Talk } from "./load_client.ts";
import { CpuClock } from "./cpu_clock.ts";
import { LEAST_REQUESTS, MOST_WARMUP_FACTOR } from "../warming.ts";
import { SlicedVariant } from "./sliced_variant.ts";

/** One variant to load. */
export interface SliceTarget extends Talk {
  /** The id of the variant. */
  readonly variant: string;
  /** Id of the server's process; null: unknown. */
  readonly pid: number | null;
}

/** One block at one scenario, as a job for the driver's process. */
export interface DriverJob {
  readonly targets: readonly SliceTarget[];
  /** Number of connections to each target. */
  readonly connections: number;
  readonly timeoutS: number;
  /** Minimum warm-up of each target, in seconds. */
  readonly warmupS: number;
  /** Maximum warm-up of each target, in seconds. */
  readonly mostWarmupS: number;
  /** Measured time of each target, in seconds. */
  readonly durationS: number;
  /** Minimum length of a slice, in milliseconds. */
  readonly sliceMs: number;
  /** Minimum number of responses in a slice. */
  readonly sliceResponses: number;
  readonly seed: number;
}

/** The slices of one block. */
export type DrivenSlices = Omit<Slices, "isAwake" | "usage">;

/** Minimum number of passes: a median of fewer values is too noisy. */
const FEWEST_PASSES = 4;
/** Minimum number of warm-up passes: they determine the length of the slices. */
const FEWEST_WARMUPS = 2;
/**
 * Longest slice of a fast variant, in milliseconds. If one variant is slow, the others get longer
 * slices too, up to this limit.
 */
const LONGEST_SHARED_MS = 100;

/**
 * Loads the targets in turn, one slice each. It waits for all pending responses before it loads the
 * next target.
 *
 * The order of a pass is random, and the next pass has the reverse order. Neither drift nor
 * position then favours a variant.
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

/**
 * Runs passes that do not count, until no variant becomes faster any more or the longest time is over.
 */
async function warmUp(
  variants: readonly SlicedVariant[],
  random: () => number,
  { warmupS, mostWarmupS }: DriverJob,
): Promise<Warmup> {
  const startedMs = performance.now();
  const secondsEach = (): number => (performance.now() - startedMs) / 1000 / variants.length;
  const hasEnough = ({ responses }: SlicedVariant): boolean =>
    responses >= LEAST_REQUESTS || secondsEach() >= MOST_WARMUP_FACTOR * warmupS;
  // A variant that was level once is done: with many variants, one of them seems to climb at any time
  // by chance
  const climbing = new Set(variants);
  const removeSteady = (): void => {
    for (const variant of climbing) {
      if (hasEnough(variant) && variant.isSteady) climbing.delete(variant);
    }
  };
  await passes(variants, random, { durationS: warmupS, fewest: FEWEST_WARMUPS });
  for (removeSteady(); climbing.size > 0 && secondsEach() < mostWarmupS; removeSteady()) {
    await passes(variants, random, { durationS: 0, fewest: 1 });
  }
  return {
    tookS: Math.round(1000 * secondsEach()) / 1000,
    requests: variants.reduce((sum, { responses }) => sum + responses, 0),
    isSteady: mostWarmupS > warmupS ? climbing.size === 0 : null,
  };
}

/**
 * Runs passes in pairs until each variant has been loaded for `durationS`.
 *
 * @returns the order of each pass.
 */
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
