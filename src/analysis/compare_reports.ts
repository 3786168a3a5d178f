import type { Changes, Noise, ResultKey } from "../model/derived.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { independentRatio } from "../stats/mann_whitney.ts";
import { smallestIndependentP } from "../stats/power.ts";
import { relativeCpuChange } from "./relative_cpu.ts";
import { runDifferences, windowDifferences } from "./comparable.ts";
import { contention } from "./contention.ts";
import { figuresOf } from "./comparisons.ts";
import { typical } from "./estimate_rounds.ts";
import { generatorCpuUs } from "../model/figures.ts";
import { judgeChanges, type UndecidedChange } from "./judge_changes.ts";
import {
  blank,
  climbingReason,
  commonMetric,
  figures,
  floorOf,
  hasBroken,
  incomparable,
  type NoiseFloor,
  union,
} from "./undecided_changes.ts";
import { isSameResult, resultKeyOf } from "./result_key.ts";

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
