/** Relative CPU: CPU time per response divided by that of the reference server in the same slices. */

import type { BlockResult } from "../model/block.ts";
import type { Changes, Noise, RelativeCpu, Result, ResultKey } from "../model/derived.ts";
import { generatorCpuUs } from "../model/figures.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { smallestIndependentP } from "../stats/power.ts";
import { independentRatio } from "../stats/rank_tests.ts";
import {
  blank,
  climbingReason,
  commonMetric,
  figures,
  floorOf,
  hasBroken,
  incomparable,
  judgeChanges,
  type NoiseFloor,
  type UndecidedChange,
  union,
} from "./changes.ts";
import {
  contention,
  relativeCpuDifferences,
  resultDifferences,
  runDifferences,
  windowDifferences,
} from "./comparable.ts";
import { figuresOf } from "./comparisons.ts";
import { isSameResult, resultKeyOf, workloadOf } from "./keys.ts";
import { typical } from "./rounds.ts";
import { blockRatios, climbingSlices, type SlicesPair, slicesRatio } from "./slice_ratios.ts";

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
function relativeCpuChange(
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

/**
 * Compares every server and workload of two reports. If both reports have relative CPU, it compares that,
 * otherwise windows. With `force`, it also compares results that are not comparable.
 */
export function compareReports(
  base: Report,
  head: Report,
  { noise, noiseSource, force }: NoiseFloor & { readonly force: boolean },
): Changes {
  const machineRatio = ratioOfMedians(base, head, ({ referenceUs }) => referenceUs);
  const everywhere = runDifferences(base, head);
  const keys = union(base.results, head.results, isSameResult);
  const family = keys.map((key): UndecidedChange => {
    const was = base.results.find((result) => isSameResult(result, key));
    const is = head.results.find((result) => isSameResult(result, key));
    const noiseAt = (method: Noise["method"]): Noise | undefined =>
      noise.find((one) => one.method === method && isSameResult(one, key));
    const climbing = (was && climbingReason(was, "BASE")) ?? (is && climbingReason(is, "HEAD"));
    if (climbing) return incomparable(key, [climbing], hasBroken(was, is));
    if (was?.relativeCpu && is?.relativeCpu) {
      return relativeCpuChange(base, head, key, { noise: noiseAt("slices"), force });
    }
    const common = commonMetric(was, is, "BASE", "HEAD");
    if ("reason" in common) return incomparable(key, [common.reason], hasBroken(was, is));
    const reasons = force ? [] : [
      ...everywhere,
      ...windowDifferences(base, head, key),
      ...contention(base, "BASE", key),
      ...contention(head, "HEAD", key),
    ];
    if (reasons.length > 0) return incomparable(key, reasons, hasBroken(was, is));
    const { metric } = common;
    // A faster machine does not speed up a server that mostly waits.
    const isWaiting = was?.bottleneck?.kind === "idle" && is?.bottleneck?.kind === "idle";
    const control = isWaiting ? null : ratioOfMedians(base, head, generatorCpuUs, key);
    const before = [...figuresOf(base.trialResults, key, metric).values()];
    const after = [...figuresOf(head.trialResults, key, metric).values()];
    const own = noiseAt("windows");
    return {
      change: { ...blank(key), metric, ...figures(before, after) },
      floor: Math.max(floorOf(own, metric), distance(machineRatio), distance(control)),
      smallestP: smallestIndependentP(before.length, after.length),
      ratioAt: (level) => independentRatio(after, before, level),
    };
  });
  const isUsed = noise.some((one) =>
    family.some(({ change }) => change.method === one.method && isSameResult(one, change))
  );
  return {
    ...judgeChanges(family, (rounds) => smallestIndependentP(rounds, rounds)),
    machineRatio,
    noiseSource: isUsed ? noiseSource : null,
  };
}

/**
 * Returns the ratio of two reports' medians, head to base, for a figure that servers do not influence. Such a
 * figure is the time of a fixed piece of work, or the generator's CPU time per response. If the ratio differs
 * from 1, the machine changed, not the server (a negative control:
 * https://doi.org/10.1097/EDE.0b013e3181d61eeb). Null if a median is unknown.
 *
 * @param key the result to compare; null compares all windows
 */
function ratioOfMedians(
  base: Report,
  head: Report,
  figure: (window: WindowRecord) => number | null,
  key: ResultKey | null = null,
): number | null {
  const medianIn = ({ trialResults }: Report): number | null =>
    typical(
      trialResults.filter(({ trial }) =>
        trial.purpose === "measure" && (key === null || isSameResult(resultKeyOf(trial), key))
      ),
      ({ window }) => window && figure(window),
    );
  const was = medianIn(base);
  const is = medianIn(head);
  return was === null || is === null ? null : is / was;
}

/** Returns how far a ratio is from 1, in either direction; 0 if unknown. */
function distance(ratio: number | null): number {
  return ratio === null ? 0 : Math.max(ratio, 1 / ratio) - 1;
}
