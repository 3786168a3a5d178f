/** Who is proven better than whom, put together from ranks and pairs. */
import type { Cell, Comparison } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { byTask, isSameTask, type Task, taskOf } from "./tasks.ts";

/** The servers of one league at one task that are not proven worse than any, and those that are. */
export interface Standing extends Task {
  /** Their number of workers; null: as many as they like. */
  readonly workers: number | null;
  /** Whether servers with another number of workers are at the same task. */
  readonly isLeague: boolean;
  /** By what they were compared. */
  readonly metric: Comparison["metric"];
  /** Those that nobody is proven better than. */
  readonly leaders: readonly string[];
  /** Whether the leaders are known to be alike, and not only not told apart. */
  readonly isTie: boolean;
  /** From the best to the worst; those that no leader is proven better than are left out. */
  readonly others: readonly Follower[];
}

/** A server that is proven worse than some of the leaders. */
export interface Follower {
  readonly arm: string;
  readonly behind: readonly string[];
  /** How many times as good as it the least of those is: 1.9. */
  readonly factor: number;
}

/** What lies within this share of each other is alike. */
const ALIKE = 0.05;

/** The number of workers of an arm's server; null: as many as it likes. */
export function workersOf({ servers }: Report, arm: string): number | null {
  return servers.find(({ id }) => id === arm)?.workers ?? null;
}

/** Whether others of its league have the rank of a cell as well. */
export function sharesRank(report: Report, cell: Cell): boolean {
  const workers = workersOf(report, cell.arm);
  return report.cells.some((other) =>
    other.arm !== cell.arm && other.rank === cell.rank && isSameTask(other, cell) &&
    workersOf(report, other.arm) === workers
  );
}

/** The standing at every task and in every league where something is proven, or could have been. */
export function standingsOf(report: Report): Standing[] {
  const { cells, comparisons } = report;
  const ranked = cells.filter(({ status, rank }) => status === "ok" && rank !== null);
  const leagues = byTask(ranked).flatMap((
    cells,
  ) => [...Map.groupBy(cells, ({ arm }) => workersOf(report, arm)).values()]);
  return leagues.filter(({ length }) => length > 1).flatMap((group) => {
    const [first] = group as [Cell, ...Cell[]];
    const pairs = comparisons.filter((pair) => isSameTask(pair, first));
    const [pair] = pairs;
    if (pair === undefined) return [];
    const leaders = group.filter(({ rank }) => rank === 1).map(({ arm }) => arm);
    if (leaders.length === 0) return [];
    const followers = group.filter(({ rank }) => rank !== 1)
      .flatMap(({ arm }) => followerOf(arm, leaders, pairs));
    const among = pairs.filter(({ a, b }) => leaders.includes(a) && leaders.includes(b));
    return [{
      ...taskOf(first),
      workers: workersOf(report, first.arm),
      isLeague: cells.some((cell) =>
        isSameTask(cell, first) && workersOf(report, cell.arm) !== workersOf(report, first.arm)
      ),
      metric: pair.metric,
      leaders,
      isTie: among.every(({ interval }) =>
        interval !== null && interval.low >= 1 - ALIKE && interval.high <= 1 + ALIKE
      ),
      others: followers.toSorted((a, b) => a.factor - b.factor),
    }];
  });
}

function followerOf(
  arm: string,
  leaders: readonly string[],
  pairs: readonly Comparison[],
): Follower[] {
  const proven = leaders.flatMap((leader) => {
    const pair = pairs.find(({ a, b }) => [a, b].includes(arm) && [a, b].includes(leader));
    return pair?.better === leader ? [{ leader, pair }] : [];
  });
  if (proven.length === 0) return [];
  return [{
    arm,
    behind: proven.map(({ leader }) => leader),
    factor: Math.min(...proven.map(({ leader, pair }) => timesAsGood(pair, leader))),
  }];
}

/** How many times as good one server of a pair is as the other. */
function timesAsGood({ a, ratio, metric }: Comparison, arm: string): number {
  const ofA = metric === "requestsPerS" ? ratio : 1 / ratio;
  return arm === a ? ofA : 1 / ofA;
}
