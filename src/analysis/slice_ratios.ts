/** Ratios of two variants by slices: within each block, and over the rounds. */
import type { Block, BlockResult, VariantSlices } from "../model/block.ts";
import type { Reason, ResultKey } from "../model/derived.ts";
import { type Metric, responsesOf, slicesOf } from "../model/figures.ts";
import { median, typical } from "../stats/median.ts";
import { driftOf } from "../stats/plateau.ts";
import { logRatio, pairedRatio, type Ratio } from "../stats/rank_tests.ts";
import { tooManyFailed } from "./invalidity.ts";
import { isSameWorkload, type Workload } from "./keys.ts";

/** Two variants to compare at a workload, and the metric to compare. */
export interface SlicesPair extends Workload {
  readonly a: string;
  readonly b: string;
  readonly metric: Metric;
}

/** Returns the ratio of a to b; null without a block. Blocks are the repetitions, not slices. */
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

/** Returns the ratio of a to b in each block: the median over passes resists short disturbances. */
export function blockRatios(
  blocks: readonly BlockResult[],
  pair: SlicesPair,
  purpose: Block["purpose"] = "measure",
): number[] {
  return passRatios(blocks, pair, purpose).map(median);
}

/**
 * Returns why a variant cannot be compared with another: in most blocks, their ratio drifts by `least` (a
 * logarithm) or more, so the median depends on the start time. Null if it can.
 */
export function climbingSlices(
  blocks: readonly BlockResult[],
  pair: SlicesPair,
  least = 0,
): Reason | null {
  const drifts = passRatios(blocks, pair, "measure").map((ratios) => Math.abs(driftOf(ratios)));
  const climbing = drifts.filter((drift) => drift > 0 && drift >= least).length;
  if (2 * climbing <= drifts.length) return null;
  return { kind: "still-climbing", where: null, what: "slices", climbing, of: drifts.length };
}

function passRatios(
  blocks: readonly BlockResult[],
  pair: SlicesPair,
  purpose: Block["purpose"],
): number[][] {
  return soundBlocks(blocks, pair, purpose).map((variants) => {
    const figuresOf = (id: string) => passFigures(variants, id, pair, pair.metric);
    const ofB = figuresOf(pair.b);
    return figuresOf(pair.a).flatMap((a, i) => {
      const b = ofB[i] ?? null;
      return a === null || b === null ? [] : [Math.exp(logRatio(a, b))];
    });
  }).filter(({ length }) => length > 0);
}

/** Returns a variant's figure in slices, as the median over its blocks; null if unknown. */
export function slicesFigure(
  blocks: readonly BlockResult[],
  key: ResultKey,
  metric: Metric,
): number | null {
  const figures = soundBlocks(blocks, key, "measure").flatMap((variants) => {
    return typical(passFigures(variants, key.variant, key, metric), (figure) => figure) ?? [];
  });
  return typical(figures, (figure) => figure);
}

/** Returns a variant's figure in each pass; null unless it is positive and finite. */
function passFigures(
  variants: readonly VariantSlices[],
  id: string,
  { connections }: Workload,
  metric: Metric,
): (number | null)[] {
  const own = variants.find(({ variant }) => variant === id);
  return own?.responses.map((_responses, pass) => {
    const value = slicesOf(metric).ofSlice(own, pass, connections);
    return value > 0 && value < Infinity ? value : null;
  }) ?? [];
}

function soundBlocks(
  blocks: readonly BlockResult[],
  workload: Workload,
  purpose: Block["purpose"],
): VariantSlices[][] {
  return blocks.filter(({ block }) => block.purpose === purpose && isSameWorkload(block, workload))
    .map(({ slices }) => slices?.variants.filter((one) => whyUnsound(one) === null) ?? []);
}

/** Returns whether a workload was measured in slices. */
export function isSliced(blocks: readonly BlockResult[], workload: Workload): boolean {
  return blocks.some(({ block }) => isSameWorkload(block, workload));
}

/** Returns why a variant's slices are invalid or missing; null if they are valid. */
export function slicesProblem(
  blocks: readonly BlockResult[],
  { variant, ...workload }: ResultKey,
): { readonly status: "invalid" | "failed"; readonly reason: Reason | null } | null {
  const own = blocks.filter(({ block }) => isSameWorkload(block, workload));
  const isIts = (one: { readonly variant: string }): boolean => one.variant === variant;
  const failures = own.flatMap(({ failures }) => failures.filter(isIts));
  const slices = own.flatMap(({ slices }) => slices?.variants.filter(isIts) ?? []);
  const wrong = failures.find(({ kind }) => kind === "verification");
  if (wrong !== undefined) {
    return { status: "invalid", reason: { kind: "message", text: wrong.message } };
  }
  const unsound = slices.map(whyUnsound).find((reason) => reason !== null);
  if (unsound) return { status: "invalid", reason: unsound };
  if (slices.length > 0) return null;
  const [failure] = failures;
  return { status: "failed", reason: failure ? { kind: "message", text: failure.message } : null };
}

/** Returns whether every variant of a block has valid slices. */
export function isWhole({ slices, failures }: BlockResult): boolean {
  return failures.length === 0 &&
    (slices?.variants ?? []).every((variant) => whyUnsound(variant) === null);
}

function whyUnsound(slices: VariantSlices): Reason | null {
  const { responses, wrongResponses, wrongResponse } = slices;
  if (wrongResponses > 0) {
    return { kind: "wrong-responses", count: wrongResponses, example: wrongResponse };
  }
  // A slice waits for all its responses, or until they time out.
  if (responsesOf(slices) === 0 || responses.includes(0)) return { kind: "no-response" };
  return tooManyFailed(slices);
}
