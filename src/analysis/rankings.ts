/** Derives from comparisons the rankings, the order of results, and ratios to a baseline. */
import type { Comparison, ConfidenceInterval, Result } from "../model/derived.ts";
import { isMoreBetter, type Metric, type RankingMetric } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import { compare, metricOf } from "./comparisons.ts";
import { byWorkload, isSameWorkload, type Workload, workloadOf } from "./keys.ts";

/** The servers of one worker group at one workload: the leaders, and the servers that are proven worse. */
export interface Ranking extends Workload {
  readonly workers: number | null; // null: the server chooses
  /** Whether other servers with another number of workers were measured at this workload. */
  readonly hasOtherWorkerGroups: boolean;
  readonly metric: Metric;
  /** Servers for which no other server is proven better. */
  readonly leaders: readonly string[];
  /** Whether the leaders are proven equivalent, not just undecided. */
  readonly isTie: boolean;
  /** Servers that are proven worse than a leader, the best first. */
  readonly others: readonly Follower[];
  /** The best server by the other metric; null unless it is proven better than the best leader. */
  readonly rival: Rival | null;
}

/** How many times better one server is than another. The interval is null for too few rounds. */
interface Factor {
  readonly factor: number;
  readonly confidenceInterval: Pick<ConfidenceInterval, "low" | "high"> | null;
}

/** A server that is proven worse than some leaders. The factor refers to the closest of these leaders. */
export interface Follower extends Factor {
  readonly variant: string;
  /** The leaders that are proven better than this server. */
  readonly behind: readonly string[];
}

/** The best server by the metric that the ranking does not use. The factor refers to `leader`. */
interface Rival extends Factor {
  readonly variant: string;
  readonly metric: RankingMetric;
  /** The best leader by `metric`. */
  readonly leader: string;
}

/** Maximum difference between equivalent servers, as a share: their whole confidence interval is within it. */
const EQUIVALENT = 0.05;

/** Returns the ranking of every workload and worker group with a comparison. */
export function rankingsOf(report: Report): Ranking[] {
  const ranked = report.results.filter(({ status, rank }) => status === "ok" && rank !== null);
  return byWorkload(ranked).flatMap((ofWorkload) => {
    const pairs = report.comparisons.filter((pair) => isSameWorkload(pair, ofWorkload[0]));
    const [pair] = pairs;
    if (pair === undefined) return [];
    const workerGroups = Map.groupBy(ofWorkload, ({ variant }) => workersOf(report, variant));
    return [...workerGroups].flatMap(([workers, group]): Ranking[] => {
      const leaders = group.filter(({ rank }) => rank === 1).map(({ variant }) => variant);
      if (group.length < 2 || leaders.length === 0) return [];
      const followers = group.filter(({ rank }) => rank !== 1)
        .flatMap(({ variant }) => followerOf(variant, leaders, pairs));
      const among = pairs.filter(({ a, b }) => leaders.includes(a) && leaders.includes(b));
      return [{
        ...workloadOf(pair),
        workers,
        hasOtherWorkerGroups: report.results.some((result) =>
          isSameWorkload(result, pair) && workersOf(report, result.variant) !== workers
        ),
        metric: pair.metric,
        leaders,
        isTie: among.every(({ confidenceInterval }) => {
          const { low, high } = confidenceInterval ?? { low: 0, high: Infinity };
          return low >= 1 - EQUIVALENT && high <= 1 + EQUIVALENT;
        }),
        others: followers.toSorted((a, b) => a.factor - b.factor),
        rival: rivalOf(report, group, leaders, pair.metric),
      }];
    });
  });
}

function followerOf(
  variant: string,
  leaders: readonly string[],
  pairs: readonly Comparison[],
): Follower[] {
  const factors = leaders.map((leader) => provenFactor(pairs, leader, variant));
  const behind = leaders.filter((_leader, i) => factors[i] !== null);
  const bound = ({ confidenceInterval, factor }: Factor): number =>
    confidenceInterval?.low ?? factor;
  const [closest] = factors.filter((one) => one !== null).sort((a, b) => bound(a) - bound(b));
  return closest === undefined ? [] : [{ variant, behind, ...closest }];
}

