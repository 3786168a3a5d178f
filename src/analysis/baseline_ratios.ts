/** Compares each server with a baseline: the reference server, or the best server. */
import type { ConfidenceInterval, Result } from "../model/derived.ts";
import { isMoreBetter, type RankingMetric } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import { slicesRatio } from "./slice_ratios.ts";
import { metricOf } from "./comparisons.ts";
import { inOrder } from "./rankings.ts";
import { isSameWorkload, type Workload, workloadOf } from "./workloads.ts";

/** The servers of one workload with their ratios to a baseline, in the order of `inOrder`. */
export interface BaselineRatios extends Workload {
  /** Compared metric. Higher is better for rates; lower is better for CPU time. */
  readonly metric: RankingMetric;
  /** The baseline: the label of the reference, or the id of the best server. */
  readonly base: string;
  readonly items: readonly BaselineRatio[];
}

/** A server's figure divided by the baseline's. */
export interface BaselineRatio {
  readonly result: Result;
  readonly ratio: number;
  /** Confidence interval of the ratio; null for too few rounds. */
  readonly confidenceInterval: Pick<ConfidenceInterval, "low" | "high"> | null;
}

/**
 * Returns the servers of each workload with their ratios to a baseline. The baseline is the reference's CPU
 * time, if every server has slices and servers are not compared by rate. Otherwise the baseline is the best
 * server: by pairwise comparisons if there are any, else by windows.
 */
export function baselineRatiosOf(report: Report): BaselineRatios[] {
  const known = report.results.filter(({ status }) => status === "ok");
  return inOrder(report, known).flatMap((group) =>
    bySlices(group, report) ?? byPairs(group, report) ?? byWindows(group) ?? []
  );
}

function bySlices(
  group: readonly Result[],
  { blocks, comparisons, experiment: { reference } }: Report,
): BaselineRatios | null {
  if (reference === null) return null;
  const [workload] = group as [Result, ...Result[]];
  const pair = comparisons.find((pair) => isSameWorkload(pair, workload));
  // The reference answers another request, so its rate cannot be compared.
  if (pair?.metric === "requestsPerS") return null;
  const metric = "serverCpuUs";
  const items = group.flatMap((result): BaselineRatio[] => {
    const ratio = slicesRatio(blocks, {
      ...workloadOf(result),
      a: result.variant,
      b: reference.id,
      metric,
    });
    return ratio === null
      ? []
      : [{ result, ratio: ratio.estimate, confidenceInterval: ratio.confidenceInterval }];
  });
  if (items.length < group.length) return null;
  return { ...workloadOf(workload), metric, base: reference.label, items };
}

/** Compares each server with the best-ranked one, by the same pairwise ratios as the ranks. */
function byPairs(group: readonly Result[], { comparisons }: Report): BaselineRatios | null {
  const pairs = comparisons.filter((pair) => isSameWorkload(pair, group[0] as Result));
  const metric = pairs[0]?.metric;
  if (metric === undefined || metric === "p50Us") return null;
  const figure = (result: Result): number => result[metric]?.median ?? NaN;
  const sign = isMoreBetter(metric) ? -1 : 1;
  const [best] = group.toSorted((a, b) =>
    (a.rank ?? Infinity) - (b.rank ?? Infinity) || sign * (figure(a) - figure(b))
  );
  if (best === undefined) return null;
  const items = group.flatMap((result): BaselineRatio[] => {
    if (result === best) return [{ result, ratio: 1, confidenceInterval: null }];
    const pair = pairs.find(({ a, b }) =>
      [a, b].includes(result.variant) && [a, b].includes(best.variant)
    );
    if (pair === undefined) return [];
    const { a, ratio, confidenceInterval } = pair;
    return a === result.variant ? [{ result, ratio, confidenceInterval }] : [{
      result,
      ratio: 1 / ratio,
      confidenceInterval: confidenceInterval &&
        { low: 1 / confidenceInterval.high, high: 1 / confidenceInterval.low },
    }];
  });
  return items.length < group.length
    ? null
    : { ...workloadOf(best), metric, base: best.variant, items };
}

function byWindows(group: readonly Result[]): BaselineRatios | null {
  const metric = metricOf(group);
  const known = group.flatMap((result) => {
    const estimate = result[metric];
    return estimate === null || estimate.median <= 0 ? [] : [{ result, estimate }];
  });
  const sign = isMoreBetter(metric) ? -1 : 1;
  const [best] = known.toSorted((a, b) => sign * (a.estimate.median - b.estimate.median));
  if (best === undefined) return null;
  const { median } = best.estimate;
  const items = known.map((
    { result, estimate: { median: own, confidenceInterval } },
  ): BaselineRatio => ({
    result,
    ratio: own / median,
    confidenceInterval: confidenceInterval &&
      { low: confidenceInterval.low / median, high: confidenceInterval.high / median },
  }));
  return { ...workloadOf(best.result), metric, base: best.result.variant, items };
}
