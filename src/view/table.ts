import type { Tone } from "./tint.ts";

/** A table before it is formatted as text, Markdown or HTML. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
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
  /** Name of the column in CSV, with the unit. */
  readonly key?: string;
}

/** Returns a column. By default, narrow outputs never drop it. */
export function column(heading: string, isNumber: boolean, dropOrder = 0): Column {
  return { heading, isNumber, dropOrder };
}
