/** Runs one after the other: how each cell went, and where it changed. */
import type { CellKey } from "../model/derived.ts";
import type { IndexedCell, IndexEntry } from "../model/history.ts";
import { changePoints } from "../stats/change_points.ts";
import { median } from "../stats/median.ts";
import { isSameCell, keyOf } from "./cell_key.ts";

/** A cell over the runs. */
export interface History extends CellKey {
  /** What each run knows of it, in the order of the runs; null where that is nothing. */
  readonly cells: readonly (IndexedCell | null)[];
  readonly changes: readonly ChangePoint[];
  /** Runs that changes could be found in. */
  readonly searched: number;
}

/** A change for good, or for a while, of what an answer costs. */
export interface ChangePoint {
  /** The last run before it, and the first with it, by their places. */
  readonly before: number;
  readonly after: number;
  /** The median cost up to the next change, over that from the last one: 1.1 is 10 % more. */
  readonly ratio: number;
}

/**
 * Every cell over the runs. Changes are looked for in what an answer costs in those of the reference, which neither
 * days nor machines move, from runs of several rounds beside the newest run's reference.
 *
 * @param entries the oldest first
 */
export function historiesOf(entries: readonly IndexEntry[]): History[] {
  const keys: CellKey[] = [];
  for (const cell of entries.flatMap(({ cells }) => cells)) {
    if (!keys.some((key) => isSameCell(key, cell))) keys.push(cell);
  }
  const reference = entries.findLast((entry) => entry.reference !== null)?.reference;
  return keys.map((cell) => {
    const key = keyOf(cell);
    const cells = entries.map((entry) => entry.cells.find((one) => isSameCell(one, key)) ?? null);
    const known = cells.flatMap((cell, place) =>
      cell?.cost && cell.rounds > 1 && entries[place]?.reference === reference
        ? [{ place, cost: Math.log(cell.cost.median) }]
        : []
    );
    const costs = known.map(({ cost }) => cost);
    const starts = changePoints(costs);
    const changes = starts.map((start, i): ChangePoint => {
      const before = median(costs.slice(starts[i - 1] ?? 0, start));
      const after = median(costs.slice(start, starts[i + 1]));
      return {
        before: known[start - 1]?.place ?? 0,
        after: known[start]?.place ?? 0,
        ratio: Math.exp(after - before),
      };
    });
    return { ...key, cells, changes, searched: known.length };
  });
}
