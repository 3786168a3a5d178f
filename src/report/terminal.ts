import type { Report } from "../model.ts";
import { type Column, conditions, remarks, summaryTable, type Table } from "./table.ts";

/** Where text goes: how wide it is, and whether it shows styles. */
export interface Screen {
  readonly columns: number;
  readonly styled: boolean;
}

const GAP = "  ";
const LEGEND = [
  "Req/Sec: median of the rounds; ±: half its 95 % interval (6 rounds at least); CPU/req: the server's",
  "processor time for an answer; p50 and p99: service time, from sending to the last byte.",
];

/** The summary for a terminal. */
export function terminal(report: Report, screen: Screen): string {
  return [
    "",
    ...draw(summaryTable(report), screen),
    "",
    ...remarks(report),
    ...conditions(report),
    ...LEGEND,
    "",
  ].join("\n");
}

/** Draws a table as lines that fit the screen; columns that find no room are left out. */
export function draw(table: Table, { columns: width, styled }: Screen): string[] {
  const { columns, rows } = fit(table, width);
  const widths = columns.map(({ heading }, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0))
  );
  const line = (texts: readonly string[]): string =>
    texts.map((text, i) =>
      columns[i]?.isNumber ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)
    ).join(GAP).trimEnd();
  const heading = line(columns.map(({ heading }) => heading));
  return [styled ? `\x1b[1m${heading}\x1b[0m` : heading, ...rows.map(line)];
}

function fit(table: Table, width: number): Table {
  const needed = table.columns.reduce(
    (sum, { heading }, i) =>
      sum + GAP.length + Math.max(heading.length, ...table.rows.map((row) => row[i]?.length ?? 0)),
    -GAP.length,
  );
  const last = Math.max(...table.columns.map(({ dropOrder }) => dropOrder));
  if (needed <= width || last === 0) return table;
  const stays = ({ dropOrder }: Column): boolean => dropOrder < last;
  return fit({
    columns: table.columns.filter(stays),
    rows: table.rows.map((row) => row.filter((_text, i) => stays(table.columns[i] as Column))),
  }, width);
}
