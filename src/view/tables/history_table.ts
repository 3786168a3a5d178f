/** Makes texts about the history of runs. */
import { isSmokeRun, type ResultHistory } from "../../analysis/histories.ts";
import type { IndexedResult, IndexEntry } from "../../model/report.ts";
import { count, nonEmpty, UNKNOWN } from "../../model/text.ts";
import { distinct, markedRate, minute, multiple, plusMinus } from "../format.ts";
import { makeTable, numbers, type Table, words } from "../table.ts";
import { percent } from "./changes_table.ts";

/** Returns the name of a run: its commit, `abc1234`, or `abc1234+` with changes; else its time. */
export function nameOfRun(entry: Pick<IndexEntry, "commit" | "createdAt">): string {
  const { commit } = entry;
  return commit === null
    ? minute(entry.createdAt)
    : commit.id.slice(0, 7) + (commit.isDirty ? "+" : "");
}

/** Returns days for an axis, `01-06`, with the year or time if the runs differ in it. */
export function datesOf(entries: readonly Pick<IndexEntry, "createdAt">[]): string[] {
  const years = new Set(entries.map(({ createdAt }) => createdAt.slice(0, 4)));
  const days = entries.map(({ createdAt }) => createdAt.slice(years.size > 1 ? 0 : 5, 10));
  return entries.map(({ createdAt }, i) => {
    const day = days[i] ?? "";
    const isOnly = days.indexOf(day) === days.lastIndexOf(day);
    return isOnly ? day : `${day} ${createdAt.slice(11, 16)}`;
  });
}

function peculiarityOf(
  { tls, results }: Pick<IndexEntry, "tls" | "results">,
  oneRound: string,
): string {
  return nonEmpty(
    tls !== null && (tls === "h2" ? "HTTP/2" : "TLS"),
    isSmokeRun(results) && oneRound,
  ).join(", ");
}

/** Groups comparable runs, by their unusual settings. Usual runs come first; the order is kept. */
export function alikeRuns<T extends IndexEntry>(
  entries: readonly T[],
): { readonly peculiarity: string; readonly entries: readonly T[] }[] {
  return [...Map.groupBy(entries, (entry) => peculiarityOf(entry, "one round"))]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([peculiarity, entries]) => ({ peculiarity, entries }));
}

/** Describes a change between two runs: `+10.0 % from abc1234 (2026-01-01) to def5678 (2026-01-02)`. */
export function describeChangePoint(
  { ratio, before, after }: ResultHistory["changes"][number],
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

/** Returns a row per run and server. Narrow outputs drop rates: CPU compares from day to day. */
export function historyTable<T extends IndexEntry>(
  entries: readonly T[],
  linkOf?: (entry: T) => string,
): Table {
  const items = entries.flatMap((entry) =>
    [...Map.groupBy(entry.results, ({ variant }) => variant)]
      .map(([server, results]) => ({ entry, server, results }))
  );
  const all = entries.flatMap(({ results }) => results);
  const figures = distinct(all.map(({ scenario }) => scenario)).flatMap((scenario, i) => {
    const of = (text: (result: IndexedResult) => string) => ({ results }: typeof items[number]) => {
      // A server has several results if it was measured at several loads
      const [best] = results.filter((result) => result.scenario === scenario)
        .toSorted((a, b) => (b.requestsPerS?.median ?? -1) - (a.requestsPerS?.median ?? -1));
      return best === undefined ? UNKNOWN : text(best);
    };
    const hasRelativeCpu = all.some((one) => one.scenario === scenario && one.relativeCpu !== null);
    return [
      // Without relative CPU times, rates stay as long as these
      numbers(scenario, of(reached), (hasRelativeCpu ? 500 : 2) + i),
      hasRelativeCpu && numbers(`${scenario} rel. CPU`, of(relativeCpuOf), 2 + i),
    ];
  });
  return makeTable(items, [
    words("When", ({ entry, results }) => minute(entry.createdAt) + noteOn(entry, results)),
    words("Commit", ({ entry }) => entry.commit === null ? UNKNOWN : nameOfRun(entry), 1),
    words("Report", ({ entry }) => entry.file, 1000),
    words("Server", ({ server }) => server),
    ...figures,
  ], ({ entry, server }) => ({ server, ...(linkOf && { link: linkOf(entry) }) }));
}

function noteOn(
  { complete, kind, tls, isUnderWay }: IndexEntry,
  results: readonly IndexedResult[],
): string {
  if (isUnderWay) return " (running)";
  // The rate is configured, not the server's highest
  if (kind === "distributed") return complete ? " (merged, at a rate)" : " (merged, incomplete)";
  if (!complete) return " (interrupted)";
  const notes = peculiarityOf({ tls, results }, "smoke run");
  return notes === "" ? "" : ` (${notes})`;
}

function reached(result: IndexedResult): string {
  if (result.requestsPerS === null) return UNKNOWN;
  return markedRate(result.requestsPerS.median, result) + plusMinus(result.requestsPerS);
}

function relativeCpuOf({ relativeCpu }: IndexedResult): string {
  return relativeCpu === null ? UNKNOWN : multiple(relativeCpu.median) + plusMinus(relativeCpu);
}
