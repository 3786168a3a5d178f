import type { Cell, CellKey, Comparison, Metric, Noise, NoiseOf } from "../model/derived.ts";
import type { TrialResult, WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { pairedRatio } from "../stats/paired.ts";
import { requestsPerS, serverCpuUs } from "./figures.ts";
import { isSliced, SLICES_FLOOR, type SlicesPair, slicesRatio } from "./blocks.ts";
import { cellKeyOf, isSameCell } from "./cell_key.ts";
import { isSameTask, type Task, taskOf } from "./tasks.ts";
import { isClimbingWindow } from "./trends.ts";

const FIGURES: Readonly<Record<Metric, (window: WindowRecord) => number | null>> = {
  requestsPerS,
  serverCpuUs,
  p50Us: ({ measurement }) => measurement.latency?.p50Us ?? null,
};

/** Everything that a run measured. */
export type Measured = Pick<Report, "trialResults" | "blocks">;

/**
 * Every pair of servers at every scenario, by their slices, or where there are none by the windows of the
 * rounds that both were measured in: by Req/Sec, or by
 * processor time where the load generator or the machine was the limit of one of the servers there, or
 * may have been, since its rate is then not its own.
 */
export function compareServers(
  measured: Measured,
  cells: readonly Cell[],
): Comparison[] {
  const tasks = Map.groupBy(
    cells.filter(({ status, climbing }) => status === "ok" && climbing === null),
    (cell) => JSON.stringify(taskOf(cell)),
  );
  return [...tasks.values()].flatMap((group) => {
    const task = taskOf(group[0] as Cell);
    const metric = metricOf(group);
    return group.flatMap(({ arm: a }, i) =>
      group.slice(i + 1).flatMap(({ arm: b }) => compare(measured, { ...task, a, b, metric }) ?? [])
    );
  });
}

/** By what the servers at one task are compared. */
export function metricOf(cells: readonly Cell[]): Exclude<Metric, "p50Us"> {
  const isTheirs = cells.every(({ isLowerBound, verdict }) =>
    !isLowerBound && verdict?.limit !== "unclear"
  );
  const hasCost = cells.every(({ serverCpuUs }) => serverCpuUs !== null);
  return isTheirs || !hasCost ? "requestsPerS" : "serverCpuUs";
}

/** One pair by the ratio of their figures in each round; null if they share no round. */
export function compare(
  { trialResults, blocks }: Measured,
  pair: Task & Pick<Comparison, "a" | "b" | "metric">,
): Comparison | null {
  const bySlices = slicesRatio(blocks, pair);
  const ratio = bySlices ?? windowsRatio(trialResults, pair);
  if (ratio === null) return null;
  const { estimate, interval, pValue, rounds } = ratio;
  return {
    ...pair,
    method: bySlices === null ? "windows" : "slices",
    rounds,
    ratio: estimate,
    interval,
    pValue,
    // Two folders of the same code may differ by as much
    better: bySlices !== null && Math.abs(estimate - 1) < SLICES_FLOOR[pair.metric]
      ? null
      : betterOf(pair, interval),
  };
}

/** How many times as large a's figure is as b's, by their windows. */
function windowsRatio(
  trialResults: readonly TrialResult[],
  pair: SlicesPair,
): ReturnType<typeof slicesRatio> {
  const of = (arm: string): Map<number, number> =>
    figuresOf(trialResults, { ...pair, arm }, pair.metric);
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
  interval: Comparison["interval"],
): string | null {
  if (interval === null || (interval.low <= 1 && interval.high >= 1)) return null;
  const isAMore = interval.low > 1;
  return isAMore === (metric === "requestsPerS") ? a : b;
}

/** The positive figures of one cell, by round; of windows that began before the server had warmed up, none. */
export function figuresOf(
  trialResults: readonly TrialResult[],
  key: CellKey,
  metric: Metric,
): Map<number, number> {
  const figures = new Map<number, number>();
  for (const { trial, window } of trialResults) {
    if (!isSameCell(cellKeyOf(trial), key)) continue;
    if (trial.purpose !== "measure" || window === null || isClimbingWindow(window)) continue;
    const figure = FIGURES[metric](window);
    if (figure !== null && figure > 0) figures.set(trial.round, figure);
  }
  return figures;
}

/**
 * How much a server differs from itself, which is measured as two: scenario by scenario, by windows and, where
 * there are any, by slices.
 */
export function noiseOf(
  { trialResults, blocks }: Measured,
  cells: readonly Cell[],
  [a, b]: readonly [string, string],
): Noise[] {
  const valid = (twin: string): Cell[] =>
    cells.filter(({ arm, status }) => arm === twin && status === "ok");
  const ofB = valid(b);
  const both = valid(a).filter((cell) => ofB.some((other) => isSameTask(cell, other)));
  return both.flatMap((cell) => {
    const task = taskOf(cell);
    const noise = (method: Noise["method"], measured: Measured): Noise => ({
      arm: a,
      ...task,
      method,
      requestsPerS: noiseOfFigure(measured, { ...task, a, b, metric: "requestsPerS" }),
      serverCpuUs: noiseOfFigure(measured, { ...task, a, b, metric: "serverCpuUs" }),
    });
    return [
      ...(isSliced(blocks, task) ? [noise("slices", { trialResults: [], blocks })] : []),
      noise("windows", { trialResults, blocks: [] }),
    ];
  });
}

function noiseOfFigure(measured: Measured, pair: SlicesPair): NoiseOf | null {
  const comparison = compare(measured, pair);
  if (comparison === null) return null;
  const { rounds, ratio, interval } = comparison;
  const floor = interval && Math.max(1 - interval.low, interval.high - 1);
  return { rounds, ratio, interval, floor };
}

/**
 * The cells with their ranks: one more than the servers of the same league that are proven better at
 * the same task.
 *
 * @param leagues each server's number of workers, by its id; null: as many as it likes
 */
export function rank(
  cells: readonly Cell[],
  comparisons: readonly Comparison[],
  leagues: ReadonlyMap<string, number | null>,
): Cell[] {
  return cells.map((cell) => {
    const own = comparisons.filter(({ a, b, ...task }) =>
      isSameTask(task, cell) && [a, b].includes(cell.arm) && leagues.get(a) === leagues.get(b)
    );
    if (own.every(({ interval }) => interval === null)) return cell;
    return {
      ...cell,
      rank: 1 + own.filter(({ better }) => ![null, cell.arm].includes(better)).length,
    };
  });
}
