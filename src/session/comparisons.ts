import type { Cell, Comparison, Noise, NoiseOf } from "../findings.ts";
import type { TrialResult, WindowRecord } from "../model.ts";
import { pairedRatio } from "../stats/paired.ts";
import { requestsPerS, serverCpuUs } from "./figures.ts";

type Metric = Comparison["metric"];

const FIGURES: Readonly<Record<Metric, (window: WindowRecord) => number | null>> = {
  requestsPerS,
  serverCpuUs,
};

/**
 * Every pair of servers at every scenario, by the rounds that both were measured in: by Req/Sec, or by
 * processor time where the load generator or the machine was the limit of one of the servers there, or
 * may have been, since its rate is then not its own.
 */
export function compareServers(
  results: readonly TrialResult[],
  cells: readonly Cell[],
): Comparison[] {
  const scenarios = Map.groupBy(
    cells.filter(({ status }) => status === "ok"),
    (cell) => cell.scenario,
  );
  return [...scenarios].flatMap(([scenario, group]) => {
    const metric = metricOf(group);
    return group.flatMap(({ target: a }, i) =>
      group.slice(i + 1).flatMap(({ target: b }) =>
        compare(results, { scenario, a, b, metric }) ?? []
      )
    );
  });
}

/** By what the servers of one scenario are compared. */
export function metricOf(cells: readonly Cell[]): Metric {
  const isTheirs = cells.every(({ isLowerBound, verdict }) =>
    !isLowerBound && verdict?.limit !== "unclear"
  );
  const hasCost = cells.every(({ serverCpuUs }) => serverCpuUs !== null);
  return isTheirs || !hasCost ? "requestsPerS" : "serverCpuUs";
}

/** One pair by the ratio of their figures in each round; null if they share no round. */
export function compare(
  results: readonly TrialResult[],
  pair: Pick<Comparison, "scenario" | "a" | "b" | "metric">,
): Comparison | null {
  const ofA = figures(results, pair.a, pair);
  const ofB = figures(results, pair.b, pair);
  const rounds = [...ofA.keys()].filter((round) => ofB.has(round));
  const ratio = pairedRatio(
    rounds.map((round) => ofA.get(round) as number),
    rounds.map((round) => ofB.get(round) as number),
  );
  if (ratio === null) return null;
  const { estimate, interval, pValue } = ratio;
  return { ...pair, rounds: rounds.length, ratio: estimate, interval, pValue };
}

function figures(
  results: readonly TrialResult[],
  target: string,
  { scenario, metric }: { scenario: string; metric: Metric },
): Map<number, number> {
  const figures = new Map<number, number>();
  for (const { trial, window } of results) {
    if (trial.target !== target || trial.scenario !== scenario) continue;
    const figure = trial.purpose === "measure" && window ? FIGURES[metric](window) : null;
    if (figure !== null && figure > 0) figures.set(trial.round, figure);
  }
  return figures;
}

/** How much a server differs from itself, which is measured as two: scenario by scenario. */
export function noiseOf(
  results: readonly TrialResult[],
  cells: readonly Cell[],
  [a, b]: readonly [string, string],
): Noise[] {
  const valid = (twin: string): string[] =>
    cells.filter(({ target, status }) => target === twin && status === "ok")
      .map(({ scenario }) => scenario);
  const ofB = valid(b);
  return valid(a).filter((scenario) => ofB.includes(scenario)).map((scenario) => {
    const of = (metric: Metric): NoiseOf | null => {
      const comparison = compare(results, { scenario, a, b, metric });
      if (comparison === null) return null;
      const { rounds, ratio, interval } = comparison;
      const floor = interval && Math.max(1 - interval.low, interval.high - 1);
      return { rounds, ratio, interval, floor };
    };
    return {
      target: a,
      scenario,
      requestsPerS: of("requestsPerS"),
      serverCpuUs: of("serverCpuUs"),
    };
  });
}

/** The cells with their ranks: one more than the servers that are proven better at the same scenario. */
export function rank(cells: readonly Cell[], comparisons: readonly Comparison[]): Cell[] {
  return cells.map((cell) => {
    const own = comparisons.filter(({ scenario, a, b }) =>
      scenario === cell.scenario && [a, b].includes(cell.target)
    );
    if (own.every(({ interval }) => interval === null)) return cell;
    return {
      ...cell,
      rank: 1 + own.filter((pair) => winnerOf(pair, cell.target) === false).length,
    };
  });
}

/** Whether the target is proven better than the other of a pair; null if nothing is proven. */
function winnerOf({ a, metric, interval }: Comparison, target: string): boolean | null {
  if (interval === null || (interval.low <= 1 && interval.high >= 1)) return null;
  const isAMore = interval.low > 1;
  const isABetter = metric === "requestsPerS" ? isAMore : !isAMore;
  return isABetter === (a === target);
}
