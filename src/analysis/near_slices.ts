/**
 * Selects the slices in which the processors of server and load generator were near. If the host moves them
 * apart, a response needs more CPU time, but not the same share more at each server. That changes the ratio of
 * a server to the reference (docs/evidence/2026-11-28-distant-processors.md).
 */
import { type BlockResult, DISTANT, REFERENCE, type Slices } from "../model/block.ts";
import { lowerMedian, typical } from "../stats/median.ts";
import { meanDifference } from "../stats/student.ts";
import { byWorkload, isSameWorkload, type Workload, workloadOf } from "./keys.ts";
import { blockRatios, type SlicesPair, slicesRatio } from "./slice_ratios.ts";

/** The blocks of a run, and the distance of its processors. */
export interface NearSlices {
  /**
   * The blocks without distant passes. A short block keeps a minority of them; a workload in `mixed` and
   * blocks without the reference keep all.
   */
  readonly blocks: readonly BlockResult[];
  /** Median round trip of a cache line in near passes, in nanoseconds; null if unknown. */
  readonly nearNs: number | null;
  /** The same in distant passes; null without one. */
  readonly distantNs: number | null;
  /** Number of distant passes, and of all passes with a known distance. */
  readonly distant: number;
  readonly passes: number;
  /** Workloads with distant blocks and too few near ones. */
  readonly mixed: readonly Workload[];
}

/** Share of round trips that must be near, so that a wrong measurement does not make all others distant. */
const LEAST_NEAR = 0.1;
/** Minimum number of near passes. A block with fewer keeps all passes if most are near: its median resists the others. */
const FEWEST_PASSES = 4;
/** Minimum number of near blocks of a workload: two would give an interval of nine standard deviations. */
const FEWEST_BLOCKS = 3;
/** Coverage of the interval by Student's t, as of those by ranks. */
const LEVEL = 0.95;

/** Selections by their list of blocks: views ask for the same one again and again. */
const selections = new WeakMap<readonly BlockResult[], NearSlices>();

/**
 * Returns the blocks with only those passes in which the processors were near. Blocks without the reference,
 * such as those of `versus`, keep all passes: two revisions of a server use the network alike.
 */
export function nearSlices(blocks: readonly BlockResult[]): NearSlices {
  const selection = selections.get(blocks) ?? select(blocks);
  selections.set(blocks, selection);
  return selection;
}

/**
 * Returns the ratio of a to b with near processors; null without a block. If all blocks are enough for
 * Wilcoxon's interval, but the near ones are too few, the interval is Student's. It assumes that the
 * logarithms of the near ratios have a normal distribution.
 */
export function nearRatio(
  blocks: readonly BlockResult[],
  pair: SlicesPair,
): ReturnType<typeof slicesRatio> {
  const { blocks: near } = nearSlices(blocks);
  const ratio = slicesRatio(near, pair);
  if (ratio === null || ratio.confidenceInterval !== null) return ratio;
  if (!slicesRatio(blocks, pair)?.confidenceInterval) return ratio;
  const student = meanDifference(blockRatios(near, pair).map(Math.log), 1 - LEVEL);
  if (student === null) return ratio;
  const { mean, low, high, pValue } = student;
  return {
    rounds: ratio.rounds,
    estimate: Math.exp(mean),
    confidenceInterval: { low: Math.exp(low), high: Math.exp(high), coverage: LEVEL },
    pValue,
  };
}

/** Returns the median round trip in the slices that count for a workload, in nanoseconds; null if unknown. */
export function distanceAt(blocks: readonly BlockResult[], workload: Workload): number | null {
  const own = nearSlices(blocks).blocks.filter(({ block }) => isSameWorkload(block, workload));
  return typical(own.flatMap(({ slices }) => roundTrips(slices)), (ns) => ns);
}

/** Returns whether two distances in nanoseconds are near and distant. An unknown one (null) is neither. */
export function isOtherDistance(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && Math.max(a, b) >= DISTANT * Math.min(a, b);
}

