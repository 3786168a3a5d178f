/** Derives the changes between two reports, and between two variants of one run. */
import type { BlockResult } from "../model/block.ts";
import type { Change, Changes, Noise, Reason, Result, ResultKey } from "../model/derived.ts";
import type { Experiment } from "../model/experiment.ts";
import {
  generatorCpuUs,
  type Metric,
  METRICS,
  type RankingMetric,
  slicesOf,
} from "../model/figures.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { typical } from "../stats/median.ts";
import {
  incomparable,
  isBeyond,
  isRegression,
  judgeChanges,
  type NoiseFloor,
  undecided,
  type UndecidedChange,
} from "./changes.ts";
import { contention, resultDifferences, runDifferences } from "./comparable.ts";
import { compareCounts } from "./count_changes.ts";
import { compareFunctions } from "./function_changes.ts";
import { commonRounds, figuresOf, metricOf } from "./comparisons.ts";
import {
  byResult,
  byWorkload,
  isSameResult,
  isSameWorkload,
  keyOf,
  resultKeyOf,
  type Workload,
  workloadOf,
} from "./keys.ts";
import {
  blockRatios,
  climbingSlices,
  isSliced,
  slicesFigure,
  type SlicesPair,
  slicesProblem,
  slicesRatio,
} from "./slice_ratios.ts";

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
  const isUsed = family.some(({ change }) => noiseAt(change, change.method) !== undefined);
  return {
    ...judgeChanges(family, "independent"),
    machineRatio,
    noiseSource: isUsed ? noiseSource : null,
    counts: null,
    functions: [],
  };
}

/** One side of a comparison: its result, and its name in reasons. */
interface Side {
  readonly result: Result | undefined;
  readonly where: string;
}

