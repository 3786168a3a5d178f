/** What a response costs in those of the reference, which every run measures in the same slices. */
import type { BlockResult } from "../model/block.ts";
import type { Noise, RelativeCpu, Result, ResultKey } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { independentRatio } from "../stats/mann_whitney.ts";
import { smallestIndependentP } from "../stats/power.ts";
import { blockRatios, climbingSlices, type SlicesPair, slicesRatio } from "./slice_ratios.ts";
import { relativeCpuDifferences, resultDifferences } from "./comparable.ts";
import { contention } from "./contention.ts";
import type { UndecidedChange } from "./judge_changes.ts";
import { blank, figures, floorOf, incomparable } from "./undecided_changes.ts";
import { workloadOf } from "./workloads.ts";

/**
 * How far costs of the same code may be apart between two runs: the blocks of a run tell how they differ from
 * each other, and not what a whole run had in common. Assumed, and wider than what was found
 * (docs/methodology.md).
 */
const RUN_TO_RUN = 0.02;

/** The results with what their responses cost. */
export function addRelativeCpu(
  results: readonly Result[],
  blocks: readonly BlockResult[],
  reference: string,
): Result[] {
  return results.map((result) => {
    const ratio = result.status === "ok" ? slicesRatio(blocks, pairOf(result, reference)) : null;
    const relativeCpu: RelativeCpu | null = ratio &&
      { rounds: ratio.rounds, ratio: ratio.estimate, confidenceInterval: ratio.confidenceInterval };
    const climbing = result.climbing ??
      (result.status === "ok" ? climbingSlices(blocks, pairOf(result, reference)) : null);
    return { ...result, relativeCpu, climbing };
  });
}

/**
 * The cost of one result in two reports that both know it: it is the same when the machine is faster or busy.
 *
 * @param noise of that result in slices, if it is known
 */
export function relativeCpuChange(
  base: Report,
  head: Report,
  key: ResultKey,
  { noise, force }: { readonly noise: Noise | undefined; readonly force: boolean },
): UndecidedChange {
  const [before, after] = [relativeCpuOf(base, key), relativeCpuOf(head, key)];
  const reasons = force ? [] : [
    ...relativeCpuDifferences(base, head),
    ...resultDifferences(base, head, key),
    ...contention(base, "BASE", key),
    ...contention(head, "HEAD", key),
  ];
  if (reasons.length > 0) return incomparable(key, reasons, false);
  return {
    change: { ...blank(key), metric: "relativeCpu", method: "slices", ...figures(before, after) },
    floor: Math.max(RUN_TO_RUN, floorOf(noise, "serverCpuUs")),
    smallestP: smallestIndependentP(before.length, after.length),
    ratioAt: (level) => independentRatio(after, before, level),
  };
}

/** The cost in each block. */
function relativeCpuOf({ blocks, experiment: { reference } }: Report, key: ResultKey): number[] {
  return reference === null ? [] : blockRatios(blocks, pairOf(key, reference.id));
}

function pairOf({ variant: a, ...workload }: ResultKey, b: string): SlicesPair {
  return { ...workloadOf(workload), a, b, metric: "serverCpuUs" };
}
