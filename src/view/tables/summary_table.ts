import { inOrder } from "../../analysis/rankings.ts";
import type { Result } from "../../model/derived.ts";
import { FIGURES } from "../../model/figures.ts";
import type { Report } from "../../model/report.ts";
import { oneLine } from "../../model/text.ts";
import { UNKNOWN } from "../../model/format.ts";
import { describeStatus } from "../reasons.ts";
import type { Row, Table } from "../table.ts";
import { COLUMNS, type ResultColumn } from "./result_columns.ts";
import { absenceOf } from "./servers_table.ts";

/** Keys of the columns that come before the reason in the row of a result without figures. */
const NAMES = ["server", "scenario", "connections", "asked_per_s", "rank"];
/** Keys of the columns that are shown even if they are empty. */
const ALWAYS = ["server", "scenario", "rank", "requests_per_s", "bottleneck"];

/**
 * Returns a row for each scenario and server, the best server first. Servers without figures come
 * last, with the reason.
 *
 * @param isWide whether to show every column
 */
export function summaryTable(report: Report, isWide: boolean): Table {
  const { experiment: { variants } } = report;
  const columns = columnsOf(report, isWide);
  const shown = inOrder(report, presentResults(report)).flat();
  return {
    columns,
    rows: [
      ...shown.map((result) => rowOf(result, columns)),
      ...absentServers(report).map(({ id, reason }): Row => ({
        cells: variants.length > 1 ? [id] : [],
        rest: reason,
        server: id,
      })),
    ],
  };
}

/** Returns the columns that people see for this report, without empty ones. */
export function columnsOf(report: Report, isWide: boolean): readonly ResultColumn[] {
  const ok = report.results.filter(({ status }) => status === "ok");
  const columns = COLUMNS.filter((column): column is ResultColumn => "heading" in column);
  return columns.filter(({ key, text, isWanted = always, isBrief = always }) =>
    isWanted(report) && (isWide || isBrief(report)) &&
    (ALWAYS.includes(key) || ok.some((result) => text(result) !== UNKNOWN))
  ).map((column) => ({ ...column, text: column.textIn?.(report) ?? column.text }));
}

/** Returns the servers without any figure, with the reasons. */
export function absentServers(report: Report): { id: string; reason: string }[] {
  return report.servers.flatMap((server) => {
    const reason = absenceOf(server, report);
    return reason === null ? [] : [{ id: server.id, reason }];
  });
}

/** Returns the results of servers with at least one figure. */
export function presentResults(report: Report): Result[] {
  const absent = absentServers(report);
  return report.results.filter(({ variant }) => !absent.some(({ id }) => id === variant));
}

/** Returns a result as a row. Without figures, the row has the result's names and the reason. */
export function rowOf(result: Result, columns: readonly ResultColumn[]): Row {
  const { status, isLowerBound, variant: server } = result;
  const values = columns.map(({ value }) => value(result));
  if (status !== "ok") {
    const names = columns.filter(({ key }) => NAMES.includes(key));
    const rest = oneLine(describeStatus(result));
    return { cells: names.map(({ text }) => text(result)), rest, restTone: "bad", values, server };
  }
  return {
    cells: columns.map(({ text }) => text(result)),
    leading: FIGURES[isLowerBound ? "serverCpuUs" : "requestsPerS"].column.heading,
    // A lower bound must catch the eye
    ...(isLowerBound && { tones: { Bottleneck: "doubtful" } }),
    values,
    server,
  };
}

function always(): boolean {
  return true;
}
