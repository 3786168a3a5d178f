/** Published benchmarks as data: the systems, the load and the figures. Read from presets/*.json. */
import * as s from "./schema.ts";
import {
  LONGEST_WAIT_S,
  LONGEST_WINDOW_S,
  MOST_CONNECTIONS,
  MOST_REQUESTS,
  MOST_ROUNDS,
} from "./limits.ts";

const ID = s.matching(/^[a-z][a-z0-9-]*$/);

const PublishedFigures = s.unnamed("The published figures; null if a figure is missing.", {
  requestsPerS: [s.positive, "Requests per second."],
  p50Ms: [s.withDefault(s.nullable(s.amount), null), "Median latency in milliseconds."],
  p99Ms: [
    s.withDefault(s.nullable(s.amount), null),
    "99th percentile of the latency in milliseconds.",
  ],
  note: [s.withDefault(s.nullable(s.text), null), "Versions, or another note for readers."],
});
interface PublishedFigures extends s.Static<typeof PublishedFigures> {}

const PresetRow = s.object("Row", "One system of a table.", {
  id: [ID, "Its id in this table."],
  name: [s.nonEmpty, "The system's published name."],
  server: [s.text, "Id of the suite's server that represents it."],
  env: [
    s.withDefault(s.record(s.text), {}),
    "Environment variables of the server: the contract's, or its own.",
  ],
  closes: [s.withDefault(s.flag, false), "Whether each request uses a new connection."],
  published: [
    s.withDefault(s.nullable(PublishedFigures), null),
    "The published figures; null if there are none.",
  ],
});
export interface PresetRow extends s.Static<typeof PresetRow> {}

/** The ratio of two rows: the figure of `a` divided by the figure of `b`. */
interface PresetRatio<Row> {
  readonly name: string;
  readonly a: Row;
  readonly b: Row;
}

function ratio<Row>(name: string, row: s.Schema<Row>, what: string): s.Schema<PresetRatio<Row>> {
  return s.object(name, `The ratio of ${what}.`, {
    name: [s.text, "Its name."],
    a: [row, "The numerator."],
    b: [row, "The denominator."],
  });
}

const RowOfTable = s.object(
  "RowOfTable",
  "A row with this id in the first table of the scenario that has one.",
  {
    scenario: [s.text, "Id of the table's scenario."],
    row: [s.text, "Id of the row."],
  },
);
export interface RowOfTable extends s.Static<typeof RowOfTable> {}

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

const PresetTable = s.object(
  "Table",
  "One workload: one scenario under one load at several systems.",
  {
    title: [s.text, "Title."],
    scenario: [s.text, "Id of a scenario."],
    tool: [
      s.text,
      "Id of the published load generator. If it is not installed, autocannon drives the same load.",
    ],
    connections: [s.upTo(MOST_CONNECTIONS, s.ordinal), "Connections of the load."],
    seconds: [
      s.withDefault(s.nullable(s.upTo(LONGEST_WINDOW_S, s.positive)), null),
      "Duration in seconds; null if a number of requests ended it.",
    ],
    requests: [
      s.withDefault(s.nullable(s.upTo(MOST_REQUESTS, s.ordinal)), null),
      "Number of requests that ended it; null if it ended by time.",
    ],
    timeoutS: [
      s.withDefault(s.upTo(LONGEST_WAIT_S, s.positive), 30),
      "Timeout of a response, in seconds.",
    ],
    runs: [s.upTo(MOST_ROUNDS, s.ordinal), "Number of runs."],
    kept: [s.oneOf("best", "single"), "The published run: the best of several, or the only one."],
    dbPool: [
      s.withDefault(s.nullable(s.ordinal), null),
      "Database connections of each server; null means the number of load connections.",
    ],
    rows: [s.list(PresetRow, { minItems: 1 }), "The systems."],
    ratios: [
      s.withDefault(s.list(ratio("Ratio", s.text, "two rows of a table, by their ids")), []),
      "Pairs of rows with a ratio that depends less on the machine than their rates.",
    ],
  },
  EITHER,
);
export interface PresetTable extends s.Static<typeof PresetTable> {}

export const Preset = s.object("Preset", "One published comparison.", {
  $schema: [s.optional(s.text), "Where this schema is, for editors."],
  id: [ID, "Its name for `--preset`."],
  title: [s.text, "Title."],
  source: [s.text, "Where it was published, and how it was measured."],
  scenarios: [
    s.withDefault(s.list(s.text), []),
    "Scenarios to measure at the servers that the user chooses. Then there are no tables.",
  ],
  connections: [
    s.withDefault(s.nullable(s.upTo(MOST_CONNECTIONS, s.ordinal)), null),
    "Default number of connections for those scenarios; null means the usual default.",
  ],
  tables: [s.withDefault(s.list(PresetTable), []), "Its workloads."],
  ratios: [
    s.withDefault(s.list(ratio("RatioOfTables", RowOfTable, "two rows of any tables")), []),
    "Ratios of rows of different tables, printed after the last one.",
  ],
});
export interface Preset extends s.Static<typeof Preset> {}

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
