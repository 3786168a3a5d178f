/** Makes texts about the history of runs. */
import { isSmokeRun } from "../analysis/index_entry.ts";
import type { ChangePoint, ResultHistory } from "../analysis/derive_histories.ts";
import type { IndexEntry } from "../model/history.ts";
import { count, UNKNOWN } from "../model/format.ts";
import { percent } from "./tables/changes_table.ts";

/**
 * Returns the name of a run: its commit, `abc1234`, with + for uncommitted changes; without a commit,
 * its time.
 */
export function nameOfRun({ commit, createdAt }: Pick<IndexEntry, "commit" | "createdAt">): string {
  return commit === null
    ? createdAt.slice(0, 16).replace("T", " ")
    : commit.id.slice(0, 7) + (commit.isDirty ? "+" : "");
}

/**
 * Returns names of runs for an axis: their days, `01-06`. Adds the year if the runs are from several
 * years, and the time if a day has several runs.
 */
export function datesOf(entries: readonly Pick<IndexEntry, "createdAt">[]): string[] {
  const years = new Set(entries.map(({ createdAt }) => createdAt.slice(0, 4)));
  const days = entries.map(({ createdAt }) => createdAt.slice(years.size > 1 ? 0 : 5, 10));
  return entries.map(({ createdAt }, i) => {
    const day = days[i] ?? "";
    const isOnly = days.indexOf(day) === days.lastIndexOf(day);
    return isOnly ? day : `${day} ${createdAt.slice(11, 16)}`;
  });
}

/**
 * Returns the settings in which a run differs from usual ones: `HTTP/2, one round`; empty for a usual
 * run.
 */
export function peculiarityOf({ tls, results }: Pick<IndexEntry, "tls" | "results">): string {
  return [
    ...(tls === null ? [] : [tls === "h2" ? "HTTP/2" : "TLS"]),
    ...(isSmokeRun(results) ? ["one round"] : []),
  ].join(", ");
}

/**
 * Groups runs by {@linkcode peculiarityOf}, so that the runs of a group are comparable. The group of
 * usual runs comes first. The order within a group is kept.
 */
export function alikeRuns<T extends IndexEntry>(
  entries: readonly T[],
): { readonly peculiarity: string; readonly entries: readonly T[] }[] {
  return [...Map.groupBy(entries, peculiarityOf)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([peculiarity, entries]) => ({ peculiarity, entries }));
}

/** Describes a change between two runs: `+10.0 % from abc1234 (2026-01-01) to def5678 (2026-01-02)`. */
export function describeChangePoint(
  { ratio, before, after }: ChangePoint,
  entries: readonly IndexEntry[],
): string {
  const of = (place: number): string => {
    const entry = entries[place];
    if (entry === undefined) return UNKNOWN;
    const name = nameOfRun(entry);
    return entry.commit === null ? name : `${name} (${entry.createdAt.slice(0, 10)})`;
  };
  return `${percent(ratio)} from ${of(before)} to ${of(after)}`;
}

/** Smallest number of runs in which a change can be found: five before it and five after it. */
const ENOUGH = 10;

/** Explains why no change was found: too few runs, or none is proven. */
export function withoutChanges(histories: readonly ResultHistory[]): string {
  const searched = Math.max(0, ...histories.map(({ searched }) => searched));
  return searched < ENOUGH
    ? `Too few runs to find a change: it takes ${ENOUGH} runs of several rounds with the same reference; there are ${searched}.`
    : `No change of the relative CPU time is proven in ${count(searched, "run")}.`;
}
