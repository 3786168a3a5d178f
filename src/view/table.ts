/** Tables, and their drawing as lines of text: widths, line breaks, and colours of a terminal. */
import { stripVTControlCharacters } from "node:util";
import { nonEmpty, printable } from "../model/text.ts";
import { sum } from "../stats/median.ts";

/** ANSI codes of green, red and yellow, so that the terminal's theme applies. */
const CODES = { good: 32, bad: 31, doubtful: 33 };
type Tone = keyof typeof CODES;

/** Returns a text in the colour of its tone. */
export function tinted(text: string, tone: Tone): string {
  return `\x1b[${CODES[tone]}m${text}\x1b[39m`;
}

const BEGINNINGS: readonly (readonly [beginning: RegExp, tone: Tone])[] = [
  [/(?<=^ *|\. )(Slower:|More:|Broken in head, but not in base:)/g, "bad"],
  [/(?<=^ *|\. )Proven to be more than [\d.]+ % (slower|higher):/g, "bad"],
  [/(?<=^ *|\. )(Faster|Less):/g, "good"],
  [/(?<=^ *|\. )Not comparable:/g, "doubtful"],
  [/(?<=^ *|\. )(A slowdown of m|M)ore than [\d.]+ % is neither proven nor excluded:/g, "doubtful"],
];

/** Returns a verdict with the beginnings of its sentences in colour, if the screen supports styles. */
export function tintedLines(lines: readonly string[], styled: boolean): readonly string[] {
  if (!styled) return lines;
  const tint = (line: string, [beginning, tone]: typeof BEGINNINGS[number]): string =>
    line.replaceAll(beginning, (found) => tinted(found, tone));
  return lines.map((line) => BEGINNINGS.reduce(tint, line));
}

/** A table before it is formatted as text, Markdown or HTML. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A table with its caption and notes. */
export interface CaptionedTable {
  readonly verdict?: string;
  readonly caption: string;
  readonly table: Table;
  readonly notes: readonly string[];
}

/** The exact value of a cell, for CSV and sorting. The key of its column names the unit. */
export type Value = string | number | boolean | null;

/** A row: its cells. If `rest` is set, it spans the columns after the last cell. */
export interface Row {
  readonly cells: readonly string[];
  readonly rest?: string;
  /** Heading of the column with the row's most important cell, which is printed in bold. */
  readonly leading?: string;
  readonly tones?: Readonly<Record<string, Tone>>;
  readonly restTone?: Tone;
  readonly values?: readonly Value[];
  readonly server?: string;
  /** The scenario of the row. A page can then show the rows of one scenario. */
  readonly scenario?: string;
  /** Address to which the row links in HTML. */
  readonly link?: string;
  /** Addresses of other cells in HTML, by the heading of their column. */
  readonly links?: Readonly<Record<string, string>>;
  /** Lengths of bars behind cells in HTML, from 0 to 1, by the heading of their column. */
  readonly bars?: Readonly<Record<string, number>>;
}

interface Column {
  readonly heading: string;
  readonly isNumber: boolean;
  /** Order in which narrow outputs drop columns: the highest number first; 0 is never dropped. */
  readonly dropOrder: number;
  readonly legend?: string;
}

/** A column with the function that returns the text of its cell in an item's row. */
export interface CellColumn<T> extends Column {
  readonly text: (item: T) => string;
}

/** Returns a column of words. */
export function words<T>(heading: string, text: (item: T) => string, dropOrder = 0): CellColumn<T> {
  return { heading, isNumber: false, dropOrder, text };
}

/** Returns a column of numbers. */
export function numbers<T>(
  heading: string,
  text: (item: T) => string,
  dropOrder = 0,
  legend = "",
): CellColumn<T> {
  return { heading, isNumber: true, dropOrder, legend, text };
}

