/** Published work as data: what was measured, on what, with which figures. Read from presets/*.json. */

/** One published comparison. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  /** Where it was published. */
  readonly source: string;
  readonly tables: readonly PresetTable[];
  /** Pairs of rows of different tables. */
  readonly ratios: readonly PresetRatio<RowOfTable>[];
}

/** One workload of a preset: one scenario under one load at several systems. */
export interface PresetTable {
  readonly title: string;
  readonly scenario: string;
  /** The published tool, by the id of a load generator. */
  readonly tool: string;
  readonly connections: number;
  /** Its length; null where it ended with a number of requests. */
  readonly seconds: number | null;
  readonly requests: number | null;
  /** How long one answer may take. */
  readonly timeoutS: number;
  /** How many times it is run. */
  readonly runs: number;
  /** What was published of several runs: the best, or the only one. */
  readonly kept: "best" | "single";
  readonly dbPool: number | null;
  readonly rows: readonly PresetRow[];
  /** Pairs of rows whose ratio travels better than their rates. */
  readonly ratios: readonly PresetRatio<string>[];
}

/** One system of a table. */
export interface PresetRow {
  readonly id: string;
  readonly name: string;
  /** The server of this suite that stands for it. */
  readonly server: string;
  /** Variables of the contract, or of the server's own, that it is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether each request has a connection of its own. */
  readonly closes: boolean;
  readonly published: PublishedFigures | null;
}

/** What was published; null where a figure was not. */
export interface PublishedFigures {
  readonly requestsPerS: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly note: string | null;
}

/** The ratio of two rows: a over b. */
export interface PresetRatio<Row> {
  readonly name: string;
  readonly a: Row;
  readonly b: Row;
}

/** A row of the first table of that scenario which has one of that id. */
export interface RowOfTable {
  readonly scenario: string;
  readonly row: string;
}

/** The place of the table that a row is in; -1 if there is no such row. */
export function tableOf({ tables }: Preset, { scenario, row }: RowOfTable): number {
  return tables.findIndex((table) =>
    table.scenario === scenario && table.rows.some(({ id }) => id === row)
  );
}

/** What the ratios of a preset name although there is no such row, in words. */
export function unknownRows(preset: Preset): string[] {
  return [
    ...preset.tables.flatMap(({ title, rows, ratios }) =>
      ratios.flatMap(({ a, b }) => [a, b]).filter((row) => !rows.some(({ id }) => id === row))
        .map((row) => `"${row}" in the table "${title}"`)
    ),
    ...preset.ratios.flatMap(({ a, b }) => [a, b]).filter((end) => tableOf(preset, end) < 0)
      .map(({ scenario, row }) => `"${row}" in a table of ${scenario}`),
  ];
}
