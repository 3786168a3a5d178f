/** Derives the changes between two reports, and the figures of results relative to the reference. */
import type { BlockResult } from "../model/block.ts";
import type { Changes, Noise, Reason, Result, ResultKey } from "../model/derived.ts";
import { generatorCpuUs, type Metric, type RankingMetric } from "../model/figures.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { typical } from "../stats/median.ts";
import { calmRatio, calmSlices } from "./calm_slices.ts";
import {
  incomparable,
  judgeChanges,
  type NoiseFloor,
  undecided,
  type UndecidedChange,
} from "./changes.ts";
import { contention, resultDifferences, runDifferences } from "./comparable.ts";
import { figuresOf, metricOf } from "./comparisons.ts";
import { byResult, isSameResult, keyOf, resultKeyOf, workloadOf } from "./keys.ts";
import { blockRatios, climbingSlices, type SlicesPair } from "./slice_ratios.ts";

/** Assumed noise floor of Rel. CPU between runs, a share above all measured ones (docs/methodology.md). */
const RUN_TO_RUN = 0.02;

/** Compares two reports by relative CPU if both have it, else by windows; with `force`, despite reasons. */
export function compareReports(
  base: Report,
  head: Report,
  { noise, noiseSource, force }: NoiseFloor & { readonly force: boolean },
): Changes {
  const machineRatio = ratioOfMedians(base, head, ({ referenceUs }) => referenceUs);
  const results = byResult([...base.results, ...head.results], keyOf);
  const noiseAt = (key: ResultKey, method: Noise["method"]): Noise | undefined =>
    noise.find((one) => one.method === method && isSameResult(one, key));
  const family = results.map(([first]): UndecidedChange => {
    const key = keyOf(first);
    const was = base.results.find((result) => isSameResult(result, key));
    const is = head.results.find((result) => isSameResult(result, key));
    const sides = [{ where: "BASE", result: was }, { where: "HEAD", result: is }] as const;
    const unsettled = changeBecause(key, sides, climbingOn);
    if (unsettled !== null) return unsettled;
    const method = was?.relativeCpu && is?.relativeCpu ? "slices" : "windows";
    const metric = method === "slices" ? "relativeCpu" : commonMetric(key, sides);
    if (typeof metric !== "string") return metric;
    const reasons = [
      ...runDifferences(base, head, method),
      ...resultDifferences(base, head, key, method),
      ...contention(base, "BASE", key),
      ...contention(head, "HEAD", key),
    ];
    if (reasons.length > 0 && !force) return incomparable(key, reasons);
    const noiseHere = noiseAt(key, method);
    // Relative CPU hardly changes if the machine runs faster, or is busier up to the limit of contention.
    if (metric === "relativeCpu") {
      const floor = Math.max(RUN_TO_RUN, floorOf(noiseHere, "serverCpuUs"));
      const [before, after] = [relativeCpuOf(base, key), relativeCpuOf(head, key)];
      return undecided({ ...key, metric, method, floor }, before, after);
    }
    // A faster machine does not speed up a server that mostly waits.
    const isWaiting = was?.bottleneck?.kind === "idle" && is?.bottleneck?.kind === "idle";
    const control = isWaiting ? null : ratioOfMedians(base, head, generatorCpuUs, key);
    const before = [...figuresOf(base.trialResults, key, metric).values()];
    const after = [...figuresOf(head.trialResults, key, metric).values()];
    const distances = [machineRatio, control].map((ratio) =>
      ratio === null ? 0 : Math.max(ratio, 1 / ratio) - 1
    );
    const floor = Math.max(floorOf(noiseHere, metric), ...distances);
    return undecided({ ...key, metric, method, floor }, before, after);
  });
  const { changes, neededRounds } = judgeChanges(family, "independent");
  const losses = changes.filter(({ method, pValue }) => method === "slices" && pValue !== null)
    .flatMap((change) => [base, head].map((report) => roundsPerCalm(report, change)));
  const isUsed = family.some(({ change }) => noiseAt(change, change.method) !== undefined);
  return {
    changes,
    neededRounds: neededRounds && Math.ceil(neededRounds * Math.max(1, ...losses)),
    costs: [],
    machineRatio,
    noiseSource: isUsed ? noiseSource : null,
    counts: null,
    functions: [],
  };
}

