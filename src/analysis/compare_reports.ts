/** Compares two reports by relative CPU (CPU time per response over the reference's) or by windows. */
import type { BlockResult } from "../model/block.ts";
import type { Changes, Result, ResultKey } from "../model/derived.ts";
import { generatorCpuUs } from "../model/figures.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import {
  climbingChange,
  commonMetric,
  floorOf,
  incomparable,
  judgeChanges,
  type NoiseFloor,
  undecided,
  type UndecidedChange,
} from "./changes.ts";
import { contention, resultDifferences, runDifferences } from "./comparable.ts";
import { figuresOf } from "./comparisons.ts";
import { byResult, isSameResult, keyOf, resultKeyOf, workloadOf } from "./keys.ts";
import { typical } from "../stats/median.ts";
import { blockRatios, climbingSlices, type SlicesPair, slicesRatio } from "./slice_ratios.ts";

/**
 * Noise floor of relative CPU between two runs of the same code, as a share. All blocks of a run may
 * share an error, which the blocks do not show. The value is assumed. It is larger than every difference
 * that was measured (docs/methodology.md).
 */
const RUN_TO_RUN = 0.02;

/**
 * Compares every server and workload of two reports. If both reports have relative CPU, it compares
 * that, otherwise windows. With `force`, it also compares results that are not comparable.
 */
export function compareReports(
  base: Report,
  head: Report,
  { noise, noiseSource, force }: NoiseFloor & { readonly force: boolean },
): Changes {
  const machineRatio = ratioOfMedians(base, head, ({ referenceUs }) => referenceUs);
  const results = byResult([...base.results, ...head.results], keyOf);
  const family = results.map(([first]): UndecidedChange => {
    const key = keyOf(first);
    const was = base.results.find((result) => isSameResult(result, key));
    const is = head.results.find((result) => isSameResult(result, key));
    const climbing = climbingChange(key, was, is, "BASE", "HEAD");
    if (climbing !== null) return climbing;
    const method = was?.relativeCpu && is?.relativeCpu ? "slices" : "windows";
    const metric = method === "slices" ? "relativeCpu" : commonMetric(key, was, is, "BASE", "HEAD");
    if (typeof metric !== "string") return metric;
    const reasons = [
      ...runDifferences(base, head, method),
      ...resultDifferences(base, head, key, method),
      ...contention(base, "BASE", key),
      ...contention(head, "HEAD", key),
    ];
    if (reasons.length > 0 && !force) return incomparable(key, reasons);
    const noiseHere = noise.find((one) => one.method === method && isSameResult(one, key));
    const of = { ...key, metric, method } as const;
    // Relative CPU hardly changes if the machine runs faster, or is busier up to the limit of contention.
    if (metric === "relativeCpu") {
      const floor = Math.max(RUN_TO_RUN, floorOf(noiseHere, "serverCpuUs"));
      const [before, after] = [relativeCpuOf(base, key), relativeCpuOf(head, key)];
      return undecided(of, before, after, floor, "independent");
    }
    // A faster machine does not speed up a server that mostly waits.
    const isWaiting = was?.bottleneck?.kind === "idle" && is?.bottleneck?.kind === "idle";
    const control = isWaiting ? null : ratioOfMedians(base, head, generatorCpuUs, key);
    const before = [...figuresOf(base.trialResults, key, metric).values()];
    const after = [...figuresOf(head.trialResults, key, metric).values()];
    const floor = Math.max(
      floorOf(noiseHere, metric),
      distance(machineRatio),
      distance(control),
    );
    return undecided(of, before, after, floor, "independent");
  });
  const isUsed = noise.some((one) =>
    family.some(({ change }) => change.method === one.method && isSameResult(one, change))
  );
  return {
    ...judgeChanges(family, "independent"),
    machineRatio,
    noiseSource: isUsed ? noiseSource : null,
  };
}

/** Returns the results with their relative CPU, which is null if unknown. */
export function addRelativeCpu(
  results: readonly Result[],
  blocks: readonly BlockResult[],
  reference: string,
): Result[] {
  return results.map((result) => {
    if (result.status !== "ok") return { ...result, relativeCpu: null };
    const pair = pairOf(result, reference);
    const ratio = slicesRatio(blocks, pair);
    return {
      ...result,
      relativeCpu: ratio && {
        rounds: ratio.rounds,
        ratio: ratio.estimate,
        confidenceInterval: ratio.confidenceInterval,
      },
      climbing: result.climbing ?? climbingSlices(blocks, pair),
    };
  });
}

function relativeCpuOf({ blocks, experiment: { reference } }: Report, key: ResultKey): number[] {
  return reference === null ? [] : blockRatios(blocks, pairOf(key, reference.id));
}

function pairOf({ variant: a, ...workload }: ResultKey, b: string): SlicesPair {
  return { ...workloadOf(workload), a, b, metric: "serverCpuUs" };
}

/**
 * Returns the ratio of two reports' medians, head to base, for a figure that servers do not influence:
 * the time of a fixed piece of work, or the generator's CPU time per response. If the ratio differs from
 * 1, the machine changed, not the server (a negative control:
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
  const [was = null, is = null] = [base, head].map(({ trialResults }) => {
    const own = trialResults.filter(({ trial }) =>
      trial.purpose === "measure" && (key === null || isSameResult(resultKeyOf(trial), key))
    );
    return typical(own, ({ window }) => window && figure(window));
  });
  return was === null || is === null ? null : is / was;
}

function distance(ratio: number | null): number {
  return ratio === null ? 0 : Math.max(ratio, 1 / ratio) - 1;
}
