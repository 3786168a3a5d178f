import type { Tone } from "./tint.ts";

/** A table without looks; every reporter draws this one. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A figure as a machine reads it, in the unit that its column's key names. */
export type Value = string | number | boolean | null;

/** A row: its cells, and a text that takes the place of the columns that have none. */
export interface Row {
  readonly cells: readonly string[];
  readonly rest?: string;
  /** The heading of the column that says most about this row. */
  readonly leading?: string;
  /** Tones of cells, by the headings of their columns, and of the text that follows them. */
  readonly tones?: Readonly<Record<string, Tone>>;
  readonly restTone?: Tone;
  /** What is behind the cells, one for each column. */
  readonly values?: readonly Value[];
  /** The server that the row is about, by its id. */
  readonly server?: string;
  /** The address of what it is about, on a page. */
  readonly link?: string;
}

/** A column: its heading, and whether its cells are numbers. */
export interface Column {
  readonly heading: string;
  readonly isNumber: boolean;
  /** Narrow outputs leave out the columns with the highest number first; 0 always stays. */
  readonly dropOrder: number;
  /** Its name for machines, with the unit. */
  readonly key?: string;
}
