import type { IndexedCell, IndexEntry } from "../../model/history.ts";
import { markedRate, UNKNOWN } from "../format.ts";
import type { Table } from "../table.ts";

/** A row for each run and server, with what it reached at every scenario, and what an answer cost. */
export function historyTable(entries: readonly IndexEntry[]): Table {
  const cells = entries.flatMap((entry) => entry.cells);
  const columns = [...new Set(cells.map(({ scenario }) => scenario))].flatMap((scenario, i) => [
    { scenario, heading: scenario, dropOrder: 2 + 2 * i, of: reached },
    ...(cells.some((cell) => cell.scenario === scenario && cell.cost !== null)
      ? [{ scenario, heading: "cost", dropOrder: 3 + 2 * i, of: costOf }]
      : []),
  ]);
  const names = ["When", "Commit", "Report", "Server"];
  return {
    columns: [
      ...names.map((heading) => ({
        heading,
        isNumber: false,
        dropOrder: heading === "Report" ? 1 : 0,
      })),
      ...columns.map(({ heading, dropOrder }) => ({ heading, isNumber: true, dropOrder })),
    ],
    rows: entries.flatMap(({ file, createdAt, commit, complete, cells }) =>
      [...Map.groupBy(cells, ({ arm }) => arm)].map(([server, own]) => ({
        server,
        cells: [
          createdAt.slice(0, 16).replace("T", " "),
          commit === null ? UNKNOWN : commit.id.slice(0, 7) + (commit.isDirty ? "+" : ""),
          `${file}${complete ? "" : " (interrupted)"}`,
          server,
          ...columns.map(({ scenario, of }) =>
            of(own.filter((cell) => cell.scenario === scenario))
          ),
        ],
      }))
    ),
  };
}

function reached(cells: readonly IndexedCell[]): string {
  const best = bestOf(cells);
  if (best === undefined || best.requestsPerS === null) return UNKNOWN;
  return markedRate(best.requestsPerS, best);
}

/** What an answer costs where the most was reached. */
function costOf(cells: readonly IndexedCell[]): string {
  return bestOf(cells)?.cost?.toFixed(2) ?? UNKNOWN;
}

/** Of a sweep, the most. */
function bestOf(cells: readonly IndexedCell[]): IndexedCell | undefined {
  return cells.toSorted((a, b) => (b.requestsPerS ?? -1) - (a.requestsPerS ?? -1))[0];
}
