/** Finds changes in the results of a series of runs. */
import type { ResultKey } from "../model/derived.ts";
import type { IndexedResult, IndexEntry } from "../model/history.ts";
import { changePoints } from "../stats/change_points.ts";
import { median } from "../stats/median.ts";
import { isSameResult, keyOf } from "./result_key.ts";

/** One result over a series of runs. */
export interface ResultHistory extends ResultKey {
  /** The result in each run, in order; null if a run does not have it. */
  readonly results: readonly (IndexedResult | null)[];
  readonly changes: readonly ChangePoint[];
  /** Number of runs in which the search for changes could use the result. */
  readonly searched: number;
}

/** A change of relative CPU, lasting or temporary. */
export interface ChangePoint {
  /** Index of the last run before the change. */
  readonly before: number;
  /** Index of the first run after the change. */
  readonly after: number;
  /** Median relative CPU after the change divided by the median before it. 1.1 is 10 % more. */
  readonly ratio: number;
}

/**
 * Returns every result over the runs, with its changes. It searches for changes in relative CPU, which
 * depends much less on the day and the machine than other figures do. It uses only runs that have several
 * rounds and the same reference as the newest run.
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