/** Returns the metric by which two results can be compared, or a change that says why they cannot. */
function commonMetric(
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
function floorOf(noise: Noise | undefined, metric: Metric): number {
  return metric === "p50Us" ? 0 : noise?.[metric]?.floor ?? 0;
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

/**
 * Compares pairs of variants of one report in their common rounds: by slices, or else by windows. All
 * pairs are one family of tests, and no two of them have the same head.
 */
export function compareVariants(
  report:
    & Pick<Report, "results" | "trialResults" | "blocks" | "experiment">
    & Partial<Pick<Report, "counts" | "countAbsences" | "selfTimes">>,
  pairs: readonly (readonly [base: string, head: string])[],
  floor: NoiseFloor,
): Changes {
  const {
    blocks,
    experiment: { design: { failOn } },
    counts = [],
    countAbsences = [],
    selfTimes = [],
  } = report;
  const [pair] = pairs;
  const family = pairs.flatMap((pair) => undecidedChanges(report, pair, floor));
  const isUsed = family.some(({ change }) =>
    floor.noise.some((one) =>
      one.method === change.method && isSameWorkload(one, change) &&
      pairs.some(([base]) => one.variant === serverOf(report, base))
    )
  );
  const judged = judgeChanges(family, "paired");
  return {
    ...judged,
    changes: judged.changes.map((change) => {
      const base = pairs.find(([, head]) => head === change.variant)?.[0];
      return failOn !== null && base !== undefined && isBreach(change, failOn)
        ? { ...change, isConfirmed: isConfirmed(blocks, change, base, failOn) }
        : change;
    }),
    machineRatio: null,
    noiseSource: isUsed ? floor.noiseSource : null,
    counts: pair === undefined || counts.length + countAbsences.length === 0
      ? null
      : compareCounts(counts, countAbsences, pair),
    functions: pair === undefined ? [] : compareFunctions(selfTimes, pair),
  };
}

/** Returns the id of a variant's server. A run of `stampede noise` records the noise under it. */
function serverOf({ experiment }: Pick<Report, "experiment">, variant: string): string | undefined {
  return experiment.variants.find(({ id }) => id === variant)?.server;
}

function undecidedChanges(
  report: Parameters<typeof compareVariants>[0],
  [base, head]: readonly [string, string],
  { noise }: NoiseFloor,
): UndecidedChange[] {
  const { results, trialResults, blocks } = report;
  const server = serverOf(report, base);
  const noiseAt = (workload: Workload, method: Noise["method"]): Noise | undefined =>
    noise.find((one) =>
      one.variant === server && one.method === method && isSameWorkload(one, workload)
    );
  const sliced = slicedWorkloads(blocks).flatMap((workload) =>
    slicedChanges(blocks, workload, [base, head], noiseAt(workload, "slices"))
  );
  const own = results.filter(({ variant }) => variant === base || variant === head);
  const windows = byWorkload(own).filter(([workload]) => !isSliced(blocks, workload)).map(
    (both): UndecidedChange => {
      const sideOf = (where: string): Side => ({
        where,
        result: both.find(({ variant }) => variant === where),
      });
      const key = { ...workloadOf(both[0]), variant: head };
      const metric = commonMetric(key, [sideOf(base), sideOf(head)]);
      if (typeof metric !== "string") return metric;
      const [a, b] = commonRounds(trialResults, { ...workloadOf(key), a: base, b: head, metric });
      const floor = floorOf(noiseAt(key, "windows"), metric);
      return undecided({ ...key, metric, method: "windows", floor }, a, b);
    },
  );
  return [...sliced, ...windows];
}

/** Returns the ratio of head to the variant before it in each round, for a change in one run. */
export function roundRatios(
  { trialResults, blocks, experiment: { variants } }: Report,
  { variant: a, metric, method, ...change }: Change,
): number[] {
  const base = variants[variants.findIndex(({ id }) => id === a) - 1];
  if (base === undefined || metric === "relativeCpu") return [];
  const pair = { ...workloadOf(change), a, b: base.id, metric };
  if (method === "slices") return blockRatios(blocks, pair);
  const [after, before] = commonRounds(trialResults, pair);
  return after.map((figure, i) => figure / (before[i] as number));
}

/** Returns the workloads at which slices prove a regression beyond the gate; none without a gate. */
export function breachesOf(
  blocks: readonly BlockResult[],
  { variants: [base, head], design: { failOn } }: Pick<Experiment, "variants" | "design">,
): ResultKey[] {
  if (failOn === null || base === undefined || head === undefined) return [];
  const family = slicedWorkloads(blocks).flatMap((workload) =>
    slicedChanges(blocks, workload, [base.id, head.id], undefined)
  );
  return judgeChanges(family, "paired").changes.filter((change) => isBreach(change, failOn));
}

function isBreach(change: Change, failOn: number): boolean {
  return change.method === "slices" && change.verdict === "slower" && isRegression(change, failOn);
}

function slicedWorkloads(blocks: readonly BlockResult[]): Workload[] {
  return byWorkload(blocks.map(({ block }) => workloadOf(block))).map(([workload]) => workload);
}

function slicedChanges(
  blocks: readonly BlockResult[],
  workload: Workload,
  [base, head]: readonly [string, string],
  noise: Noise | undefined,
): UndecidedChange[] {
  const key = { ...workload, variant: head };
  const baseKey = { ...workload, variant: base };
  const [was, is] = [slicesProblem(blocks, baseKey), slicesProblem(blocks, key)];
  // A side without a reason has no slices only because the other one failed
  const isOfBase = was !== null && (was.reason !== null || is === null);
  const problem = isOfBase ? was : is;
  if (problem !== null) {
    const where = isOfBase ? base : head;
    return [incomparable(key, [{ kind: "not-ok", where, ...problem }], !isOfBase)];
  }
  const pairs = METRICS.map((metric) => ({ ...workload, a: head, b: base, metric }));
  // A drift smaller than the change does not explain the change.
  const climbing = pairs.map((pair) => {
    const ratio = slicesRatio(blocks, pair)?.estimate ?? 1;
    return climbingSlices(blocks, pair, Math.abs(Math.log(ratio)));
  }).find((one) => one !== null);
  if (climbing) return [incomparable(key, [climbing])];
  return pairs.flatMap((pair): UndecidedChange[] => {
    const { metric } = pair;
    const ratios = blockRatios(blocks, pair);
    if (ratios.length === 0) return [];
    const known = {
      ...key,
      metric,
      method: "slices",
      floor: Math.max(slicesOf(metric).floor, floorOf(noise, metric)),
      base: slicesFigure(blocks, baseKey, metric),
      head: slicesFigure(blocks, key, metric),
    } as const;
    return [undecided(known, ratios.map(() => 1), ratios)];
  });
}

/** Returns whether the confirmation rounds prove a regression again; null without such rounds. */
function isConfirmed(
  blocks: readonly BlockResult[],
  { variant: a, metric, ...change }: Change,
  b: string,
  failOn: number,
): boolean | null {
  if (metric === "relativeCpu") return null; // only two reports are compared by it
  // Each change is confirmed by itself, so the level needs no correction for several comparisons
  const again = slicesRatio(blocks, { ...workloadOf(change), a, b, metric }, 0.95, "confirm");
  return again && again.confidenceInterval !== null &&
    isBeyond(metric, again.confidenceInterval, failOn);
}