/** Returns the column ± of the figure before it. */
export function intervals<T>(text: (item: T) => string, dropOrder = 0): CellColumn<T> {
  const legend =
    "half the 95 % CI of the figure before it, from 6 rounds on; both sides if one is much longer";
  return numbers("±", text, dropOrder, legend);
}

/** Returns a table with a row for each item. `rowOf` returns further properties, or other cells. */
export function makeTable<T>(
  items: readonly T[],
  columns: readonly (CellColumn<NoInfer<T>> | false)[],
  rowOf: (item: T) => Partial<Row> = () => ({}),
): Table {
  const wanted = columns.filter((column) => column !== false);
  const rows = items.map((item) => {
    const row = rowOf(item);
    return { ...row, cells: row.cells ?? wanted.map(({ text }) => text(item)) };
  });
  return { columns: wanted, rows };
}

/** Returns a table that no output narrows. The columns from the place `numbersFrom` on are numbers. */
export function plainTable(
  headings: readonly string[],
  rows: readonly Row[],
  numbersFrom = headings.length,
): Table {
  const columns = headings.map((heading, i) => (
    { heading, isNumber: i >= numbersFrom, dropOrder: 0 }
  ));
  return { columns, rows };
}

/** Returns a table with the columns at these places, in their order. */
export function withColumns({ columns, rows }: Table, places: readonly number[]): Table {
  const chosen = <T>(list: readonly T[]): T[] =>
    places.filter((place) => place < list.length).map((place) => list[place] as T);
  return {
    columns: chosen(columns),
    rows: rows.map((row) => ({
      ...row,
      cells: chosen(row.cells),
      ...(row.values && { values: chosen(row.values) }),
    })),
  };
}

/** Returns the legend of the tables' columns as one sentence; empty if no column needs one. */
export function columnLegend(tables: readonly Table[]): string[] {
  const all = tables.flatMap(({ columns }) => columns);
  const legends = new Set(all.map(({ heading, legend }) => legend && `${heading}: ${legend}`));
  const text = nonEmpty(...legends).join("; ");
  return text === "" ? [] : [`${text}.`];
}

/** Breaks a text between words into lines, and indents all but the first; long words stay whole. */
export function wrap(text: string, columns: number, indent = "  "): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Wraps untrusted texts one after the other. */
export function wrapAll(texts: readonly string[], columns: number): string[] {
  return texts.flatMap((text) => wrap(printable(text), columns));
}

/** Smallest width for a text after its start, in columns. With less, the text begins on the next line. */
const LEAST_ROOM = 30;

/** Wraps a text after a start, which may have styles, and indents the further lines as far. */
export function hanging(start: string, text: string, columns: number): string[] {
  const { length } = stripVTControlCharacters(start);
  const indent = " ".repeat(columns - length < LEAST_ROOM ? 4 : length);
  const [first = "", ...others] = wrap(text, columns - indent.length, "");
  return columns - length < LEAST_ROOM
    ? [start.trimEnd(), ...[first, ...others].map((line) => indent + line)]
    : [start + first, ...others.map((line) => indent + line)];
}

/** Wraps each long line of a text. The further lines of it are indented by two more columns. */
export function wrapLines(text: string, columns: number): string {
  return text.split("\n").flatMap((line) => {
    // Styles take no columns
    if (stripVTControlCharacters(line).length <= columns) return [line];
    const words = line.trimStart();
    const indent = " ".repeat(line.length - words.length);
    return wrap(words, columns - indent.length).map((part) => indent + part);
  }).join("\n");
}

/** An output for text: its width in columns, and whether it supports styles. */
export interface Screen {
  readonly columns: number;
  readonly styled: boolean;
}

const GAP = "  ";
/** Indent of a row's further lines, if the row's names take more than half of the screen. */
const SHORT_INDENT = "    ";

/**
 * Draws a table as lines that fit the screen, by the first of these that suffices: it wraps the last
 * column, drops columns by `dropOrder` unless `isWhole`, or draws several lines for each row.
 */
