import type { IndexedResult, IndexEntry } from "../../model/history.ts";
import { UNKNOWN } from "../../model/format.ts";
import { markedRate, multiple, plusMinus } from "../format.ts";
import { isSmokeRun } from "../../analysis/index_entry.ts";
import { nameOfRun } from "../histories_text.ts";
import { column, type Table } from "../table.ts";

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
