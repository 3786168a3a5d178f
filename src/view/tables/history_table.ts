/** Makes texts about the history of runs. */

import { type ChangePoint, isSmokeRun, type ResultHistory } from "../../analysis/histories.ts";
import type { IndexedResult, IndexEntry } from "../../model/report.ts";
import { count, UNKNOWN } from "../../model/text.ts";
import { markedRate, multiple, plusMinus } from "../format.ts";
import { column, type Table } from "../table.ts";
import { percent } from "./changes_table.ts";

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
function peculiarityOf({ tls, results }: Pick<IndexEntry, "tls" | "results">): string {
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

/** A column with the figures of one scenario. */
interface HistoryColumn {
  readonly scenario: string;
  readonly heading: string;
  readonly dropOrder: number;
  readonly of: (result: IndexedResult) => string;
}

/**
 * Returns a row for each run and server, with relative CPU times and rates. Relative CPU times are
 * comparable from day to day, rates are not.
 *
 * Narrow outputs drop the file names first, then rates, then relative CPU times; of the latter two,
 * the last scenario first.
 */
export function historyTable<T extends IndexEntry>(
  entries: readonly T[],
  linkOf?: (entry: T) => string,
): Table {
  const results = entries.flatMap((entry) => entry.results);
  const scenarios = [...new Set(results.map(({ scenario }) => scenario))];
  const columns = scenarios.flatMap((scenario, i): HistoryColumn[] => {
    const hasRelativeCpu = results.some((result) =>
      result.scenario === scenario && result.relativeCpu !== null
    );
    const rates = { scenario, heading: scenario, of: reached };
    return hasRelativeCpu
      ? [
        { ...rates, dropOrder: RATES + i },
        {
          scenario,
          heading: `${scenario} rel. CPU`,
          dropOrder: RELATIVE_CPU + i,
          of: relativeCpuOf,
        },
      ]
      : [{ ...rates, dropOrder: RELATIVE_CPU + i }];
  });
  const names = ["When", "Commit", "Report", "Server"];
  return {
    columns: [
      ...names.map((heading) => column(heading, false, NAMES[heading])),
      ...columns.map(({ heading, dropOrder }) => column(heading, true, dropOrder)),
    ],
    rows: entries.flatMap((entry) =>
      [...Map.groupBy(entry.results, ({ variant }) => variant)].map(([server, own]) => ({
        server,
        ...(linkOf && { link: linkOf(entry) }),
        cells: [
          entry.createdAt.slice(0, 16).replace("T", " ") + noteOn(entry, own),
          entry.commit === null ? UNKNOWN : nameOfRun(entry),
          entry.file,
          server,
          ...columns.map(({ scenario, of }) => {
            const best = bestOf(own.filter((result) => result.scenario === scenario));
            return best === undefined ? UNKNOWN : of(best);
          }),
        ],
      }))
    ),
  };
}

/** Drop orders of the columns with names (`dropOrder`): files are dropped first, commits last. */
const NAMES: Readonly<Record<string, number>> = { Report: 1000, Commit: 1 };
/** Drop order of the first scenario's rate, if it also has relative CPU times. */
const RATES = 500;
/** Drop order of the first scenario's relative CPU time. */
const RELATIVE_CPU = 2;

/**
 * Returns a note for a run that is not a complete measurement with usual settings: ` (interrupted)`;
 * empty otherwise.
 */
function noteOn(
  { complete, kind, tls, isUnderWay = false }: IndexEntry,
  results: readonly IndexedResult[],
): string {
  if (isUnderWay) return " (running)";
  // The rate is configured, not the server's highest
  if (kind === "distributed") return complete ? " (merged, at a rate)" : " (merged, incomplete)";
  if (!complete) return " (interrupted)";
  const spoken = tls === null ? [] : [tls === "h2" ? "HTTP/2" : "TLS"];
  const notes = [...spoken, ...(isSmokeRun(results) ? ["smoke run"] : [])];
  return notes.length === 0 ? "" : ` (${notes.join(", ")})`;
}

function reached(result: IndexedResult): string {
  if (result.requestsPerS === null) return UNKNOWN;
  return markedRate(result.requestsPerS.median, result) + plusMinus(result.requestsPerS);
}

function relativeCpuOf({ relativeCpu }: IndexedResult): string {
  return relativeCpu === null ? UNKNOWN : multiple(relativeCpu.median) + plusMinus(relativeCpu);
}

/**
 * Returns the result with the highest rate. A server has several results if it was measured at several
 * loads.
 */
function bestOf(results: readonly IndexedResult[]): IndexedResult | undefined {
  return results.toSorted((a, b) =>
    (b.requestsPerS?.median ?? -1) - (a.requestsPerS?.median ?? -1)
  )[0];
}
