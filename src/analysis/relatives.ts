/** What each server needs, or reaches, beside one that all of them are compared with. */
import type { Cell, Interval, Metric } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { slicesRatio } from "./blocks.ts";
import { metricOf } from "./comparisons.ts";
import { inOrder } from "./standings.ts";
import { isSameTask, type Task, taskOf } from "./tasks.ts";

/** Servers at one task, in the order of `inOrder`. */
export interface Relatives extends Task {
  /** What is compared: more is better of rates, less of processor time. */
  readonly metric: Exclude<Metric, "p50Us">;
  /** What figures are multiples of: the reference by its label, or the best server by its id. */
  readonly base: string;
  readonly items: readonly Relative[];
}

/** A server's figure as a multiple of another's. */
export interface Relative {
  readonly cell: Cell;
  readonly ratio: number;
  /** Null for too few rounds. */
  readonly interval: Pick<Interval, "low" | "high"> | null;
}

/**
 * The servers of each task beside the reference by processor time, where all of them have slices; elsewhere beside
 * the best of them, by the pairs that ranks are made of, or for want of those by windows.
 */
export function relativesOf(report: Report): Relatives[] {
  const known = report.cells.filter(({ status }) => status === "ok");
  return inOrder(report, known).flatMap((group) =>
    bySlices(group, report) ?? byPairs(group, report) ?? byWindows(group) ?? []
  );
}

function bySlices(
  group: readonly Cell[],
  { blocks, comparisons, experiment: { reference } }: Report,
): Relatives | null {
  if (reference === null) return null;
  const [task] = group as [Cell, ...Cell[]];
  const pair = comparisons.find((pair) => isSameTask(pair, task));
  // The reference answers another request: rates have nothing to do with each other
  if (pair?.metric === "requestsPerS") return null;
  const metric = "serverCpuUs";
  const items = group.flatMap((cell): Relative[] => {
    const ratio = slicesRatio(blocks, {
      ...taskOf(cell),
      a: cell.arm,
      b: reference.id,
      metric,
    });
    return ratio === null ? [] : [{ cell, ratio: ratio.estimate, interval: ratio.interval }];
  });
  if (items.length < group.length) return null;
  return { ...taskOf(task), metric, base: reference.label, items };
}

/** Beside the best by rank, as ranks themselves are made: pair by pair. */
function byPairs(group: readonly Cell[], { comparisons }: Report): Relatives | null {
  const pairs = comparisons.filter((pair) => isSameTask(pair, group[0] as Cell));
  const metric = pairs[0]?.metric;
  if (metric === undefined || metric === "p50Us") return null;
  const figure = (cell: Cell): number => cell[metric]?.median ?? NaN;
  const sign = metric === "requestsPerS" ? -1 : 1;
  const [best] = group.toSorted((a, b) =>
    (a.rank ?? Infinity) - (b.rank ?? Infinity) || sign * (figure(a) - figure(b))
  );
  if (best === undefined) return null;
  const items = group.flatMap((cell): Relative[] => {
    if (cell === best) return [{ cell, ratio: 1, interval: null }];
    const pair = pairs.find(({ a, b }) => [a, b].includes(cell.arm) && [a, b].includes(best.arm));
    if (pair === undefined) return [];
    const { a, ratio, interval } = pair;
    return a === cell.arm ? [{ cell, ratio, interval }] : [{
      cell,
      ratio: 1 / ratio,
      interval: interval && { low: 1 / interval.high, high: 1 / interval.low },
    }];
  });
  return items.length < group.length ? null : { ...taskOf(best), metric, base: best.arm, items };
}

function byWindows(group: readonly Cell[]): Relatives | null {
  const metric = metricOf(group);
  const known = group.flatMap((cell) => {
    const estimate = cell[metric];
    return estimate === null || estimate.median <= 0 ? [] : [{ cell, estimate }];
  });
  const sign = metric === "requestsPerS" ? -1 : 1;
  const [best] = known.toSorted((a, b) => sign * (a.estimate.median - b.estimate.median));
  if (best === undefined) return null;
  const { median } = best.estimate;
  const items = known.map(({ cell, estimate: { median: own, interval } }): Relative => ({
    cell,
    ratio: own / median,
    interval: interval && { low: interval.low / median, high: interval.high / median },
  }));
  return { ...taskOf(best.cell), metric, base: best.cell.arm, items };
}
