/** Relative CPU: CPU time per response divided by that of the reference server in the same slices. */
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
 * Noise floor of relative CPU between two runs of the same code, as a share. All blocks of a run may share an
 * error, which the blocks do not show. The value is assumed. It is larger than every difference that was
 * measured (docs/methodology.md).
 */
const RUN_TO_RUN = 0.02;

/** Returns the results with their relative CPU, which is null if unknown. */
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
 * Compares the relative CPU of one result in two reports. Relative CPU hardly changes if the machine runs
 * faster. The same holds if it is busier, up to the limit in contention.ts.
 *
 * @param noise noise of that result in slices, if known
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

/** Returns the relative CPU of a result in each block. */
function relativeCpuOf({ blocks, experiment: { reference } }: Report, key: ResultKey): number[] {
  return reference === null ? [] : blockRatios(blocks, pairOf(key, reference.id));
}

function pairOf({ variant: a, ...workload }: ResultKey, b: string): SlicesPair {
  return { ...workloadOf(workload), a, b, metric: "serverCpuUs" };
}
