/** Ratios of two variants by slices: within each block, and over the rounds. */
import type { Block, BlockResult, VariantSlices } from "../model/block.ts";
import type { Reason, ResultKey } from "../model/derived.ts";
import { type Metric, slicesOf } from "../model/figures.ts";
import { median } from "../stats/median.ts";
import { logRatio, pairedRatio, type Ratio } from "../stats/rank_tests.ts";
import { driftOf } from "../stats/plateau.ts";

import { MAX_FAILED_SHARE } from "./invalidity.ts";
import { isSameWorkload, type Workload } from "./keys.ts";

/** A block of one workload, with the slices of those variants that have valid slices. */
interface SoundBlock {
  readonly block: Block;
  readonly variants: ReadonlyMap<string, VariantSlices>;
}

/** Two variants to compare at a workload, and the metric to compare. */
export interface SlicesPair extends Workload {
  readonly a: string;
  readonly b: string;
  readonly metric: Metric;
}

/**
 * Returns the ratio of a to b in each block that has both. A block's ratio is the median over its passes. The
 * slices of a pass are neighbours in time, so a short disturbance does not change the median.
 */
export function blockRatios(
  blocks: readonly BlockResult[],
  { a, b, metric, ...workload }: SlicesPair,
  purpose: Block["purpose"] = "measure",
): number[] {
  return passRatios(blocks, { a, b, metric, ...workload }, purpose).map(median);
}

/** Returns, for each block that has both variants, the ratios of its passes. */
function passRatios(
  blocks: readonly BlockResult[],
  { a, b, metric, ...workload }: SlicesPair,
  purpose: Block["purpose"] = "measure",
): number[][] {
  return soundBlocks(blocks, workload, purpose).flatMap(({ block: { connections }, variants }) => {
    const [ofA, ofB] = [variants.get(a), variants.get(b)];
    if (ofA === undefined || ofB === undefined) return [];
    const figure = slicesOf(metric).ofSlice;
    const ratios = ofA.responses.flatMap((_responses, i) => {
      const [valueA, valueB] = [figure(ofA, i, connections), figure(ofB, i, connections)];
      const isKnown = valueA > 0 && valueA < Infinity && valueB > 0 && valueB < Infinity;
      return isKnown ? [Math.exp(logRatio(valueA, valueB))] : [];
    });
    return ratios.length === 0 ? [] : [ratios];
  });
}

/**
 * Returns why a variant cannot be compared with another; null if it can. It cannot if their ratio drifts in
 * most blocks, because the median then depends on the start time.
 *
 * @param least minimum drift of the ratio that counts, as a logarithm
 */
export function climbingSlices(
  blocks: readonly BlockResult[],
  pair: SlicesPair,
  least = 0,
): Reason | null {
  const all = passRatios(blocks, pair);
  const climbing = all.filter((ratios) => {
    const drift = Math.abs(driftOf(ratios));
    return drift > 0 && drift >= least;
  }).length;
  if (2 * climbing <= all.length) return null;
  return { kind: "still-climbing", where: null, what: "slices", climbing, of: all.length };
}

/**
 * Returns the ratio over the rounds; null without a block. The repetitions are the blocks, not their slices.
 *
 * @param level probability that the confidence interval covers the true ratio, 0 to 1
 */
export function slicesRatio(
  blocks: readonly BlockResult[],
  pair: SlicesPair,
  level = 0.95,
  purpose: Block["purpose"] = "measure",
): (Ratio & { readonly rounds: number }) | null {
  const ratios = blockRatios(blocks, pair, purpose);
  const ratio = pairedRatio(ratios, ratios.map(() => 1), level);
  return ratio && { ...ratio, rounds: ratios.length };
}

/** Returns a variant's figure in slices, as the median over its blocks; null if unknown. */
export function slicesFigure(
  blocks: readonly BlockResult[],
  { variant, ...workload }: ResultKey,
  metric: Metric,
): number | null {
  const figure = slicesOf(metric).ofSlice;
  const figures = soundBlocks(blocks, workload).flatMap(({ variants }) => {
    const own = variants.get(variant);
    const known = own?.responses.map((_responses, i) => figure(own, i, workload.connections))
      .filter((value) => value > 0 && value < Infinity) ?? [];
    return known.length === 0 ? [] : [median(known)];
  });
  return figures.length === 0 ? null : median(figures);
}

/** Returns whether a workload was measured in slices. */
export function isSliced(blocks: readonly BlockResult[], workload: Workload): boolean {
  return blocks.some(({ block }) => isSameWorkload(block, workload));
}

/**
 * Returns why the slices of a variant are invalid; null if they are valid. Reasons are a wrong response, no
 * response, too many failed requests, or no slices.
 */
export function slicesProblem(
  blocks: readonly BlockResult[],
  { variant, ...workload }: ResultKey,
): { readonly status: "invalid" | "failed"; readonly reason: Reason | null } | null {
  const own = blocks.filter(({ block }) => isSameWorkload(block, workload));
  const failures = own.flatMap(({ failures }) => failures.filter((one) => one.variant === variant));
  const slices = own.flatMap(({ slices }) =>
    slices?.variants.filter((one) => one.variant === variant) ?? []
  );
  const wrong = failures.find(({ kind }) => kind === "verification");
  if (wrong !== undefined) {
    return { status: "invalid", reason: { kind: "message", text: wrong.message } };
  }
  const reason = slices.map(whyUnsound).find((reason) => reason !== null);
  if (reason) return { status: "invalid", reason };
  if (slices.length > 0) return null;
  const [failure] = failures;
  return { status: "failed", reason: failure ? { kind: "message", text: failure.message } : null };
}

/** Returns whether every variant of a block has valid slices. */
export function isWhole({ slices, failures }: BlockResult): boolean {
  return failures.length === 0 &&
    (slices?.variants ?? []).every((variant) => whyUnsound(variant) === null);
}

function soundBlocks(
  blocks: readonly BlockResult[],
  workload: Workload,
  purpose: Block["purpose"] = "measure",
): SoundBlock[] {
  return blocks.flatMap(({ block, slices }) => {
    if (slices === null || block.purpose !== purpose || !isSameWorkload(block, workload)) return [];
    const sound = slices.variants.filter((variant) => whyUnsound(variant) === null);
    return [{ block, variants: new Map(sound.map((variant) => [variant.variant, variant])) }];
  });
}

/**
 * Returns why the slices of a block are invalid; null if they are valid. Reasons are a wrong response, no
 * response, or too many failed requests.
 */
function whyUnsound(
  { responses, statuses, transportErrors, timeouts, wrongResponses, wrongResponse }: VariantSlices,
): Reason | null {
  if (wrongResponses > 0) {
    return { kind: "wrong-responses", count: wrongResponses, example: wrongResponse };
  }
  const others = Object.entries(statuses).filter(([status]) => !status.startsWith("2"));
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  // A slice waits for all its responses, or until they time out.
  if (all === 0 || responses.includes(0)) return { kind: "no-response" };
  const failed = others.reduce((sum, [, count]) => sum + count, transportErrors + timeouts);
  const share = failed / (all + transportErrors + timeouts);
  if (share <= MAX_FAILED_SHARE) return null;
  return {
    kind: "requests-failed",
    share,
    statuses: Object.fromEntries(others),
    transportErrors,
    timeouts,
    probeErrors: 0,
    probeError: null,
  };
}
