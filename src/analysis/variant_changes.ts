/** Compares two variants of one run, by slices or by windows. */
import type { BlockResult } from "../model/block.ts";
import type { Change, Changes, Noise, ResultKey } from "../model/derived.ts";
import type { Experiment } from "../model/experiment.ts";
import { METRICS, slicesOf } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import { pairedRatio } from "../stats/rank_tests.ts";
import { smallestPairedP } from "../stats/power.ts";
import {
  blockRatios,
  climbingSlices,
  isSliced,
  slicesFigure,
  slicesProblem,
  slicesRatio,
} from "./slice_ratios.ts";
import { figuresOf } from "./comparisons.ts";
import { byWorkload, isSameWorkload, type Workload, workloadOf } from "./keys.ts";
import {
  blank,
  commonMetric,
  figures,
  floorOf,
  hasBroken,
  incomparable,
  isBeyond,
  isRegression,
  judgeChanges,
  type NoiseFloor,
  type UndecidedChange,
  union,
} from "./changes.ts";

/**
 * Confidence level of confirmation rounds. Each change is confirmed alone, without a correction for the
 * number of changes.
 */
const LEVEL = 0.95;

/**
 * Compares two variants of one report at every workload, in their common rounds. Slices compare CPU time per
 * response, rate and median latency. Workloads without slices are compared by windows.
 */
export function compareVariants(
  report: Pick<Report, "results" | "trialResults" | "blocks" | "experiment">,
  [base, head]: readonly [string, string],
  { noise, noiseSource }: NoiseFloor,
): Changes {
  const { results, trialResults, blocks, experiment } = report;
  const { failOn } = experiment.design;
  // A run of `bench noise` records the server under its own id.
  const server = experiment.variants.find(({ id }) => id === base)?.server;
  const ownNoise = noise.filter(({ variant }) => variant === server);
  const noiseAt = (workload: Workload, method: Noise["method"]): Noise | undefined =>
    ownNoise.find((one) => one.method === method && isSameWorkload(one, workload));
  const own = results.filter(({ variant }) => variant === base || variant === head);
  const workloads = union(own, [], isSameWorkload);
  const sliced = slicedWorkloads(blocks).flatMap((workload) =>
    slicedChanges(blocks, workload, [base, head], noiseAt(workload, "slices"))
  );
  const windows = workloads.filter((workload) => !isSliced(blocks, workload)).map(
    (workload): UndecidedChange => {
      const was = own.find((result) => result.variant === base && isSameWorkload(result, workload));
      const is = own.find((result) => result.variant === head && isSameWorkload(result, workload));
      const key = { ...workload, variant: head };
      const common = commonMetric(was, is, base, head);
      if ("reason" in common) return incomparable(key, [common.reason], hasBroken(was, is));
      const { metric } = common;
      const before = figuresOf(trialResults, { ...key, variant: base }, metric);
      const after = figuresOf(trialResults, key, metric);
      const rounds = [...before.keys()].filter((round) => after.has(round));
      const a = rounds.map((round) => before.get(round) as number);
      const b = rounds.map((round) => after.get(round) as number);
      return {
        change: { ...blank(key), metric, ...figures(a, b) },
        floor: floorOf(noiseAt(key, "windows"), metric),
        smallestP: smallestPairedP(rounds.length),
        ratioAt: (level) => pairedRatio(b, a, level),
      };
    },
  );
  const family = [...sliced, ...windows];
  const isUsed = family.some(({ change }) => noiseAt(change, change.method) !== undefined);
  const judged = judgeChanges(family, smallestPairedP);
  return {
    ...judged,
    changes: judged.changes.map((change) =>
      failOn !== null && isBreach(change, failOn)
        ? { ...change, isConfirmed: isConfirmed(blocks, change, base, failOn) }
        : change
    ),
    machineRatio: null,
    noiseSource: isUsed ? noiseSource : null,
  };
}

