/** Draws tables as lines of text. */
import { printable } from "../model/text.ts";
import {
  hanging,
  LEAST_ROOM,
  type Row,
  type Table,
  tinted,
  withoutColumns,
  wrap,
  wrapAll,
} from "./table.ts";

/** An output for text: its width in columns, and whether it supports styles. */
export interface Screen {
  readonly columns: number;
  readonly styled: boolean;
}

const GAP = "  ";
/** Indent of a row's further lines, if the row's names take more than half of the screen. */
const SHORT_INDENT = "    ";

/**
 * Draws a table as lines that fit the screen.
 *
 * A long text in the last column is wrapped. If that does not suffice, columns are left out by their
 * `dropOrder` and named below the table. If the table is still too wide, each row takes several lines.
 *
 * @param isWhole whether no column may be left out
 */
export function draw(whole: Table, { columns: width, styled }: Screen, isWhole = false): string[] {
  const table = isWhole ? whole : fit(whole, width);
  const { columns, rows } = table;
  const widths = columns.map((_column, i) => columnWidth(table, i));
  const { bands, indent } = arrange(table, widths, width);
  const widthOf = (i: number): number => widths[i] ?? 0;
  const line = ({ cells, rest = "", leading, tones = {}, restTone }: Row): string[] => {
    if (cells.length === 0) return wrapAll([rest], width);
    const padded = cells.map((text, i) => {
      const { isNumber = false, heading = "" } = columns[i] ?? {};
      const space = " ".repeat(Math.max(0, widthOf(i) - text.length));
      const tone = tones[heading];
      const cell = printable(text);
      const toned = styled && tone !== undefined ? tinted(cell, tone) : cell;
      const shown = styled && heading === leading ? bold(toned) : toned;
      return isNumber ? space + shown : shown + space;
    });
    if (rest !== "") {
      const start = padded.join(GAP) + GAP;
      const lines = hanging(start, printable(rest), width);
      if (!styled || restTone === undefined) return lines;
      // Names before the text keep their colour
      return lines.map((text) =>
        text.startsWith(start) ? start + tinted(text.slice(start.length), restTone) : text
      );
    }
    return bands.flatMap((band, i) => {
      const last = band.at(-1) ?? 0;
      const before = band.slice(0, -1);
      const start = i === 0 ? "" : indent;
      const length = start.length + sum(before.map((at) => widthOf(at) + GAP.length));
      const text = start + before.map((at) => (padded[at] ?? "") + GAP).join("");
      const isWrapped = last === columns.length - 1 && length + widthOf(last) > width;
      return isWrapped
        ? hanging(text, printable(cells[last] ?? ""), width, length)
        : [(text + (padded[last] ?? "")).trimEnd()];
    });
  };
  const missing = whole.columns.filter((column) => !columns.includes(column))
    .map(({ heading }) => heading).filter((heading) => heading !== "").join(", ");
  return [
    ...line({ cells: columns.map(({ heading }) => heading) })
      .map((text) => styled ? bold(text) : text),
    ...rows.flatMap(line),
    ...(missing === "" ? [] : wrap(`(too narrow for ${missing})`, width)),
  ];
}

/** Distributes columns, by index, over the fewest lines that fit the screen, names first. */
function arrange(
  table: Table,
  widths: readonly number[],
  width: number,
): { readonly bands: readonly (readonly number[])[]; readonly indent: string } {
  const all = widths.keys().toArray();
  if (leastWidth(table) <= width || width < LEAST_ROOM) return { bands: [all], indent: "" };
  const namesCount = Math.max(1, table.columns.findIndex(({ isNumber }) => isNumber));
  const names = all.slice(0, namesCount);
  const namesWidth = sum(names.map((i) => (widths[i] ?? 0) + GAP.length));
  const isShort = namesWidth > width / 2;
  const indent = isShort ? SHORT_INDENT : " ".repeat(namesWidth);
  const into = (room: number): number[][] => lines(all.slice(namesCount), table, widths, room);
  // Shrinks the room while the number of lines stays the same, so that lines are about equally long
  let room = width - indent.length;
  const least = into(room).length;
  while (room > 0 && into(room - 1).length === least) room--;
  const [first = [], ...further] = into(room);
  return {
    bands: isShort ? [names, first, ...further] : [[...names, ...first], ...further],
    indent,
  };
}

/** Divides columns into lines of at most `room` characters. A column ± stays in its figure's line. */
function lines(
  indexes: readonly number[],
  { columns }: Table,
  widths: readonly number[],
  room: number,
): number[][] {
  const units: number[][] = [];
  for (const i of indexes) {
    const unit = units.at(-1);
    if (columns[i]?.heading === "±" && unit !== undefined) unit.push(i);
    else units.push([i]);
  }
  const long = (line: readonly number[]): number =>
    sum(line.map((i) => widths[i] ?? 0)) + GAP.length * (line.length - 1);
  const result: number[][] = [];
  for (const unit of units) {
    const line = result.at(-1);
    if (line !== undefined && long([...line, ...unit]) <= room) line.push(...unit);
    else result.push([...unit]);
  }
  return result;
}

function fit(table: Table, width: number): Table {
  const last = Math.max(...table.columns.map(({ dropOrder }) => dropOrder));
  if (leastWidth(table) <= width || last === 0) return table;
  return fit(withoutColumns(table, ({ dropOrder }) => dropOrder >= last), width);
}

/** Returns the width of a table with one line per row, if a long text in its last column is wrapped. */
function leastWidth(table: Table): number {
  const last = table.columns.length - 1;
  const widths = table.columns.map(({ isNumber }, i) =>
    Math.min(columnWidth(table, i), i === last && !isNumber ? LEAST_ROOM : Infinity)
  );
  return sum(widths) + GAP.length * last;
}

function columnWidth({ columns, rows }: Table, i: number): number {
  const lengths = rows.map(({ cells }) => cells[i]?.length ?? 0);
  return Math.max(columns[i]?.heading.length ?? 0, ...lengths);
}

function bold(text: string): string {
  return `\x1b[1m${text}\x1b[0m`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
