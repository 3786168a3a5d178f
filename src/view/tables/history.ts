import type { IndexedCell, IndexEntry } from "../../model/history.ts";
import { rate, UNKNOWN } from "../format.ts";
import type { Table } from "../table.ts";

/** A row for each run and server, with what it reached at every scenario. */
export function historyTable(entries: readonly IndexEntry[]): Table {
  const cells = entries.flatMap((entry) => entry.cells);
  const tasks = [...new Set(cells.map(({ scenario }) => scenario))];
  const names = ["When", "Commit", "Report", "Server"];
  return {
    columns: [
      ...names.map((heading) => ({
        heading,
        isNumber: false,
        dropOrder: heading === "Report" ? 1 : 0,
      })),
      ...tasks.map((heading, i) => ({ heading, isNumber: true, dropOrder: 2 + i })),
    ],
    rows: entries.flatMap(({ file, createdAt, commit, complete, cells }) =>
      [...Map.groupBy(cells, ({ arm }) => arm)].map(([server, own]) => ({
        server,
        cells: [
          createdAt.slice(0, 16).replace("T", " "),
          commit === null ? UNKNOWN : commit.id.slice(0, 7) + (commit.isDirty ? "+" : ""),
          `${file}${complete ? "" : " (interrupted)"}`,
          server,
          ...tasks.map((task) => reached(own.filter(({ scenario }) => scenario === task))),
        ],
      }))
    ),
  };
}

/** Of a sweep, the most. */
function reached(cells: readonly IndexedCell[]): string {
  const best = cells.toSorted((a, b) => (b.requestsPerS ?? -1) - (a.requestsPerS ?? -1))[0];
  if (best === undefined || best.requestsPerS === null) return UNKNOWN;
  return `${best.isLowerBound ? "≥ " : ""}${rate(best.requestsPerS)}`;
}
