import type { Tone } from "./tint.ts";

/** A table before it is formatted as text, Markdown or HTML. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A table with its caption and notes. */
export interface CaptionedTable {
  /** The result in a sentence. */
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
  /** Tones of the cells, by heading. */
  readonly tones?: Readonly<Record<string, Tone>>;
  /** Tone of `rest`. */
  readonly restTone?: Tone;
  /** Exact values, one for each column. */
  readonly values?: readonly Value[];
  /** Id of the row's server. */
  readonly server?: string;
  /** Address to which the row links in HTML. */
  readonly link?: string;
}

/** A column of a table. */
export interface Column {
  readonly heading: string;
  readonly isNumber: boolean;
  /**
   * Order in which narrow outputs drop columns: the highest number first. A column with 0 is never
   * dropped.
   */
  readonly dropOrder: number;
  /** Explanation of the heading; empty by default. */
  readonly legend?: string;
}

/** Returns a column. By default, narrow outputs never drop it. */
export function column(
  heading: string,
  isNumber: boolean,
  dropOrder = 0,
  legend = "",
): Column {
  return { heading, isNumber, dropOrder, legend };
}

/** Returns the column ± of the figure before it. */
export function intervalColumn(dropOrder = 0): Column {
  const legend =
    "half the 95 % CI of the figure before it, from 6 rounds on; both sides if one is much longer";
  return column("±", true, dropOrder, legend);
}

/** Returns the legend of the tables' columns as one sentence; empty if no column needs one. */
export function columnLegend(tables: readonly Table[]): string[] {
  const legends = new Set(
    tables.flatMap(({ columns }) => columns)
      .flatMap(({ heading, legend = "" }) => legend === "" ? [] : [`${heading}: ${legend}`]),
  );
  return legends.size === 0 ? [] : [`${[...legends].join("; ")}.`];
}