export function draw(whole: Table, { columns: width, styled }: Screen, isWhole = false): string[] {
  const table = isWhole ? whole : fit(whole, width);
  const { columns, rows } = table;
  const widths = widthsOf(table);
  const { bands, indent } = arrange(table, widths, width);
  const line = ({ cells, rest = "", leading, tones = {}, restTone }: Row): string[] => {
    if (cells.length === 0) return wrapAll([rest], width);
    const padded = cells.map((text, i) => {
      const { isNumber = false, heading = "" } = columns[i] ?? {};
      const space = " ".repeat(Math.max(0, (widths[i] ?? 0) - text.length));
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
      const start = (i === 0 ? "" : indent) + before.map((at) => (padded[at] ?? "") + GAP).join("");
      const length = stripVTControlCharacters(start).length + (widths[last] ?? 0);
      return last === columns.length - 1 && length > width
        ? hanging(start, printable(cells[last] ?? ""), width)
        : [(start + (padded[last] ?? "")).trimEnd()];
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
  { columns }: Table,
  widths: readonly number[],
  width: number,
): { readonly bands: readonly (readonly number[])[]; readonly indent: string } {
  const all = widths.keys().toArray();
  const fits = leastWidth(columns, widths) <= width;
  if (fits || width < LEAST_ROOM) return { bands: [all], indent: "" };
  const namesCount = Math.max(1, columns.findIndex(({ isNumber }) => isNumber));
  const [names, figures] = [all.slice(0, namesCount), all.slice(namesCount)];
  const namesWidth = lengthOf(names, widths) + GAP.length;
  const isShort = namesWidth > width / 2;
  const indent = isShort ? SHORT_INDENT : " ".repeat(namesWidth);
  // A column ± stays in its figure's line
  const starts = figures.filter((i, place) => place === 0 || columns[i]?.heading !== "±");
  const units = starts.map((from, place) => all.slice(from, starts[place + 1]));
  // Shrinks the room while the number of lines stays the same, so that lines are about equally long
  let room = width - indent.length;
  const least = divided(units, widths, room).length;
  while (room > 0 && divided(units, widths, room - 1).length === least) room--;
  const [first = [], ...further] = divided(units, widths, room);
  return {
    bands: isShort ? [names, first, ...further] : [[...names, ...first], ...further],
    indent,
  };
}

/** Divides units of columns into lines of at most `room` characters. */
function divided(
  units: readonly (readonly number[])[],
  widths: readonly number[],
  room: number,
): number[][] {
  const lines: number[][] = [];
  for (const unit of units) {
    const line = lines.at(-1);
    if (line !== undefined && lengthOf([...line, ...unit], widths) <= room) line.push(...unit);
    else lines.push([...unit]);
  }
  return lines;
}

function lengthOf(line: readonly number[], widths: readonly number[]): number {
  return sum(line.map((i) => widths[i] ?? 0)) + GAP.length * (line.length - 1);
}

function fit(table: Table, width: number): Table {
  const { columns } = table;
  const last = Math.max(...columns.map(({ dropOrder }) => dropOrder));
  if (leastWidth(columns, widthsOf(table)) <= width || last === 0) return table;
  const kept = columns.flatMap(({ dropOrder }, i) => dropOrder < last ? i : []);
  return fit(withColumns(table, kept), width);
}

/** Returns the width of a table with one line per row, if a long text in its last column is wrapped. */
function leastWidth(columns: Table["columns"], widths: readonly number[]): number {
  const last = columns.length - 1;
  const least = widths.map((width, i) =>
    i === last && !columns[i]?.isNumber ? Math.min(width, LEAST_ROOM) : width
  );
  return sum(least) + GAP.length * last;
}

function widthsOf({ columns, rows }: Table): number[] {
  return columns.map(({ heading }, i) =>
    Math.max(heading.length, ...rows.map(({ cells }) => cells[i]?.length ?? 0))
  );
}

function bold(text: string): string {
  return `\x1b[1m${text}\x1b[0m`;
}
