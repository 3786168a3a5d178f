import type { Comparison, Noise, NoiseOf, Result, ResultKey } from "../model/derived.ts";
import {
  FIGURES,
  isMoreBetter,
  type Metric,
  type RankingMetric,
  slicesOf,
} from "../model/figures.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { pairedRatio } from "../stats/rank_tests.ts";
import { isSliced, type SlicesPair, slicesRatio } from "./slice_ratios.ts";
import { isSameResult, isSameWorkload, resultKeyOf, type Workload, workloadOf } from "./keys.ts";
import { isClimbingWindow } from "./histories.ts";

/** What a run measured: its windows and its blocks of slices. */
export type MeasuredRun = Pick<Report, "trialResults" | "blocks">;

/**
 * Compares every pair of servers at every workload: by slices, or by the windows of common rounds. The metric
 * comes from {@linkcode metricOf}.
 */
export function compareServers(
  measured: MeasuredRun,
  results: readonly Result[],
): Comparison[] {
  const workloads = Map.groupBy(
    results.filter(({ status, climbing }) => status === "ok" && climbing === null),
    (result) => JSON.stringify(workloadOf(result)),
  );
  return [...workloads.values()].flatMap((group) => {
    const workload = workloadOf(group[0] as Result);
    const metric = metricOf(group);
    return group.flatMap(({ variant: a }, i) =>
      group.slice(i + 1).flatMap(({ variant: b }) =>
        compare(measured, { ...workload, a, b, metric }) ?? []
      )
    );
  });
}

/**
 * Returns the metric by which the servers at one workload are compared. It is the rate. If the load generator
 * or the machine may have limited a server's rate, it is CPU time per response, if known for all servers.
 */
export function metricOf(results: readonly Result[]): RankingMetric {
  const isTheirs = results.every(({ isLowerBound, bottleneck }) =>
    !isLowerBound && bottleneck?.kind !== "unknown"
  );
  const hasRelativeCpu = results.every(({ serverCpuUs }) => serverCpuUs !== null);
  return isTheirs || !hasRelativeCpu ? "requestsPerS" : "serverCpuUs";
}

/** Compares one pair of servers by the ratio of their figures in each round; null without a common round. */
export function compare(
  { trialResults, blocks }: MeasuredRun,
  pair: Workload & Pick<Comparison, "a" | "b" | "metric">,
): Comparison | null {
  const bySlices = slicesRatio(blocks, pair);
  const ratio = bySlices ?? windowsRatio(trialResults, pair);
  if (ratio === null) return null;
  const { estimate, confidenceInterval, pValue, rounds } = ratio;
  return {
    ...pair,
    method: bySlices === null ? "windows" : "slices",
    rounds,
    ratio: estimate,
    confidenceInterval,
    pValue,
    // Two folders with the same code may differ this much.
    better: bySlices !== null && Math.abs(estimate - 1) < slicesOf(pair.metric).floor
      ? null
      : betterOf(pair, confidenceInterval),
  };
}

/** Returns the ratio of a to b by windows; null without a common round. */
function windowsRatio(
  trialResults: readonly TrialResult[],
  pair: SlicesPair,
): ReturnType<typeof slicesRatio> {
  const of = (variant: string): Map<number, number> =>
    figuresOf(trialResults, { ...pair, variant }, pair.metric);
  const [ofA, ofB] = [of(pair.a), of(pair.b)];
  const rounds = [...ofA.keys()].filter((round) => ofB.has(round));
  const ratio = pairedRatio(
    rounds.map((round) => ofA.get(round) as number),
    rounds.map((round) => ofB.get(round) as number),
  );
  return ratio && { ...ratio, rounds: rounds.length };
}

function betterOf(
  { a, b, metric }: Pick<Comparison, "a" | "b" | "metric">,
  confidenceInterval: Comparison["confidenceInterval"],
): string | null {
  if (
    confidenceInterval === null || (confidenceInterval.low <= 1 && confidenceInterval.high >= 1)
  ) return null;
  const isAMore = confidenceInterval.low > 1;
  return isAMore === isMoreBetter(metric) ? a : b;
}

/**
 * Returns the positive figures of one result by round. Windows that began before the server had warmed up are
 * left out.
 */
export function figuresOf(
  trialResults: readonly TrialResult[],
  key: ResultKey,
  metric: Metric,
): Map<number, number> {
  const figures = new Map<number, number>();
  for (const { trial, window } of trialResults) {
    if (!isSameResult(resultKeyOf(trial), key)) continue;
    if (trial.purpose !== "measure" || window === null || isClimbingWindow(window)) continue;
    const figure = FIGURES[metric].ofWindow(window);
    if (figure !== null && figure > 0) figures.set(trial.round, figure);
  }
  return figures;
}

/**
 * Returns how much a server differs from itself, for each workload. The run measured the server as two
 * variants, `a` and `b`. Windows and slices give separate figures.
 */
export function noiseOf(
  { trialResults, blocks }: MeasuredRun,
  results: readonly Result[],
  [a, b]: readonly [string, string],
): Noise[] {
  const valid = (twin: string): Result[] =>
    results.filter(({ variant, status }) => variant === twin && status === "ok");
  const ofB = valid(b);
  const both = valid(a).filter((result) => ofB.some((other) => isSameWorkload(result, other)));
  return both.flatMap((result) => {
    const workload = workloadOf(result);
    const noise = (method: Noise["method"], measured: MeasuredRun): Noise => ({
      variant: a,
      ...workload,
      method,
      requestsPerS: noiseOfFigure(measured, { ...workload, a, b, metric: "requestsPerS" }),
      serverCpuUs: noiseOfFigure(measured, { ...workload, a, b, metric: "serverCpuUs" }),
    });
    return [
      ...(isSliced(blocks, workload) ? [noise("slices", { trialResults: [], blocks })] : []),
      noise("windows", { trialResults, blocks: [] }),
    ];
  });
}

function noiseOfFigure(measured: MeasuredRun, pair: SlicesPair): NoiseOf | null {
  const comparison = compare(measured, pair);
  if (comparison === null) return null;
  const { rounds, ratio, confidenceInterval } = comparison;
  const floor = confidenceInterval &&
    Math.max(1 - confidenceInterval.low, confidenceInterval.high - 1);
  return { rounds, ratio, confidenceInterval, floor };
}

/**
 * Returns the results with their ranks. A rank is one plus the number of servers that are proven better, at
 * the same workload and in the same worker group.
 *
 * @param workerGroups number of workers by server id; null means that the server chooses
 */
export function rank(
  results: readonly Result[],
  comparisons: readonly Comparison[],
  workerGroups: ReadonlyMap<string, number | null>,
): Result[] {
  return results.map((result) => {
    const own = comparisons.filter(({ a, b, ...workload }) =>
      isSameWorkload(workload, result) && [a, b].includes(result.variant) &&
      workerGroups.get(a) === workerGroups.get(b)
    );
    if (own.every(({ confidenceInterval }) => confidenceInterval === null)) return result;
    return {
      ...result,
      rank: 1 + own.filter(({ better }) => ![null, result.variant].includes(better)).length,
    };
  });
}