function rivalOf(
  report: Report,
  group: readonly Result[],
  leaders: readonly string[],
  rankingMetric: Metric,
): Rival | null {
  const metric = rankingMetric === "requestsPerS" ? "serverCpuUs" : "requestsPerS";
  if (group.some((result) => result[metric] === null)) return null;
  const order = group.toSorted(better(metric, group));
  const [best] = order;
  const leader = order.find(({ variant }) => leaders.includes(variant))?.variant;
  if (best === undefined || leader === undefined || best.variant === leader) return null;
  const { variant } = best;
  const pair = compare(report, { ...workloadOf(best), a: variant, b: leader, metric });
  const factor = pair && provenFactor([pair], variant, leader);
  return factor && { variant, metric, leader, ...factor };
}

/** Returns how many times better one server is than another; null unless that is proven. */
function provenFactor(
  pairs: readonly Comparison[],
  better: string,
  worse: string,
): Factor | null {
  const pair = pairs.find((pair) => pair.better === better && [pair.a, pair.b].includes(worse));
  if (pair === undefined) return null;
  const { ratio, ...interval } = ratioOf(pair, isMoreBetter(pair.metric) ? better : worse);
  return { factor: ratio, ...interval };
}

/** Returns the figure of one server of a pair divided by the other's. */
function ratioOf(
  { a, ratio, confidenceInterval }: Comparison,
  variant: string,
): Pick<Factor, "confidenceInterval"> & { readonly ratio: number } {
  if (variant === a) return { ratio, confidenceInterval };
  return {
    ratio: 1 / ratio,
    confidenceInterval: confidenceInterval &&
      { low: 1 / confidenceInterval.high, high: 1 / confidenceInterval.low },
  };
}

/** Returns the number of workers of a variant's server; null means that the server chooses. */
export function workersOf({ servers }: Report, variant: string): number | null {
  return servers.find(({ id }) => id === variant)?.workers ?? null;
}

/** Returns whether another server of the same worker group has the same rank. */
export function sharesRank(report: Report, result: Result): boolean {
  const workers = workersOf(report, result.variant);
  return report.results.some((other) =>
    other.variant !== result.variant && other.rank === result.rank &&
    isSameWorkload(other, result) && workersOf(report, other.variant) === workers
  );
}

/** Sorts results by workload. In each group, fewer workers come first, then better ranks and figures. */
export function inOrder(report: Report, results: readonly Result[]): [Result, ...Result[]][] {
  const { scenarios, variants } = report.experiment;
  const variant = (result: Result): number => variants.findIndex(({ id }) => id === result.variant);
  const sorted = results.toSorted((a, b) =>
    scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario) ||
    a.connections - b.connections || (a.perS ?? 0) - (b.perS ?? 0) || variant(a) - variant(b)
  );
  return byWorkload(sorted).map((group) => {
    const pair = report.comparisons.find((pair) => isSameWorkload(pair, group[0]));
    const metric = pair?.metric ?? metricOf(group.filter(({ status }) => status === "ok"));
    const byFigure = better(metric, group);
    const workers = ({ variant }: Result): number => workersOf(report, variant) ?? Number.MAX_VALUE;
    const rank = ({ rank }: Result): number => rank ?? Number.MAX_VALUE;
    return group.sort((a, b) => workers(a) - workers(b) || rank(a) - rank(b) || byFigure(a, b));
  });
}

/**
 * Sorts results by rate, or else by CPU time: the best first, those without the figure last. CPU time is
 * relative to the reference if all of the group that are right have that.
 */
