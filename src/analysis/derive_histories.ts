/** Runs one after the other: how each result went, and where it changed. */
import type { ResultKey } from "../model/derived.ts";
import type { IndexedResult, IndexEntry } from "../model/history.ts";
import { changePoints } from "../stats/change_points.ts";
import { median } from "../stats/median.ts";
import { isSameResult, keyOf } from "./result_key.ts";

/** A result over the runs. */
export interface ResultHistory extends ResultKey {
  /** What each run knows of it, in the order of the runs; null where that is nothing. */
  readonly results: readonly (IndexedResult | null)[];
  readonly changes: readonly ChangePoint[];
  /** Runs that changes could be found in. */
  readonly searched: number;
}

/** A change for good, or for a while, of what a response costs. */
export interface ChangePoint {
  /** The last run before it, and the first with it, by their places. */
  readonly before: number;
  readonly after: number;
  /** The median cost up to the next change, over that from the last one: 1.1 is 10 % more. */
  readonly ratio: number;
}

/**
 * Every result over the runs. Changes are looked for in what a response costs in those of the reference, which neither
 * days nor machines move, from runs of several rounds beside the newest run's reference.
 *
 * @param entries the oldest first
 */
export function historiesOf(entries: readonly IndexEntry[]): ResultHistory[] {
  const keys: ResultKey[] = [];
  for (const result of entries.flatMap(({ results }) => results)) {
    if (!keys.some((key) => isSameResult(key, result))) keys.push(result);
  }
  const reference = entries.findLast((entry) => entry.reference !== null)?.reference;
  return keys.map((result) => {
    const key = keyOf(result);
    const results = entries.map((entry) =>
      entry.results.find((one) => isSameResult(one, key)) ?? null
    );
    const known = results.flatMap((result, place) =>
      result?.relativeCpu && result.rounds > 1 && entries[place]?.reference === reference
        ? [{ place, relativeCpu: Math.log(result.relativeCpu.median) }]
        : []
    );
    const relativeCpu = known.map(({ relativeCpu }) => relativeCpu);
    const starts = changePoints(relativeCpu);
    const changes = starts.map((start, i): ChangePoint => {
      const before = median(relativeCpu.slice(starts[i - 1] ?? 0, start));
      const after = median(relativeCpu.slice(start, starts[i + 1]));
      return {
        before: known[start - 1]?.place ?? 0,
        after: known[start]?.place ?? 0,
        ratio: Math.exp(after - before),
      };
    });
    return { ...key, results, changes, searched: known.length };
  });
}
