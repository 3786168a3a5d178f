/** Derives the changes between variants of one run. */
import type { BlockResult } from "../model/block.ts";
import { comparisonsOf, type CostKey, costKeys, thresholdsOf } from "../model/costs.ts";
import {
  type AnyChange,
  type Change,
  type Changes,
  isOfResponses,
  type Noise,
  type ResultKey,
} from "../model/derived.ts";
import type { Design, Experiment } from "../model/experiment.ts";
import { METRICS, slicesOf } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import {
  incomparable,
  isBeyond,
  isInconclusive,
  isRegression,
  judgeChanges,
  LOOKS,
  type NoiseFloor,
  undecided,
  type UndecidedChange,
} from "./changes.ts";
import { groupOf, thresholdOf, undecidedCosts } from "./cost_changes.ts";
import { compareCounts } from "./count_changes.ts";
import { compareFunctions } from "./function_changes.ts";
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
import { commonMetric, floorOf, type Side } from "./derive_changes.ts";

/**
 * P-value, adjusted for all comparisons, below which a cost that is not proven to change is measured again.
 * An interval that excludes 1 almost proves the change of a lone cost, so it cannot select one.
 */
const LIKELY = 0.5;

/**
 * Compares pairs of variants of one report in their common rounds: by slices, or else by windows. All
 * pairs are one family of tests, and no two of them have the same head.
 */
export function compareVariants(
  report:
    & Pick<Report, "results" | "trialResults" | "blocks" | "experiment">
    & Partial<Pick<Report, "costs" | "costAbsences" | "counts" | "countAbsences" | "selfTimes">>,
  pairs: readonly (readonly [base: string, head: string])[],
  floor: NoiseFloor,
): Changes {
  const {
    blocks,
    experiment: { design },
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
  const { failOn } = design;
  const ofCosts = pairs.flatMap((one) => undecidedCosts(report, one));
  const all = judgeChanges<AnyChange>([...family, ...ofCosts], "paired", looksOf(design));
  const { neededRounds } = all;
  return {
    neededRounds,
    costs: all.changes.filter((change) => !isOfResponses(change)),
    changes: all.changes.filter(isOfResponses).map((change) => {
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
  { trialResults, blocks, costs, costAbsences, experiment: { variants } }: Report,
  changed: AnyChange,
): number[] {
  const base = variants[variants.findIndex(({ id }) => id === changed.variant) - 1];
  if (base === undefined) return [];
  if (!isOfResponses(changed)) {
    const [own] = undecidedCosts({ costs, costAbsences }, [base.id, changed.variant])
      .filter(({ change: { metric, scenario } }) =>
        metric === changed.metric && scenario === changed.scenario
      );
    return own?.head.map((value, i) => value / (own.base[i] ?? NaN)) ?? [];
  }
  const { variant: a, metric, method, ...change } = changed;
  if (metric === "relativeCpu") return [];
  const pair = { ...workloadOf(change), a, b: base.id, metric };
  if (method === "slices") return blockRatios(blocks, pair);
  const [after, before] = commonRounds(trialResults, pair);
  return after.map((figure, i) => figure / (before[i] as number));
}

type Measured =
  & Pick<Report, "blocks">
  & Partial<Pick<Report, "costs" | "costAbsences">>;
type Compared = Pick<Experiment, "variants" | "design">;

/** Returns the workloads at which slices prove a regression beyond the gate; none without a gate. */
export function breachesOf(measured: Measured, experiment: Compared): ResultKey[] {
  const { failOn } = experiment.design;
  return failOn === null ? [] : judgedSoFar(measured, experiment).filter(isOfResponses)
    .filter((change) => isBreach(change, failOn));
}

/**
 * Returns the workloads at which slices neither prove a change nor exclude one. With a gate, a change is
 * excluded if its interval is within the gate's threshold; otherwise, if its interval includes 1. Costs and
 * windows are tested only at the end, together with slices, so they count already.
 */
export function unclearOf(
  measured: Measured,
  experiment: Compared & Pick<Experiment, "scenarios">,
): ResultKey[] {
  const { scenarios, design: { failOn, costs } } = experiment;
  const sliced = new Set(measured.blocks.map(({ block }) => block.scenario));
  const inWindows = scenarios.filter(({ id }) => !sliced.has(id)).length;
  const toCome = inWindows + comparisonsOf(costs, scenarios.length);
  const changes = judgedSoFar(measured, experiment, toCome).filter(isOfResponses);
  return byWorkload(changes).filter((own) =>
    own.some((change) => isUnclear(change, failOn)) &&
    // Without a gate, one metric that proves a change is enough: all of them show the same one
    (failOn !== null || own.every(({ verdict }) => verdict === "same"))
  ).map(([change]) => change);
}

/** Returns the groups of costs, at their scenarios, with a change that is neither proven nor excluded. */
export function unclearCosts(measured: Measured, experiment: Compared): CostKey[] {
  const { design } = experiment;
  const unclear = judgedSoFar(measured, experiment).filter((change) => !isOfResponses(change))
    .filter((change) => isUnclear(change, thresholdOf(change, thresholdsOf(design))));
  const scenarios = [...new Set(unclear.flatMap(({ scenario }) => scenario ?? []))];
  return costKeys(design.costs, scenarios).filter(({ group, scenario }) =>
    unclear.some((change) => groupOf(change) === group && change.scenario === scenario)
  );
}

function isUnclear(change: AnyChange, threshold: number | null): boolean {
  const { verdict, confidenceInterval, floor, pValue } = change;
  if (verdict === "incomparable" || confidenceInterval === null) return false;
  // No number of rounds decides on a threshold within the floor
  if (threshold !== null) return floor < threshold && isInconclusive(change, threshold);
  const { low, high } = confidenceInterval;
  const isWithinFloor = low > 1 - floor && high < 1 + floor;
  const isLikely = low > 1 || high < 1 || (!isOfResponses(change) && (pValue ?? 1) < LIKELY);
  return verdict === "same" && !isWithinFloor && isLikely;
}

/** Tests what a run has measured in slices and without load so far. `toCome`: number of comparisons to come. */
function judgedSoFar(
  measured: Measured,
  { variants: [base, head], design }: Compared,
  toCome = 0,
): readonly AnyChange[] {
  if (base === undefined || head === undefined) return [];
  const { blocks } = measured;
  const pair = [base.id, head.id] as const;
  const family = [
    ...slicedWorkloads(blocks).flatMap((one) => slicedChanges(blocks, one, pair, undefined)),
    ...undecidedCosts(measured, pair),
  ];
  return judgeChanges<AnyChange>(family, "paired", looksOf(design), toCome).changes;
}

/** Returns how often a run of this design may test its changes. */
function looksOf({ until, rounds, maxRounds }: Design): number {
  return until === "verdict" && maxRounds > rounds ? LOOKS : 1;
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

/** Returns whether the confirmation rounds prove a regression again; null with too few of them. */
function isConfirmed(
  blocks: readonly BlockResult[],
  { variant: a, metric, ...change }: Change,
  b: string,
  failOn: number,
): boolean | null {
  if (metric === "relativeCpu") return null; // only two reports are compared by it
  // Each change is confirmed by itself, so the level needs no correction for several comparisons
  const again = slicesRatio(blocks, { ...workloadOf(change), a, b, metric }, 0.95, "confirm");
  // Too few rounds, as after Ctrl-C, refute nothing
  const interval = again?.confidenceInterval ?? null;
  return interval && isBeyond(metric, interval, failOn);
}
