import type { Tone } from "./tint.ts";

/** A table without formatting, for all reporters. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A figure for machines, in the unit that the column's key names. */
export type Value = string | number | boolean | null;

/** A row: its cells, and a text that spans the remaining columns. */
export interface Row {
  readonly cells: readonly string[];
  readonly rest?: string;
  /** The heading of the row's most important column, printed in bold. */
  readonly leading?: string;
  /** Tones of cells by heading, and of `rest`. */
  readonly tones?: Readonly<Record<string, Tone>>;
  readonly restTone?: Tone;
  /** Exact values, one for each column. */
  readonly values?: readonly Value[];
  /** Id of the row's server. */
  readonly server?: string;
  /** Link of the row in HTML. */
  readonly link?: string;
}

/** A column of a table. */
export interface Column {
  readonly heading: string;
  readonly isNumber: boolean;
  /** Narrow outputs drop columns with the highest number first; 0 is never dropped. */
  readonly dropOrder: number;
  /** Name for machines, with the unit. */
  readonly key?: string;
}