/** Returns the ratio of head to base in each round, for one change of `bench versus`. */
export function roundRatios(
  { trialResults, blocks, experiment: { variants: [base] } }: Report,
  change: Change,
): number[] {
  const { variant: a, metric, method } = change;
  if (base === undefined || metric === "relativeCpu") return [];
  const workload = workloadOf(change);
  if (method === "slices") return blockRatios(blocks, { ...workload, a, b: base.id, metric });
  const before = figuresOf(trialResults, { ...workload, variant: base.id }, metric);
  return [...figuresOf(trialResults, { ...workload, variant: a }, metric)].flatMap(
    ([round, figure]) => {
      const was = before.get(round);
      return was === undefined ? [] : [figure / was];
    },
  );
}

/**
 * Returns the workloads at which slices prove a regression beyond the gate's threshold; none without a gate.
 */
export function breachesOf(
  blocks: readonly BlockResult[],
  { variants: [base, head], design: { failOn } }: Pick<Experiment, "variants" | "design">,
): ResultKey[] {
  if (failOn === null || base === undefined || head === undefined) return [];
  const family = slicedWorkloads(blocks).flatMap((workload) =>
    slicedChanges(blocks, workload, [base.id, head.id], undefined)
  );
  const { changes } = judgeChanges(family, smallestPairedP);
  return changes.filter((change) => isBreach(change, failOn));
}

/** Returns whether slices prove a regression beyond a threshold, as a share. */
function isBreach(change: Change, failOn: number): boolean {
  return change.method === "slices" && change.verdict === "slower" && isRegression(change, failOn);
}

/** Returns the workloads that were measured in slices. */
function slicedWorkloads(blocks: readonly BlockResult[]): Workload[] {
  return byWorkload(blocks.map(({ block }) => workloadOf(block))).map(([workload]) => workload);
}

/** Returns a change for each metric that the slices of two variants have at a workload. */
function slicedChanges(
  blocks: readonly BlockResult[],
  workload: Workload,
  [base, head]: readonly [string, string],
  noise: Noise | undefined,
): UndecidedChange[] {
  const key = { ...workload, variant: head };
  const was = slicesProblem(blocks, { ...workload, variant: base });
  const is = slicesProblem(blocks, key);
  const problem = was ?? is;
  if (problem !== null) {
    const where = was === null ? head : base;
    const isBroken = was === null && is !== null;
    return [incomparable(key, [{ kind: "not-ok", where, ...problem }], isBroken)];
  }
  const pairs = METRICS.map((metric) => ({ ...workload, a: head, b: base, metric }));
  // A drift smaller than the change does not explain the change.
  const climbing = pairs.map((pair) => {
    const ratio = slicesRatio(blocks, pair)?.estimate ?? 1;
    return climbingSlices(blocks, pair, Math.abs(Math.log(ratio)));
  }).find((one) => one !== null);
  if (climbing) return [incomparable(key, [climbing], false)];
  return pairs.flatMap((pair): UndecidedChange[] => {
    const { metric } = pair;
    const rounds = blockRatios(blocks, pair).length;
    if (rounds === 0) return [];
    return [{
      change: {
        ...blank(key),
        metric,
        method: "slices",
        base: slicesFigure(blocks, { ...workload, variant: base }, metric),
        head: slicesFigure(blocks, key, metric),
        baseRounds: rounds,
        headRounds: rounds,
      },
      floor: Math.max(slicesOf(metric).floor, floorOf(noise, metric)),
      smallestP: smallestPairedP(rounds),
      ratioAt: (level) => slicesRatio(blocks, pair, level),
    }];
  });
}

/**
 * Returns whether the confirmation rounds prove the regression of a change again; null if there are no such
 * rounds.
 */
function isConfirmed(
  blocks: readonly BlockResult[],
  { variant: a, metric, ...change }: Change,
  b: string,
  failOn: number,
): boolean | null {
  if (metric === "relativeCpu") return null; // only two reports are compared by it
  const again = slicesRatio(blocks, { ...workloadOf(change), a, b, metric }, LEVEL, "confirm");
  return again && again.confidenceInterval !== null &&
    isBeyond(metric, again.confidenceInterval, failOn);
}