function better(metric: Metric, group: readonly Result[]): (a: Result, b: Result) => number {
  const isRelative = group.every(({ status, relativeCpu }) =>
    status !== "ok" || relativeCpu !== null
  );
  const worth = ({ requestsPerS, serverCpuUs, relativeCpu }: Result): number =>
    metric === "requestsPerS"
      ? -(requestsPerS?.median ?? 0)
      : (isRelative ? relativeCpu?.ratio : serverCpuUs?.median) ?? Number.MAX_VALUE;
  return (a, b) => worth(a) - worth(b);
}

/** The servers of one workload with their ratios to a baseline, in the order of `inOrder`. */
export interface BaselineRatios extends Workload {
  readonly metric: RankingMetric;
  /** The label of the reference, or the id of the best server. */
  readonly base: string;
  /** Each server's figure divided by the baseline's. */
  readonly items: readonly (ReturnType<typeof ratioOf> & { readonly result: Result })[];
}

/**
 * Returns the servers of each workload with their ratios to a baseline, without those with a climbing rate. The
 * baseline is the reference's CPU time, if every server has slices and servers are not compared by rate.
 * Otherwise the baseline is the best server: by pairwise comparisons if there are any, else by windows.
 */
export function baselineRatiosOf(report: Report): BaselineRatios[] {
  const known = report.results.filter(({ status, climbing }) =>
    status === "ok" && climbing === null
  );
  return inOrder(report, known).flatMap((group) => {
    const pairs = report.comparisons.filter((pair) => isSameWorkload(pair, group[0]));
    const ratios = bySlices(group, pairs, report) ?? byPairs(group, pairs) ?? byWindows(group);
    return ratios === null ? [] : [{ ...workloadOf(group[0]), ...ratios }];
  });
}

type Ratios = Omit<BaselineRatios, keyof Workload>;

function bySlices(
  group: readonly Result[],
  [pair]: readonly Comparison[],
  { experiment: { reference } }: Report,
): Ratios | null {
  // The reference answers another request, so its rate cannot be compared.
  if (reference === null || pair?.metric === "requestsPerS") return null;
  const items = group.flatMap((result) => {
    const { relativeCpu } = result;
    return relativeCpu === null ? [] : [{ result, ...relativeCpu }];
  });
  return items.length < group.length
    ? null
    : { metric: "serverCpuUs", base: reference.label, items };
}

/** Compares each server with the best-ranked one, by the same pairwise ratios as the ranks. */
function byPairs(group: readonly Result[], pairs: readonly Comparison[]): Ratios | null {
  const metric = pairs[0]?.metric;
  if (metric === undefined || metric === "p50Us") return null;
  const figure = (result: Result): number => result[metric]?.median ?? NaN;
  const sign = isMoreBetter(metric) ? -1 : 1;
  const [best] = group.toSorted((a, b) =>
    (a.rank ?? Infinity) - (b.rank ?? Infinity) || sign * (figure(a) - figure(b))
  );
  if (best === undefined) return null;
  const items = group.flatMap((result) => {
    if (result === best) return [{ result, ratio: 1, confidenceInterval: null }];
    const pair = pairs.find(({ a, b }) =>
      [a, b].includes(result.variant) && [a, b].includes(best.variant)
    );
    return pair === undefined ? [] : [{ result, ...ratioOf(pair, result.variant) }];
  });
  return items.length < group.length ? null : { metric, base: best.variant, items };
}

function byWindows(group: readonly Result[]): Ratios | null {
  const metric = metricOf(group);
  const known = group.flatMap((result) => {
    const estimate = result[metric];
    return estimate === null || estimate.median <= 0 ? [] : [{ result, ...estimate }];
  });
  const sign = isMoreBetter(metric) ? -1 : 1;
  const [best] = known.toSorted((a, b) => sign * (a.median - b.median));
  if (best === undefined) return null;
  const items = known.map(({ result, median, confidenceInterval }) => ({
    result,
    ratio: median / best.median,
    confidenceInterval: confidenceInterval &&
      { low: confidenceInterval.low / best.median, high: confidenceInterval.high / best.median },
  }));
  return { metric, base: best.result.variant, items };
}
