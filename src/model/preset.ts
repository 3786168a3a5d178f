/** Published benchmarks as data: the systems, the load and the figures. Read from presets/*.json. */
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
} from "./json_schema.ts";
import {
  LONGEST_WAIT_S,
  LONGEST_WINDOW_S,
  MOST_CONNECTIONS,
  MOST_REQUESTS,
  MOST_ROUNDS,
} from "./limits.ts";

const ID = matching(/^[a-z][a-z0-9-]*$/);

export const PublishedFigures = unnamed("The published figures; null if a figure is missing.", {
  requestsPerS: [positive, "Requests per second."],
  p50Ms: [withDefault(nullable(amount), null), "Median latency in milliseconds."],
  p99Ms: [withDefault(nullable(amount), null), "99th percentile of the latency in milliseconds."],
  note: [withDefault(nullable(text), null), "Versions, or another note for readers."],
});
export interface PublishedFigures extends Static<typeof PublishedFigures> {}

export const PresetRow = object("Row", "One system of a table.", {
  id: [ID, "Its id in this table."],
  name: [nonEmpty, "The system's published name."],
  server: [text, "Id of the suite's server that represents it."],
  env: [
    withDefault(record(text), {}),
    "Environment variables of the server: the contract's, or its own.",
  ],
  closes: [withDefault(flag, false), "Whether each request uses a new connection."],
  published: [
    withDefault(nullable(PublishedFigures), null),
    "The published figures; null if there are none.",
  ],
});
export interface PresetRow extends Static<typeof PresetRow> {}

/** The ratio of two rows: the figure of `a` divided by the figure of `b`. */
export interface PresetRatio<Row> {
  readonly name: string;
  readonly a: Row;
  readonly b: Row;
}

function ratio<Row>(name: string, row: Schema<Row>, what: string): Schema<PresetRatio<Row>> {
  return object(name, `The ratio of ${what}.`, {
    name: [text, "Its name."],
    a: [row, "The numerator."],
    b: [row, "The denominator."],
  });
}

export const RowOfTable = object(
  "RowOfTable",
  "A row with this id in the first table of the scenario that has one.",
  {
    scenario: [text, "Id of the table's scenario."],
    row: [text, "Id of the row."],
  },
);
export interface RowOfTable extends Static<typeof RowOfTable> {}

/**
 * Schema keywords that require one of two properties: a run of a table ends after `seconds` or after
 * `requests`.
 */
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
    title: [text, "Title."],
    scenario: [text, "Id of a scenario."],
    tool: [
      text,
      "Id of the published load generator. If it is not installed, autocannon drives the same load.",
    ],
    connections: [upTo(MOST_CONNECTIONS, ordinal), "Connections of the load."],
    seconds: [
      withDefault(nullable(upTo(LONGEST_WINDOW_S, positive)), null),
      "Duration in seconds; null if a number of requests ended it.",
    ],
    requests: [
      withDefault(nullable(upTo(MOST_REQUESTS, ordinal)), null),
      "Number of requests that ended it; null if it ended by time.",
    ],
    timeoutS: [
      withDefault(upTo(LONGEST_WAIT_S, positive), 30),
      "Timeout of a response, in seconds.",
    ],
    runs: [upTo(MOST_ROUNDS, ordinal), "Number of runs."],
    kept: [
      oneOf("best", "single"),
      "The published run: the best of several, or the only one.",
    ],
    dbPool: [
      withDefault(nullable(ordinal), null),
      "Database connections of each server; null means the number of load connections.",
    ],
    rows: [list(PresetRow, { minItems: 1 }), "The systems."],
    ratios: [
      withDefault(list(ratio("Ratio", text, "two rows of a table, by their ids")), []),
      "Pairs of rows with a ratio that depends less on the machine than their rates.",
    ],
  },
  EITHER,
);
export interface PresetTable extends Static<typeof PresetTable> {}

export const Preset = object("Preset", "One published comparison.", {
  $schema: [optional(text), "Where this schema is, for editors."],
  id: [ID, "Its name for `--preset`."],
  title: [text, "Title."],
  source: [text, "Where it was published, and how it was measured."],
  scenarios: [
    withDefault(list(text), []),
    "Scenarios to measure at the servers that the user chooses. Then there are no tables.",
  ],
  connections: [
    withDefault(nullable(upTo(MOST_CONNECTIONS, ordinal)), null),
    "Default number of connections for those scenarios; null means the usual default.",
  ],
  tables: [withDefault(list(PresetTable), []), "Its workloads."],
  ratios: [
    withDefault(list(ratio("RatioOfTables", RowOfTable, "two rows of any tables")), []),
    "Ratios of rows of different tables, printed after the last one.",
  ],
});
export interface Preset extends Static<typeof Preset> {}

/** Returns the index of the table that contains a row; -1 if none does. */
export function tableOf({ tables }: Preset, { scenario, row }: RowOfTable): number {
  return tables.findIndex((table) =>
    table.scenario === scenario && table.rows.some(({ id }) => id === row)
  );
}

/** Returns a description of each row to which a ratio refers and which does not exist. */
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
