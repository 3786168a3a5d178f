import { inOrder } from "../../analysis/rankings.ts";
import type { Result } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { oneLine } from "../../model/text.ts";
import { UNKNOWN } from "../format.ts";
import { describeStatus } from "../reasons.ts";
import type { Row, Table } from "../table.ts";
import { COLUMNS, type ResultColumn } from "./result_columns.ts";
import { absenceOf } from "./servers_table.ts";

/** What stands before the reason of a result that has no figures. */
const NAMES = ["server", "scenario", "connections", "asked_per_s", "rank"];
/** Columns that stand there whatever is known. */
const ALWAYS = ["server", "scenario", "rank", "requests_per_s", "bottleneck"];

/**
 * Makes the summary: a row for each scenario and server, the best server first, then the
 * servers that have no figures, each with the reason.
 *
 * @param isWide with every figure, and not only what answers first
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

/** Every figure of every result, for machines: the same columns of every report. */
export function figuresTable({ results, experiment: { scenarios } }: Report): Table {
  return {
    columns: COLUMNS,
    rows: scenarios.flatMap((scenario) =>
      results.filter((result) => result.scenario === scenario).map((result) =>
        rowOf(result, COLUMNS)
      )
    ),
  };
}

/** The columns that a person sees of this report: none in which nothing is known. */
export function columnsOf(report: Report, isWide: boolean): readonly ResultColumn[] {
  const ok = report.results.filter(({ status }) => status === "ok");
  return COLUMNS.filter(({ key, text, isWanted = always, isBrief = always }) =>
    isWanted(report) && (isWide || isBrief(report)) &&
    (ALWAYS.includes(key) || ok.some((result) => text(result) !== UNKNOWN))
  ).map((column) => ({ ...column, text: column.textIn?.(report) ?? column.text }));
}

/** The servers without any figure, each with why. */
export function absentServers(report: Report): { id: string; reason: string }[] {
  return report.servers.flatMap((server) => {
    const reason = absenceOf(server, report);
    return reason === null ? [] : [{ id: server.id, reason }];
  });
}

/** The results of servers that are not absent. */
export function presentResults(report: Report): Result[] {
  const absent = absentServers(report);
  return report.results.filter(({ variant }) => !absent.some(({ id }) => id === variant));
}

/** A result as a row; one without figures has its names, and why. */
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
    leading: isLowerBound ? "CPU/req" : "Req/Sec",
    // A rate that is not the server's own is the first thing to know of it
    ...(isLowerBound && { tones: { Bottleneck: "doubtful" } }),
    values,
    server,
  };
}

function always(): boolean {
  return true;
}
