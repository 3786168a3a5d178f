import type { Report } from "../model/report.ts";
import { explain } from "./explain.ts";
import { printable } from "../model/text.ts";
import { conditions } from "./conditions.ts";
import { footer } from "./footer.ts";
import { latencyLines } from "./latencies.ts";
import { meanings } from "./meanings.ts";
import { remarks } from "./remarks.ts";
import { briefTables, ownTables, wideTables } from "./tables/own.ts";
import type { Row, Table } from "./table.ts";
import { wrap } from "./wrap.ts";

/** Where text goes: how wide it is, and whether it shows styles. */
export interface Screen {
  readonly columns: number;
  readonly styled: boolean;
}

const GAP = "  ";
/** A reason that has less room beside its names stands below them. */
const LEAST_ROOM = 30;
/** What is printed of a report beside what answers first. */
export interface Extent {
  /** Scenarios whose evidence follows. */
  readonly explained: readonly string[];
  /** Every figure, remark and condition. */
  readonly isWide: boolean;
  /** The report's file as it is typed; null: it is the newest one, which needs no name. */
  readonly file: string | null;
}

/** The summary for a terminal. */
export function terminal(
  report: Report,
  screen: Screen,
  { explained, isWide, file }: Extent = { explained: [], isWide: false, file: null },
): string {
  const wrapped = (text: string): string[] => wrap(printable(text), screen.columns);
  const own = ownTables(report).flatMap(({ verdict, caption, table, notes }) => [
    ...(verdict === undefined ? [] : [...wrapped(verdict), ""]),
    `${caption}:`,
    ...draw(table, screen),
    ...notes.flatMap(wrapped),
    "",
  ]);
  const tables = isWide ? wideTables(report) : briefTables(report);
  const legend = meanings(tables);
  return [
    "",
    ...own,
    ...tables.flatMap((table) => [...draw(table, screen), ""]),
    ...onlyLatencies(report),
    ...(isWide
      ? [...remarks(report, file), ...conditions(report), ...legend].flatMap(wrapped)
      : footer(report, screen.columns, file)),
    "",
    ...explain(report, explained).map(printable),
  ].join("\n");
}

/** Of one server at one thing, such as a URL, how long its answers took. */
function onlyLatencies(report: Report): string[] {
  const [only, ...others] = report.cells;
  // An open loop has its response times
  if (only?.status !== "ok" || others.length > 0 || only.perS !== null) return [];
  const lines = latencyLines(report, only);
  return lines.length === 0 ? [] : ["Latency, all rounds together:", ...lines, ""];
}

/** Draws a table as lines that fit the screen; columns that find no room are named below it. */
export function draw(table: Table, { columns: width, styled }: Screen): string[] {
  const { columns, rows } = fit(table, width);
  const widths = columns.map((_column, i) => columnWidth({ columns, rows }, i));
  const line = ({ cells, rest = "", leading }: Row): string[] => {
    if (cells.length === 0) return wrap(printable(rest), width);
    const padded = cells.map((text, i) => {
      const width = widths[i] ?? 0;
      const cell = printable(columns[i]?.isNumber ? text.padStart(width) : text.padEnd(width));
      return styled && columns[i]?.heading === leading ? bold(cell) : cell;
    });
    const start = padded.join(GAP);
    if (rest === "") return [start.trimEnd()];
    // Beside its names, or below them where these leave no room
    const room = width - start.length - GAP.length;
    if (room < LEAST_ROOM) return [start.trimEnd(), ...indented(rest, width, "    ")];
    const [first = "", ...others] = indented(rest, width, " ".repeat(start.length + GAP.length));
    return [start + first.slice(start.length), ...others];
  };
  const [heading = ""] = line({ cells: columns.map(({ heading }) => heading) });
  const missing = table.columns.filter((column) => !columns.includes(column))
    .map(({ heading }) => heading).filter((heading) => heading !== "");
  const note = missing.length > 0 ? [`(no room here for ${missing.join(", ")})`] : [];
  return [styled ? bold(heading) : heading, ...rows.flatMap(line), ...note];
}

/** A reason in as many lines as it takes, below each other. */
function indented(text: string, width: number, indent: string): string[] {
  return wrap(printable(text), width - indent.length).map((line) => indent + line);
}

function bold(text: string): string {
  return `\x1b[1m${text}\x1b[0m`;
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
