import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../../model/report.ts";
import { CAPACITIES, CAPACITY } from "../testdata/open_loop_report.ts";
import type { CaptionedTable } from "../table.ts";
import { experimentTables } from "./experiment_tables.ts";

const capacities = (report: Report): CaptionedTable => {
  const [first] = experimentTables(report);
  ok(first);
  return first;
};

const rowsOf = (report: Report): (readonly string[])[] =>
  capacities(report).table.rows.map(({ cells, rest }) =>
    rest === undefined ? cells : [...cells, rest]
  );

Deno.test("a capacity is the rate that was held, the one that was not, and the bottleneck", () => {
  deepStrictEqual(rowsOf(CAPACITIES), [["text", "1,000", "1,090", "generator", "2"]]);
  strictEqual(
    capacities(CAPACITIES).caption,
    "The highest rate that meets p99 < 10 ms, errors < 0.1 %",
  );
});

Deno.test("a server without a capacity has the reason", () => {
  const [none] = rowsOf({
    ...CAPACITIES,
    capacities: [{ ...CAPACITY, heldPerS: null, reason: { kind: "none-held" } }],
  });
  deepStrictEqual(none, ["text", "the SLO was missed at every rate that was tried"]);
});

Deno.test("where the load generator could do no more, the server may hold more, and that is said", () => {
  const report = { ...CAPACITIES, capacities: [{ ...CAPACITY, isOfGenerator: true }] };
  deepStrictEqual(rowsOf(report)[0]?.slice(1, 4), ["≥ 1,000", "–", "generator"]);
  match(
    capacities(report).notes[1] ?? "",
    /^text: beyond 1,000\/s the load generator was too late/,
  );
});
