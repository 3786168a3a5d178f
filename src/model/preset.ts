/** Published work as data: what was measured, on what, with which figures. Read from presets/*.json. */
import {
  amount,
  flag,
  list,
  matching,
  nonEmpty,
  nullable,
  object,
  oneOf,
  optional,
  ordinal,
  positive,
  record,
  type Schema,
  type Static,
  text,
  unnamed,
  upTo,
  withDefault,
} from "./schema.ts";
import {
  LONGEST_WAIT_S,
  LONGEST_WINDOW_S,
  MOST_CONNECTIONS,
  MOST_REQUESTS,
  MOST_ROUNDS,
} from "./limits.ts";

const ID = matching(/^[a-z][a-z0-9-]*$/);

export const PublishedFigures = unnamed("What was published; null where a figure was not.", {
  requestsPerS: [positive, "Requests per second."],
  p50Ms: [withDefault(nullable(amount), null), "The median of the latencies."],
  p99Ms: [withDefault(nullable(amount), null), "Their 99th percentile."],
  note: [withDefault(nullable(text), null), "Versions, or what else a reader should know."],
});
export interface PublishedFigures extends Static<typeof PublishedFigures> {}

export const PresetRow = object("Row", "One system of a table.", {
  id: [ID, "Its name in this table."],
  name: [nonEmpty, "The system, as it was published."],
  server: [text, "Id of the server of this suite that stands for it."],
  env: [
    withDefault(record(text), {}),
    "Variables of the contract, or of the server's own, that it is started with.",
  ],
  closes: [withDefault(flag, false), "Whether each request has a connection of its own."],
  published: [
    withDefault(nullable(PublishedFigures), null),
    "What was published; null for a system that was not.",
  ],
});
export interface PresetRow extends Static<typeof PresetRow> {}

/** The ratio of two rows: a over b. */
export interface PresetRatio<Row> {
  readonly name: string;
  readonly a: Row;
  readonly b: Row;
}

function ratio<Row>(name: string, row: Schema<Row>, what: string): Schema<PresetRatio<Row>> {
  return object(name, `The ratio of ${what}.`, {
    name: [text, "What it is called."],
    a: [row, "The row that is divided."],
    b: [row, "The row that it is divided by."],
  });
}

export const RowOfTable = object(
  "RowOfTable",
  "A row of the first table of that scenario which has one of that id.",
  {
    scenario: [text, "Id of the table's scenario."],
    row: [text, "Id of the row."],
  },
);
export interface RowOfTable extends Static<typeof RowOfTable> {}

/** A workload ends by time or by a number of requests. */
const EITHER = {
  oneOf: [
    {
      properties: { seconds: { type: "number" }, requests: { type: "null" } },
      required: ["seconds"],
    },
    {
      properties: { requests: { type: "integer" }, seconds: { type: "null" } },
      required: ["requests"],
    },
  ],
};

export const PresetTable = object(
  "Table",
  "One workload: one scenario under one load at several systems.",
  {
    title: [text, "What it is, in words."],
    scenario: [text, "Id of a scenario."],
    tool: [
      text,
      "Id of the load generator that was used; where it is not installed, autocannon drives the same load.",
    ],
    connections: [upTo(MOST_CONNECTIONS, ordinal), "Connections of the load."],
    seconds: [
      withDefault(nullable(upTo(LONGEST_WINDOW_S, positive)), null),
      "Its length; null where it ended with a number of requests.",
    ],
    requests: [
      withDefault(nullable(upTo(MOST_REQUESTS, ordinal)), null),
      "Requests with which it ended; null where that was by time.",
    ],
    timeoutS: [withDefault(upTo(LONGEST_WAIT_S, positive), 30), "How long one response may take."],
    runs: [upTo(MOST_ROUNDS, ordinal), "How many times it is run."],
    kept: [
      oneOf("best", "single"),
      "What was published of several runs: the best, or the only one.",
    ],
    dbPool: [
      withDefault(nullable(ordinal), null),
      "Connections of each server to the database; null: as many as the load has.",
    ],
    rows: [list(PresetRow, { minItems: 1 }), "The systems."],
    ratios: [
      withDefault(list(ratio("Ratio", text, "two rows of a table, by their ids")), []),
      "Pairs of rows whose ratio travels better than their rates.",
    ],
  },
  EITHER,
);
export interface PresetTable extends Static<typeof PresetTable> {}

export const Preset = object("Preset", "One published comparison.", {
  $schema: [optional(text), "Where this schema is, for editors."],
  id: [ID, "What `--preset` calls it."],
  title: [text, "What it is, in words."],
  source: [text, "Where it was published, and how it was measured."],
  scenarios: [
    withDefault(list(text), []),
    "Scenarios that are measured as any others, at the servers that the person chooses; then there are no tables.",
  ],
  connections: [
    withDefault(nullable(upTo(MOST_CONNECTIONS, ordinal)), null),
    "Connections at those scenarios, unless the person says otherwise; null: as usual.",
  ],
  tables: [withDefault(list(PresetTable), []), "Its workloads."],
  ratios: [
    withDefault(list(ratio("RatioOfTables", RowOfTable, "two rows of any tables")), []),
    "Ratios of rows of different tables, printed after the last one.",
  ],
});
export interface Preset extends Static<typeof Preset> {}

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
