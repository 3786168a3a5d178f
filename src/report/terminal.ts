import type { Report } from "../model.ts";
import { conditions, remarks, type Row, summaryTable, type Table } from "./table.ts";

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
  const widths = columns.map((_column, i) => columnWidth({ columns, rows }, i));
  const line = ({ cells, rest = "" }: Row): string => {
    const padded = cells.map((text, i) =>
      columns[i]?.isNumber ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)
    );
    return [...padded, rest].join(GAP).trimEnd();
  };
  const heading = line({ cells: columns.map(({ heading }) => heading) });
  return [styled ? `\x1b[1m${heading}\x1b[0m` : heading, ...rows.map(line)];
}

function columnWidth({ columns, rows }: Table, i: number): number {
  const lengths = rows.map(({ cells }) => cells[i]?.length ?? 0);
  return Math.max(columns[i]?.heading.length ?? 0, ...lengths);
}

function fit(table: Table, width: number): Table {
  const { columns, rows } = table;
  const needed = columns.reduce((sum, _column, i) => sum + GAP.length + columnWidth(table, i), 0);
  const last = Math.max(...columns.map(({ dropOrder }) => dropOrder));
  if (needed - GAP.length <= width || last === 0) return table;
  const stays = (i: number): boolean => (columns[i]?.dropOrder ?? 0) < last;
  return fit({
    columns: columns.filter((_column, i) => stays(i)),
    rows: rows.map(({ cells, ...rest }) => ({
      cells: cells.filter((_cell, i) => stays(i)),
      ...rest,
    })),
  }, width);
}
