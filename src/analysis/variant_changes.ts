/** Compares two variants of one run, by slices or by windows. */
import type { BlockResult } from "../model/block.ts";
import type { Change, Changes, Noise, ResultKey } from "../model/derived.ts";
import type { Experiment } from "../model/experiment.ts";
import { METRICS, slicesOf } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import {
  commonMetric,
  floorOf,
  incomparable,
  isBeyond,
  isRegression,
  judgeChanges,
  type NoiseFloor,
  undecided,
  type UndecidedChange,
} from "./changes.ts";
import { commonRounds } from "./comparisons.ts";
import { byWorkload, isSameWorkload, type Workload, workloadOf } from "./keys.ts";
import {
  blockRatios,
  climbingSlices,
  isSliced,
  slicesFigure,
  slicesProblem,
  slicesRatio,
} from "./slice_ratios.ts";

/** Confidence level of confirmation rounds. No correction: each change is confirmed alone. */
const LEVEL = 0.95;

/**
 * Compares two variants of one report at every workload, in their common rounds. Slices compare CPU time
 * per response, rate and median latency. Workloads without slices are compared by windows.
 */
export function compareVariants(
  { results, trialResults, blocks, experiment }: Pick<
    Report,
    "results" | "trialResults" | "blocks" | "experiment"
  >,
  [base, head]: readonly [string, string],
  { noise, noiseSource }: NoiseFloor,
): Changes {
  const { failOn } = experiment.design;
  // A run of `bench noise` records the server under its own id.
  const server = experiment.variants.find(({ id }) => id === base)?.server;
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
      const was = both.find(({ variant }) => variant === base);
      const is = both.find(({ variant }) => variant === head);
      const key = { ...workloadOf(both[0]), variant: head };
      const metric = commonMetric(key, was, is, base, head);
      if (typeof metric !== "string") return metric;
      const [a, b] = commonRounds(trialResults, { ...workloadOf(key), a: base, b: head, metric });
      const floor = floorOf(noiseAt(key, "windows"), metric);
      return undecided({ ...key, metric, method: "windows" }, a, b, floor, "paired");
    },
  );
  const family = [...sliced, ...windows];
  const isUsed = family.some(({ change }) => noiseAt(change, change.method) !== undefined);
  const judged = judgeChanges(family, "paired");
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
  { variant: a, metric, method, ...change }: Change,
): number[] {
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
  const was = slicesProblem(blocks, baseKey);
  const problem = was ?? slicesProblem(blocks, key);
  if (problem !== null) {
    const where = was === null ? head : base;
    return [incomparable(key, [{ kind: "not-ok", where, ...problem }], was === null)];
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
    const floor = Math.max(slicesOf(metric).floor, floorOf(noise, metric));
    const known = {
      ...key,
      metric,
      method: "slices",
      base: slicesFigure(blocks, baseKey, metric),
      head: slicesFigure(blocks, key, metric),
    } as const;
    return [undecided(known, ratios.map(() => 1), ratios, floor, "paired")];
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
  const again = slicesRatio(blocks, { ...workloadOf(change), a, b, metric }, LEVEL, "confirm");
  return again && again.confidenceInterval !== null &&
    isBeyond(metric, again.confidenceInterval, failOn);
}
