/**
 * Derives rankings from ranks and pairwise comparisons. Compares each server with a baseline: the
 * reference server, or the best server.
 */

import type { Comparison, ConfidenceInterval, Result } from "../model/derived.ts";
import { isMoreBetter, type RankingMetric } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import { compare, metricOf } from "./comparisons.ts";
import { byWorkload, isSameWorkload, type Workload, workloadOf } from "./keys.ts";
import { slicesRatio } from "./slice_ratios.ts";

/** The servers of one worker group at one workload: the leaders, and the servers that are proven worse. */
export interface Ranking extends Workload {
  /** Number of workers; null means that the server chooses. */
  readonly workers: number | null;
  /** Whether other servers with another number of workers were measured at this workload. */
  readonly hasOtherWorkerGroups: boolean;
  /** The metric by which the ranking compares servers. */
  readonly metric: Comparison["metric"];
  /** Servers for which no other server is proven better. */
  readonly leaders: readonly string[];
  /** Whether the leaders are proven equivalent, not just undecided. */
  readonly isTie: boolean;
  /** Servers that are proven worse than a leader, the best first. */
  readonly others: readonly Follower[];
  /**
   * The best server by the metric that the ranking does not use. Null unless it is proven better than the
   * best leader by that metric.
   */
  readonly rival: Rival | null;
}

/** How many times better one server is than another. */
interface Factor {
  readonly factor: number;
  /** The 95 % confidence interval of the factor; null if there are too few rounds. */
  readonly confidenceInterval: Pick<ConfidenceInterval, "low" | "high"> | null;
}

/** A server that is proven worse than some leaders. The factor refers to the closest of these leaders. */
export interface Follower extends Factor {
  readonly variant: string;
  /** The leaders that are proven better than this server. */
  readonly behind: readonly string[];
}

/** The best server by the metric that the ranking does not use. */
export interface Rival extends Factor {
  readonly variant: string;
  /** The metric that the ranking does not use. */
  readonly metric: RankingMetric;
  /** The best leader by `metric`. The factor refers to this leader. */
  readonly leader: string;
}

/**
 * Maximum difference between servers that are equivalent, as a share. If their whole confidence interval is
 * within it, they tie.
 */
const EQUIVALENT = 0.05;

/** Returns the number of workers of a variant's server; null means that the server chooses. */
export function workersOf({ servers }: Report, variant: string): number | null {
  return servers.find(({ id }) => id === variant)?.workers ?? null;
}

/** Returns whether another server of the same worker group has the same rank. */
export function sharesRank(report: Report, result: Result): boolean {
  const workers = workersOf(report, result.variant);
  return report.results.some((other) =>
    other.variant !== result.variant && other.rank === result.rank &&
    isSameWorkload(other, result) &&
    workersOf(report, other.variant) === workers
  );
}

/** Returns the ranking of every workload and worker group with a comparison. */
export function rankingsOf(report: Report): Ranking[] {
  const { results, comparisons } = report;
  const ranked = results.filter(({ status, rank }) => status === "ok" && rank !== null);
  const workerGroups = byWorkload(ranked).flatMap((
    results,
  ) => [...Map.groupBy(results, ({ variant }) => workersOf(report, variant)).values()]);
  return workerGroups.filter(({ length }) => length > 1).flatMap((group) => {
    const [first] = group as [Result, ...Result[]];
    const pairs = comparisons.filter((pair) => isSameWorkload(pair, first));
    const [pair] = pairs;
    if (pair === undefined) return [];
    const leaders = group.filter(({ rank }) => rank === 1).map(({ variant }) => variant);
    if (leaders.length === 0) return [];
    const followers = group.filter(({ rank }) => rank !== 1)
      .flatMap(({ variant }) => followerOf(variant, leaders, pairs));
    const among = pairs.filter(({ a, b }) => leaders.includes(a) && leaders.includes(b));
    return [{
      ...workloadOf(first),
      workers: workersOf(report, first.variant),
      hasOtherWorkerGroups: results.some((result) =>
        isSameWorkload(result, first) &&
        workersOf(report, result.variant) !== workersOf(report, first.variant)
      ),
      metric: pair.metric,
      leaders,
      isTie: among.every(({ confidenceInterval }) =>
        confidenceInterval !== null && confidenceInterval.low >= 1 - EQUIVALENT &&
        confidenceInterval.high <= 1 + EQUIVALENT
      ),
      others: followers.toSorted((a, b) => a.factor - b.factor),
      rival: rivalOf(report, group, leaders, pair.metric),
    }];
  });
}

