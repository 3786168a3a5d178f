/** Who is proven better than whom, put together from ranks and pairs. */
import type { Comparison, ConfidenceInterval, Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { compare, metricOf } from "./comparisons.ts";
import { byWorkload, isSameWorkload, type Workload, workloadOf } from "./workloads.ts";

/** The servers of one worker group at one workload that are not proven worse than any, and those that are. */
export interface Ranking extends Workload {
  /** Their number of workers; null: as many as they like. */
  readonly workers: number | null;
  /** Whether servers with another number of workers are at the same workload. */
  readonly hasOtherWorkerGroups: boolean;
  /** By what they were compared. */
  readonly metric: Comparison["metric"];
  /** Those that nobody is proven better than. */
  readonly leaders: readonly string[];
  /** Whether the leaders are known to be alike, and not only not told apart. */
  readonly isTie: boolean;
  /** From the best to the worst; those that no leader is proven better than are left out. */
  readonly others: readonly Follower[];
  /** The best server by the other figure, if it is proven better there than a leader. */
  readonly rival: Rival | null;
}

/** How many times as good one server is as another. */
interface Factor {
  readonly factor: number;
  /** The 95 % confidence interval of the factor; null for too few rounds. */
  readonly confidenceInterval: Pick<ConfidenceInterval, "low" | "high"> | null;
}

/** A server that is proven worse than some leaders; the factor is the one with the lowest proven bound. */
export interface Follower extends Factor {
  readonly variant: string;
  readonly behind: readonly string[];
}

/** A server that is best by the figure that does not rank. */
export interface Rival extends Factor {
  readonly variant: string;
  readonly metric: RankingMetric;
  /** The leader that the factor compares it with. */
  readonly leader: string;
}

/** The figures that rank servers. */
type RankingMetric = "requestsPerS" | "serverCpuUs";

/** What lies within this share of each other is alike. */
const ALIKE = 0.05;

/** The number of workers of a variant's server; null: as many as it likes. */
export function workersOf({ servers }: Report, variant: string): number | null {
  return servers.find(({ id }) => id === variant)?.workers ?? null;
}

/** Whether others of its worker group have the rank of a result as well. */
export function sharesRank(report: Report, result: Result): boolean {
  const workers = workersOf(report, result.variant);
  return report.results.some((other) =>
    other.variant !== result.variant && other.rank === result.rank &&
    isSameWorkload(other, result) &&
    workersOf(report, other.variant) === workers
  );
}

/** The ranking at every workload and in every worker group where something is proven, or could have been. */
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
        confidenceInterval !== null && confidenceInterval.low >= 1 - ALIKE &&
        confidenceInterval.high <= 1 + ALIKE
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

/** The best of a group by the figure that does not rank, compared with the best leader there. */
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

/** How many times as good one server of a pair is as the other. */
function factorOf({ a, ratio, metric, confidenceInterval }: Comparison, variant: string): Factor {
  const isAsMeasured = (variant === a) === (metric === "requestsPerS");
  return isAsMeasured ? { factor: ratio, confidenceInterval } : {
    factor: 1 / ratio,
    confidenceInterval: confidenceInterval &&
      { low: 1 / confidenceInterval.high, high: 1 / confidenceInterval.low },
  };
}

/**
 * Sorts results as every table and picture shows them: a group for each workload, in the order of the
 * scenarios and loads. In a group, servers with fewer workers come first, then the better ranks, and
 * of equal ranks the better figure.
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

/** Compares results by a figure, the better one first, and those without it last. */
function better(metric: RankingMetric): (a: Result, b: Result) => number {
  const worth = ({ requestsPerS, serverCpuUs, relativeCpu }: Result): number =>
    metric === "requestsPerS"
      ? -(requestsPerS?.median ?? 0)
      : relativeCpu?.ratio ?? serverCpuUs?.median ?? Number.MAX_VALUE;
  return (a, b) => worth(a) - worth(b);
}
