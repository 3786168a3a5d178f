/**
 * Selects the slices of calm blocks: the processors of server and load generator were near, and the reference
 * needed its usual CPU time. Otherwise servers need more or less CPU time too, but not by the same share. That
 * changes the ratio of a server to the reference (docs/evidence/2026-11-28-distant-processors.md and
 * docs/evidence/2026-11-29-calm-blocks.md).
 */
import { type BlockResult, DISTANT, REFERENCE, type Slices } from "../model/block.ts";
import { lowerMedian, typical } from "../stats/median.ts";
import { meanDifference } from "../stats/student.ts";
import { byWorkload, isSameWorkload, type Workload, workloadOf } from "./keys.ts";
import { blockRatios, slicesFigure, type SlicesPair, slicesRatio } from "./slice_ratios.ts";

/** The blocks of a run, and the distance of its processors. */
export interface CalmSlices {
  /**
   * The calm blocks with only their near passes, or all near blocks of a workload with too few calm ones. A short
   * block keeps a minority of distant passes. All blocks of a workload in `mixed` are here, and those without the
   * reference.
   */
  readonly blocks: readonly BlockResult[];
  /** Median round trip of a cache line in near passes, in nanoseconds; null if unknown. */
  readonly nearNs: number | null;
  /** The same in distant passes; null without one. */
  readonly distantNs: number | null;
  /** Number of distant passes, and of all passes with a known distance. */
  readonly distant: number;
  readonly passes: number;
  /** Number of near blocks at workloads with a distance, and of those with an unusual CPU time of the reference. */
  readonly near: number;
  readonly unusual: number;
  /** Workloads with distant blocks and too few near ones. */
  readonly mixed: readonly Workload[];
}

/** Share of round trips that must be near, so that a wrong measurement does not make all others distant. */
const LEAST_NEAR = 0.1;
/**
 * Largest usual deviation of the reference's CPU time per response in a block from the median of the blocks, as
 * a logarithm. If it was larger, Rel. CPU deviated by 18 % in the median; if it was 4 to 8 %, by 3 %.
 */
const USUAL = Math.log(1.08);
/** Minimum number of near passes. A block with fewer keeps all passes if most are near: its median resists the others. */
const FEWEST_PASSES = 4;
/** Minimum number of calm blocks of a workload: two would give an interval of nine standard deviations. */
const FEWEST_BLOCKS = 3;
/** Coverage of the interval by Student's t, as of those by ranks. */
const LEVEL = 0.95;

/** Selections by their list of blocks: views ask for the same one again and again. */
const selections = new WeakMap<readonly BlockResult[], CalmSlices>();

/**
 * Returns the blocks that count, with only their near passes. Those without the reference, such as those of
 * `versus`, all count: the host probably slows two revisions of a server down alike.
 */
export function calmSlices(blocks: readonly BlockResult[]): CalmSlices {
  const selection = selections.get(blocks) ?? select(blocks);
  selections.set(blocks, selection);
  return selection;
}

/**
 * Returns the ratio of a to b in calm blocks; null without one. If all blocks are enough for Wilcoxon's
 * interval, but the calm ones are too few, the interval is Student's. It assumes that the logarithms of the
 * ratios have a normal distribution. It needs three calm ratios.
 */
export function calmRatio(
  blocks: readonly BlockResult[],
  pair: SlicesPair,
): ReturnType<typeof slicesRatio> {
  const { blocks: calm } = calmSlices(blocks);
  const ratio = slicesRatio(calm, pair);
  if (ratio === null || ratio.confidenceInterval !== null) return ratio;
  if (ratio.rounds < FEWEST_BLOCKS) return ratio;
  if (!slicesRatio(blocks, pair)?.confidenceInterval) return ratio;
  const student = meanDifference(blockRatios(calm, pair).map(Math.log), 1 - LEVEL);
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
  const own = calmSlices(blocks).blocks.filter(({ block }) => isSameWorkload(block, workload));
  return typical(own.flatMap(({ slices }) => roundTrips(slices)), (ns) => ns);
}

/** Returns whether two distances in nanoseconds are near and distant. An unknown one (null) is neither. */
export function isOtherDistance(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && Math.max(a, b) >= DISTANT * Math.min(a, b);
}

function select(blocks: readonly BlockResult[]): CalmSlices {
  const all = blocks.map((result) => ({ result, passes: roundTrips(result.slices) }));
  const known = all.flatMap(({ passes }) => passes).filter((ns) => ns !== null);
  const least = known.toSorted((a, b) => a - b)[Math.floor(LEAST_NEAR * known.length)] ?? Infinity;
  const isNear = (ns: number | null): boolean => ns !== null && ns < DISTANT * least;
  const isDistant = (ns: number | null): boolean => ns !== null && !isNear(ns);
  const measured = all.filter(({ result: { block, slices } }) =>
    slices !== null && block.purpose === "measure" && block.variants.includes(REFERENCE)
  );
  /** The counted part of each block at a workload with enough of them; null for none. */
  const changed = new Map<BlockResult, BlockResult | null>();
  const mixed: Workload[] = [];
  const counts = { near: 0, unusual: 0 };
  for (const own of byWorkload(measured.map((one) => ({ ...one.result.block, ...one })))) {
    // Without a distance, the reference may have two usual CPU times
    if (own.every(({ passes }) => passes.every((ns) => ns === null))) continue;
    const hasDistant = own.some(({ passes }) => passes.some(isDistant));
    const near = own.map(({ result, passes }) =>
      nearPart(result, passes.map((ns) => !hasDistant || isNear(ns)))
    );
    const calm = usualParts(near);
    counts.near += numberOf(near);
    counts.unusual += numberOf(near) - numberOf(calm);
    const fewest = Math.min(FEWEST_BLOCKS, own.length);
    const parts = [calm, near].find((some) => numberOf(some) >= fewest);
    if (parts === undefined) mixed.push(workloadOf(own[0]));
    else for (const [i, { result }] of own.entries()) changed.set(result, parts[i] ?? null);
  }
  return {
    blocks: blocks.flatMap((result) => changed.has(result) ? changed.get(result) ?? [] : result),
    nearNs: typical(known.filter(isNear), (ns) => ns),
    distantNs: typical(known.filter(isDistant), (ns) => ns),
    distant: known.filter(isDistant).length,
    passes: known.length,
    ...counts,
    mixed,
  };
}

/** The counted part of each block of a workload; null if a block does not count. */
type Parts = readonly (BlockResult | null)[];

const numberOf = (parts: Parts): number => parts.filter((part) => part !== null).length;

/** Returns the parts in which the reference needed its usual CPU time. An unknown one is usual. */
function usualParts(parts: Parts): Parts {
  const costs = parts.map((part) =>
    part && slicesFigure([part], { ...workloadOf(part.block), variant: REFERENCE }, "serverCpuUs")
  );
  const usual = typical(costs, (cost) => cost);
  return parts.map((part, i) => {
    const cost = costs[i] ?? null;
    const isUsual = cost === null || usual === null || Math.abs(Math.log(cost / usual)) <= USUAL;
    return isUsual ? part : null;
  });
}

/** Returns the near part of a block, given for each pass whether it is near; null if it does not count. */
function nearPart(result: BlockResult, isNear: readonly boolean[]): BlockResult | null {
  const count = isNear.filter(Boolean).length;
  if (count > 0 && count === isNear.length) return result;
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