function followerOf(
  variant: string,
  leaders: readonly string[],
  pairs: readonly Comparison[],
): Follower[] {
  const proven = leaders.flatMap((leader) => {
    const pair = pairs.find(({ a, b }) => [a, b].includes(variant) && [a, b].includes(leader));
    return pair?.better === leader ? [{ leader, pair }] : [];
  });
  const bound = ({ factor, confidenceInterval }: Factor): number =>
    confidenceInterval?.low ?? factor;
  const [closest] = proven.map(({ leader, pair }) => factorOf(pair, leader))
    .toSorted((a, b) => bound(a) - bound(b));
  if (closest === undefined) return [];
  return [{ variant, behind: proven.map(({ leader }) => leader), ...closest }];
}

/**
 * Returns the best server by the metric that the ranking does not use, compared with the best leader by that
 * metric. Null if it is not proven better.
 */
function rivalOf(
  report: Report,
  group: readonly Result[],
  leaders: readonly string[],
  rankingMetric: Comparison["metric"],
): Rival | null {
  const metric = rankingMetric === "requestsPerS" ? "serverCpuUs" : "requestsPerS";
  if (group.some((result) => result[metric] === null)) return null;
  const order = group.toSorted(better(metric));
  const [best] = order;
  const leader = order.find(({ variant }) => leaders.includes(variant));
  if (best === undefined || leader === undefined || best === leader) return null;
  const pair = compare(report, { ...workloadOf(best), a: best.variant, b: leader.variant, metric });
  if (pair?.better !== best.variant) return null;
  return { variant: best.variant, metric, leader: leader.variant, ...factorOf(pair, best.variant) };
}

/** Returns how many times better one server of a pair is than the other. */
function factorOf({ a, ratio, metric, confidenceInterval }: Comparison, variant: string): Factor {
  const isAsMeasured = (variant === a) === isMoreBetter(metric);
  return isAsMeasured ? { factor: ratio, confidenceInterval } : {
    factor: 1 / ratio,
    confidenceInterval: confidenceInterval &&
      { low: 1 / confidenceInterval.high, high: 1 / confidenceInterval.low },
  };
}

/**
 * Sorts results for tables and charts. Groups them by workload, in the order of scenarios and loads. In a
 * group, servers with fewer workers come first, then better ranks, then better figures.
 */
export function inOrder(report: Report, results: readonly Result[]): [Result, ...Result[]][] {
  const { scenarios, variants } = report.experiment;
  const variant = (result: Result): number => variants.findIndex(({ id }) => id === result.variant);
  const sorted = results.toSorted((a, b) =>
    scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario) ||
    a.connections - b.connections || (a.perS ?? 0) - (b.perS ?? 0) || variant(a) - variant(b)
  );
  return byWorkload(sorted).map((group) => {
    const [first] = group;
    const pair = report.comparisons.find((pair) => isSameWorkload(pair, first));
    const metric = pair?.metric ?? metricOf(group.filter(({ status }) => status === "ok"));
    const byFigure = better(metric === "requestsPerS" ? "requestsPerS" : "serverCpuUs");
    const workerGroup = ({ variant }: Result): number =>
      workersOf(report, variant) ?? Number.MAX_VALUE;
    const rank = ({ rank }: Result): number => rank ?? Number.MAX_VALUE;
    return group.sort((a, b) =>
      workerGroup(a) - workerGroup(b) || rank(a) - rank(b) || byFigure(a, b)
    );
  });
}

/**
 * Returns a function that sorts results by a metric. Better results come first; results without the metric
 * come last.
 */
function better(metric: RankingMetric): (a: Result, b: Result) => number {
  const worth = ({ requestsPerS, serverCpuUs, relativeCpu }: Result): number =>
    metric === "requestsPerS"
      ? -(requestsPerS?.median ?? 0)
      : relativeCpu?.ratio ?? serverCpuUs?.median ?? Number.MAX_VALUE;
  return (a, b) => worth(a) - worth(b);
}

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
