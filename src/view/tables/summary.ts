import { inOrder } from "../../analysis/standings.ts";
import type { Cell } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { oneLine } from "../../model/text.ts";
import { UNKNOWN } from "../format.ts";
import { describeStatus } from "../reasons.ts";
import type { Row, Table } from "../table.ts";
import { COLUMNS, type Shown } from "./columns.ts";
import { absenceOf } from "./servers.ts";

/** What stands before the reason of a cell that has no figures. */
const NAMES = ["server", "scenario", "connections", "asked_per_s", "rank"];
/** Columns that stand there whatever is known. */
const ALWAYS = ["server", "scenario", "rank", "requests_per_s", "limit"];

/**
 * Makes the summary: a row for each scenario and server, the best server first, then the
 * servers that have no figures, each with the reason.
 *
 * @param isWide with every figure, and not only what answers first
 */
export function summaryTable(report: Report, isWide: boolean): Table {
  const { experiment: { arms } } = report;
  const columns = columnsOf(report, isWide);
  const shown = inOrder(report, presentCells(report)).flat();
  return {
    columns,
    rows: [
      ...shown.map((cell) => rowOf(cell, columns)),
      ...absentServers(report).map(({ id, reason }): Row => ({
        cells: arms.length > 1 ? [id] : [],
        rest: reason,
        server: id,
      })),
    ],
  };
}

/** Every figure of every cell, for machines: the same columns of every report. */
export function figuresTable({ cells, experiment: { scenarios } }: Report): Table {
  return {
    columns: COLUMNS,
    rows: scenarios.flatMap((scenario) =>
      cells.filter((cell) => cell.scenario === scenario).map((cell) => rowOf(cell, COLUMNS))
    ),
  };
}

/** The columns that a person sees of this report: none in which nothing is known. */
export function columnsOf(report: Report, isWide: boolean): readonly Shown[] {
  const ok = report.cells.filter(({ status }) => status === "ok");
  return COLUMNS.filter(({ key, text, isWanted = always, isBrief = always }) =>
    isWanted(report) && (isWide || isBrief(report)) &&
    (ALWAYS.includes(key) || ok.some((cell) => text(cell) !== UNKNOWN))
  ).map((column) => ({ ...column, text: column.textIn?.(report) ?? column.text }));
}

/** The servers without any figure, each with why. */
export function absentServers(report: Report): { id: string; reason: string }[] {
  return report.servers.flatMap((server) => {
    const reason = absenceOf(server, report);
    return reason === null ? [] : [{ id: server.id, reason }];
  });
}

/** The cells of servers that are not absent. */
export function presentCells(report: Report): Cell[] {
  const absent = absentServers(report);
  return report.cells.filter(({ arm }) => !absent.some(({ id }) => id === arm));
}

/** A cell as a row; one without figures has its names, and why. */
export function rowOf(cell: Cell, columns: readonly Shown[]): Row {
  const { status, isLowerBound, arm: server } = cell;
  const values = columns.map(({ value }) => value(cell));
  if (status !== "ok") {
    const names = columns.filter(({ key }) => NAMES.includes(key));
    const rest = oneLine(describeStatus(cell));
    return { cells: names.map(({ text }) => text(cell)), rest, restTone: "bad", values, server };
  }
  return {
    cells: columns.map(({ text }) => text(cell)),
    leading: isLowerBound ? "CPU/req" : "Req/Sec",
    // A rate that is not the server's own is the first thing to know of it
    ...(isLowerBound && { tones: { Limit: "doubtful" } }),
    values,
    server,
  };
}

function always(): boolean {
  return true;
}