/** One side of a comparison: its result, and its name in reasons. */
export interface Side {
  readonly result: Result | undefined;
  readonly where: string;
}

/** Returns the metric by which two results can be compared, or a change that says why they cannot. */
export function commonMetric(
  key: ResultKey,
  sides: readonly [Side, Side],
): RankingMetric | UndecidedChange {
  const problem = changeBecause(key, sides, absenceOn) ?? changeBecause(key, sides, climbingOn);
  if (problem !== null) return problem;
  const results = sides.flatMap(({ result }) => result ?? []);
  const metric = metricOf(results);
  return metric === "requestsPerS" && results.some(({ isLowerBound }) => isLowerBound)
    ? incomparable(key, [{ kind: "rate-not-own" }])
    : metric;
}

/** Returns a change that cannot be compared because of a problem on one side; null without a problem. */
function changeBecause(
  key: ResultKey,
  [base, head]: readonly [Side, Side],
  problemOn: (side: Side) => Reason | null,
): UndecidedChange | null {
  const reason = problemOn(base) ?? problemOn(head);
  const isBroken = base.result?.status === "ok" && (head.result?.status ?? "ok") !== "ok";
  return reason && incomparable(key, [reason], isBroken);
}

function absenceOn({ result, where }: Side): Reason | null {
  if (result === undefined) return { kind: "absent", where };
  const { status, reason } = result;
  return status === "ok" ? null : { kind: "not-ok", status, where, reason };
}

function climbingOn({ result, where }: Side): Reason | null {
  return result?.climbing?.kind === "still-climbing" ? { ...result.climbing, where } : null;
}

/** Returns the noise floor of a metric, as a share; 0 if unknown. */
export function floorOf(noise: Noise | undefined, metric: Metric): number {
  return metric === "p50Us" ? 0 : noise?.[metric]?.floor ?? 0;
}

/**
 * Returns the results with their figures relative to the reference, which are null if unknown. They are those
 * of calm blocks.
 */
export function addRelativeFigures(
  results: readonly Result[],
  blocks: readonly BlockResult[],
  reference: string,
): Result[] {
  const { blocks: calm } = calmSlices(blocks);
  return results.map((result) => {
    const isOk = result.status === "ok";
    const pair = pairOf(result, reference);
    const relativeTo = (metric: Metric): Result["relativeCpu"] => {
      const ratio = isOk ? calmRatio(blocks, { ...pair, metric }) : null;
      if (ratio === null) return null;
      const { rounds, estimate, confidenceInterval } = ratio;
      return { rounds, ratio: estimate, confidenceInterval };
    };
    return {
      ...result,
      relativeRate: relativeTo("requestsPerS"),
      relativeCpu: relativeTo(pair.metric),
      climbing: result.climbing ?? (isOk ? climbingSlices(calm, pair) : null),
    };
  });
}

function relativeCpuOf({ blocks, experiment: { reference } }: Report, key: ResultKey): number[] {
  return reference === null
    ? []
    : blockRatios(calmSlices(blocks).blocks, pairOf(key, reference.id));
}

/** Returns how many rounds of a result were measured for each one that counts for relative CPU. */
function roundsPerCalm(report: Report, key: ResultKey): number {
  const { blocks, experiment: { reference } } = report;
  const measured = reference === null ? [] : blockRatios(blocks, pairOf(key, reference.id));
  return measured.length / Math.max(1, relativeCpuOf(report, key).length);
}

function pairOf({ variant: a, ...workload }: ResultKey, b: string): SlicesPair {
  return { ...workloadOf(workload), a, b, metric: "serverCpuUs" };
}

/**
 * Returns the ratio of two reports' medians, head to base, for a figure that servers do not influence, in
 * all windows or those of `key`; null if a median is unknown. If the ratio differs from 1, the machine
 * changed, not the server (a negative control: https://doi.org/10.1097/EDE.0b013e3181d61eeb).
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