function select(blocks: readonly BlockResult[]): NearSlices {
  const all = blocks.map((result) => ({ result, passes: roundTrips(result.slices) }));
  const known = all.flatMap(({ passes }) => passes).filter((ns) => ns !== null);
  const least = known.toSorted((a, b) => a - b)[Math.floor(LEAST_NEAR * known.length)] ?? Infinity;
  const isNear = (ns: number | null): boolean => ns !== null && ns < DISTANT * least;
  const isDistant = (ns: number | null): boolean => ns !== null && !isNear(ns);
  const measured = all.filter(({ result: { block, slices } }) =>
    slices !== null && block.purpose === "measure" && block.variants.includes(REFERENCE)
  );
  /** The counted part of each block at a workload with enough near blocks; null for none. */
  const changed = new Map<BlockResult, BlockResult | null>();
  const mixed: Workload[] = [];
  for (const own of byWorkload(measured.map((one) => ({ ...one.result.block, ...one })))) {
    if (!own.some(({ passes }) => passes.some(isDistant))) continue;
    const left = new Map(
      own.map(({ result, passes }) => [result, nearPart(result, passes.map(isNear))]),
    );
    const kept = [...left.values()].filter((one) => one !== null).length;
    if (kept < Math.min(FEWEST_BLOCKS, own.length)) mixed.push(workloadOf(own[0]));
    else for (const [result, part] of left) changed.set(result, part);
  }
  return {
    blocks: blocks.flatMap((result) => changed.has(result) ? changed.get(result) ?? [] : result),
    nearNs: typical(known.filter(isNear), (ns) => ns),
    distantNs: typical(known.filter(isDistant), (ns) => ns),
    distant: known.filter(isDistant).length,
    passes: known.length,
    mixed,
  };
}

/** Returns the near part of a block, given for each pass whether it is near; null if it does not count. */
function nearPart(result: BlockResult, isNear: readonly boolean[]): BlockResult | null {
  const count = isNear.filter(Boolean).length;
  if (count < FEWEST_PASSES || result.slices === null) {
    return 2 * count > isNear.length ? result : null;
  }
  return { ...result, slices: withPasses(result.slices, isNear) };
}

/**
 * Returns the longest round trip before the slices of each pass, in nanoseconds; null if none is known. Single
 * long ones do not change CPU times, so each is replaced by the median of itself, the one before, and the one
 * after (https://en.wikipedia.org/wiki/Median_filter).
 */
function roundTrips(slices: Slices | null): (number | null)[] {
  const { order = [], variants = [] } = slices ?? {};
  const known = order.flatMap((indexes, pass) =>
    indexes.flatMap((i) => {
      const ns = variants[i]?.roundTripNs?.[pass] ?? null;
      return ns === null ? [] : { pass, ns };
    })
  );
  const filtered = known.map(({ pass }, i) => {
    const around = known.slice(Math.max(0, i - 1), i + 2).map(({ ns }) => ns);
    return { pass, ns: lowerMedian(around) };
  });
  const byPass = Map.groupBy(filtered, ({ pass }) => pass);
  return order.map((_indexes, pass) => {
    const own = byPass.get(pass)?.map(({ ns }) => ns) ?? [];
    return own.length === 0 ? null : Math.max(...own);
  });
}

function withPasses(slices: Slices, kept: readonly boolean[]): Slices {
  const of = <T>(values: readonly T[]): T[] => values.filter((_value, pass) => kept[pass]);
  return {
    ...slices,
    order: of(slices.order),
    variants: slices.variants.map((own) => ({
      ...own,
      responses: of(own.responses),
      busyUs: of(own.busyUs),
      p50Us: of(own.p50Us),
      cpuUs: own.cpuUs && of(own.cpuUs),
      roundTripNs: own.roundTripNs && of(own.roundTripNs),
    })),
  };
}
