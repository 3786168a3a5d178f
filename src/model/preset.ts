/** Published benchmarks as data: the systems, the load and the figures. Read from presets/*.json. */
import * as s from "./schema.ts";
import { MOST } from "./limits.ts";

const MOST_REQUESTS = 1_000_000_000;
const ID = s.matching(/^[a-z][a-z0-9-]*$/);

const PublishedFigures = s.object("The published figures; null if a figure is missing.", {
  requestsPerS: s.positive.is("Requests per second."),
  p50Ms: s.nullable(s.amount).byDefault(null).is("Median latency in milliseconds."),
  p99Ms: s.nullable(s.amount).byDefault(null).is("99th percentile of the latency in milliseconds."),
  note: s.nullable(s.text).byDefault(null).is("Versions, or another note for readers."),
});

export class PresetRow extends s.named(
  "Row",
  s.object("One system of a table.", {
    id: ID.is("Its id in this table."),
    name: s.nonEmpty.is("The system's published name."),
    server: s.text.is("Id of the suite's server that represents it."),
    env: s.record(s.text).byDefault({}).is(
      "Environment variables of the server: the contract's, or its own.",
    ),
    closes: s.flag.byDefault(false).is("Whether each request uses a new connection."),
    published: s.nullable(PublishedFigures).byDefault(null).is(
      "The published figures; null if there are none.",
    ),
  }),
) {}

class Ratio extends s.object("The ratio of two rows of a table, by their ids.", {
  name: s.text.is("Its name."),
  a: s.text.is("The numerator."),
  b: s.text.is("The denominator."),
}) {}

export class RowOfTable
  extends s.object("A row with this id in the first table of the scenario that has one.", {
    scenario: s.text.is("Id of the table's scenario."),
    row: s.text.is("Id of the row."),
  }) {}

class RatioOfTables extends s.object("The ratio of two rows of any tables.", {
  name: s.text.is("Its name."),
  a: RowOfTable.is("The numerator."),
  b: RowOfTable.is("The denominator."),
}) {}

/** Requires one of two properties: a run of a table ends after `seconds` or after `requests`. */
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

export class PresetTable extends s.named(
  "Table",
  s.object("One workload: one scenario under one load at several systems.", {
    title: s.text.is("Title."),
    scenario: s.text.is("Id of a scenario."),
    tool: s.text.is(
      "Id of the published load generator. If it is not installed, autocannon drives the same load.",
    ),
    connections: s.upTo(MOST.connections, s.ordinal).is("Connections of the load."),
    seconds: s.nullable(s.upTo(MOST.windowS, s.positive)).byDefault(null).is(
      "Duration in seconds; null if a number of requests ended it.",
    ),
    requests: s.nullable(s.upTo(MOST_REQUESTS, s.ordinal)).byDefault(null).is(
      "Number of requests that ended it; null if it ended by time.",
    ),
    timeoutS: s.upTo(MOST.waitS, s.positive).byDefault(30).is(
      "Timeout of a response, in seconds.",
    ),
    runs: s.upTo(MOST.rounds, s.ordinal).is("Number of runs."),
    kept: s.oneOf("best", "single").is("The published run: the best of several, or the only one."),
    dbPool: s.nullable(s.ordinal).byDefault(null).is(
      "Database connections of each server; null means the number of load connections.",
    ),
    rows: s.list(PresetRow, { minItems: 1 }).is("The systems."),
    ratios: s.list(Ratio).byDefault([]).is(
      "Pairs of rows with a ratio that depends less on the machine than their rates.",
    ),
  }, EITHER),
) {}

export class Preset extends s.object("One published comparison.", {
  $schema: s.text.optional("Where this schema is, for editors."),
  id: ID.is("Its name for `--preset`."),
  title: s.text.is("Title."),
  source: s.text.is("Where it was published, and how it was measured."),
  scenarios: s.list(s.text).byDefault([]).is(
    "Scenarios to measure at the servers that the user chooses. Then there are no tables.",
  ),
  connections: s.nullable(s.upTo(MOST.connections, s.ordinal)).byDefault(null).is(
    "Default number of connections for those scenarios; null means the usual default.",
  ),
  tables: s.list(PresetTable).byDefault([]).is("Its workloads."),
  ratios: s.list(RatioOfTables).byDefault([]).is(
    "Ratios of rows of different tables, printed after the last one.",
  ),
}) {}

/** Returns the index of the table that contains a row; -1 if none does. */
export function tableOf({ tables }: Preset, { scenario, row }: RowOfTable): number {
  return tables.findIndex((table) =>
    table.scenario === scenario && table.rows.some(({ id }) => id === row)
  );
}
