/** Who is proven better than whom, put together from ranks and pairs. */
import type { Cell, Comparison } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { isSameTask } from "./cell_key.ts";

/** The servers of one league at one task that are not proven worse than any, and those that are. */
export interface Standing {
  readonly scenario: string;
  readonly connections: number;
  /** Their number of workers; null: as many as they like. */
  readonly workers: number | null;
  /** By what they were compared. */
  readonly metric: Comparison["metric"];
  readonly leaders: readonly string[];
  /** From the best to the worst. */
  readonly others: readonly Follower[];
}

/** A server that is proven worse than some of the leaders, or than those behind them. */
export interface Follower {
  readonly arm: string;
  /** The leaders that are proven better; empty where only others are. */
  readonly behind: readonly string[];
  /** How many times as good the least of those is, or of all leaders where it is empty: 1.9. */
  readonly factor: number;
}

/** The number of workers of an arm's server; null: as many as it likes. */
export function workersOf({ servers, experiment: { arms } }: Report, arm: string): number | null {
  const id = arms.find((one) => one.id === arm)?.server;
  return servers.find((server) => server.id === id)?.workers ?? null;
}

/** The standing at every task and in every league where something is proven, or could have been. */
export function standingsOf(report: Report): Standing[] {
  const { cells, comparisons } = report;
  const ranked = cells.filter(({ status, rank }) => status === "ok" && rank !== null);
  const groups = Map.groupBy(
    ranked,
    ({ scenario, connections, arm }) =>
      JSON.stringify([scenario, connections, workersOf(report, arm)]),
  );
  return [...groups.values()].filter(({ length }) => length > 1).flatMap((group) => {
    const [first] = group as [Cell, ...Cell[]];
    const pairs = comparisons.filter((pair) => isSameTask(pair, first));
    const [pair] = pairs;
    if (pair === undefined) return [];
    const leaders = group.filter(({ rank }) => rank === 1).map(({ arm }) => arm);
    const followers = group.filter(({ rank }) => rank !== 1)
      .map(({ arm }) => followerOf(arm, leaders, pairs));
    return [{
      scenario: first.scenario,
      connections: first.connections,
      workers: workersOf(report, first.arm),
      metric: pair.metric,
      leaders,
      others: followers.toSorted((a, b) => a.factor - b.factor),
    }];
  });
}

function followerOf(
  arm: string,
  leaders: readonly string[],
  pairs: readonly Comparison[],
): Follower {
  const against = leaders.flatMap((leader) => {
    const pair = pairs.find(({ a, b }) => [a, b].includes(arm) && [a, b].includes(leader));
    return pair === undefined ? [] : [{ leader, pair }];
  });
  const proven = against.filter(({ leader, pair }) => pair.better === leader);
  const factors = (proven.length > 0 ? proven : against).map(({ leader, pair }) =>
    timesAsGood(pair, leader)
  );
  return {
    arm,
    behind: proven.map(({ leader }) => leader),
    factor: Math.min(...factors),
  };
}

/** How many times as good one server of a pair is as the other. */
function timesAsGood({ a, ratio, metric }: Comparison, arm: string): number {
  const ofA = metric === "requestsPerS" ? ratio : 1 / ratio;
  return arm === a ? ofA : 1 / ofA;
}
