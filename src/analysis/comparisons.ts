/** Compares the servers of a run in pairs, and ranks them. */
import type { Comparison, Noise, Result, ResultKey } from "../model/derived.ts";
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
import { calmRatio } from "./calm_slices.ts";
import { isClimbingWindow } from "./climbing.ts";
import { byWorkload, isSameResult, isSameWorkload, resultKeyOf, workloadOf } from "./keys.ts";
import { isSliced, type SlicesPair } from "./slice_ratios.ts";

type MeasuredRun = Pick<Report, "trialResults" | "blocks">;

/** Compares every pair of servers at every workload, by the metric of {@linkcode metricOf}. */
export function compareServers(
  measured: MeasuredRun,
  results: readonly Result[],
): Comparison[] {
  const valid = results.filter(({ status, climbing }) => status === "ok" && climbing === null);
  return byWorkload(valid).flatMap((group) => {
    const workload = workloadOf(group[0]);
    const metric = metricOf(group);
    return group.flatMap(({ variant: a }, i) =>
      group.slice(i + 1).flatMap(({ variant: b }) =>
        compare(measured, { ...workload, a, b, metric }) ?? []
      )
    );
  });
}

/** Share of the rate of an open loop that a server must reach: random arrivals vary by a few percent. */
const KEPT_UP = 0.9;

/**
 * Returns the rate, or CPU time per response if all have it and a rate may not be the server's own. In an open
 * loop, the rate is the user's, unless a server did not keep up.
 */
export function metricOf(results: readonly Result[]): RankingMetric {
  const keptUp = ({ perS, requestsPerS }: Result): boolean =>
    perS !== null && (requestsPerS?.median ?? 0) >= KEPT_UP * perS;
  const isTheirs = results.some(({ perS }) => perS !== null)
    ? !results.every(keptUp)
    : results.every(({ isLowerBound, bottleneck }) =>
      !isLowerBound && bottleneck?.kind !== "unknown"
    );
  const hasCpu = results.every(({ serverCpuUs }) => serverCpuUs !== null);
  return isTheirs || !hasCpu ? "requestsPerS" : "serverCpuUs";
}

/** Compares two servers by the ratio of their figures in each round; null without a common round. */
export function compare(
  { trialResults, blocks }: MeasuredRun,
  pair: SlicesPair,
): Comparison | null {
  const bySlices = calmRatio(blocks, pair);
  const ratio = bySlices ?? windowsRatio(trialResults, pair);
  if (ratio === null) return null;
  const { estimate, confidenceInterval, pValue, rounds } = ratio;
  const { low = 1, high = 1 } = confidenceInterval ?? {};
  const isProven = (low > 1 || high < 1) &&
    // Two folders with the same code may differ this much.
    Math.abs(estimate - 1) >= slicesOf(pair.metric).floor;
  const better = (low > 1) === isMoreBetter(pair.metric) ? pair.a : pair.b;
  return {
    ...pair,
    method: bySlices === null ? "windows" : "slices",
    rounds,
    ratio: estimate,
    confidenceInterval,
    pValue,
    better: isProven ? better : null,
  };
}

function windowsRatio(
  trialResults: readonly TrialResult[],
  pair: SlicesPair,
): ReturnType<typeof calmRatio> {
  const [ofA, ofB] = commonRounds(trialResults, pair);
  const ratio = pairedRatio(ofA, ofB);
  return ratio && { ...ratio, rounds: ofA.length };
}

/** Returns the figures of two variants in the windows of their common rounds. */
export function commonRounds(
  trialResults: readonly TrialResult[],
  { a, b, metric, ...workload }: SlicesPair,
): readonly [number[], number[]] {
  const ofA = figuresOf(trialResults, { ...workload, variant: a }, metric);
  const ofB = figuresOf(trialResults, { ...workload, variant: b }, metric);
  const rounds = [...ofA.keys()].filter((round) => ofB.has(round));
  const inRounds = (figures: ReadonlyMap<number, number>): number[] =>
    rounds.map((round) => figures.get(round) as number);
  return [inRounds(ofA), inRounds(ofB)];
}

/** Returns the positive figures of one result by round, without climbing windows. */
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

/** Returns how much a server, measured as variants `a` and `b`, differs from itself at each workload. */
export function noiseOf(
  { trialResults, blocks }: MeasuredRun,
  results: readonly Result[],
  [a, b]: readonly [string, string],
): Noise[] {
  const valid = results.filter(({ status }) => status === "ok");
  return valid.filter(({ variant }) => variant === a).flatMap((result) => {
    if (!valid.some((other) => isSameResult(other, { ...result, variant: b }))) return [];
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

function noiseOfFigure(measured: MeasuredRun, pair: SlicesPair): Noise[RankingMetric] {
  const comparison = compare(measured, pair);
  if (comparison === null) return null;
  const { rounds, ratio, confidenceInterval: interval } = comparison;
  const floor = interval && Math.max(1 - interval.low, interval.high - 1);
  return { rounds, ratio, confidenceInterval: interval, floor };
}

/** Adds ranks: one plus the number of servers proven better at the same workload and number of workers. */
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
    const better = own.filter(({ better }) => ![null, result.variant].includes(better));
    return { ...result, rank: 1 + better.length };
  });
}
