import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { IndexEntry } from "../../model/history.ts";
import { historyTable } from "./history.ts";

const CELL = {
  arm: "deno",
  scenario: "text",
  connections: 10,
  requestsPerS: 77_640.4,
  isLowerBound: true,
  isTakenOver: false,
  cost: null,
};
const RUN: IndexEntry = {
  file: "a.json",
  createdAt: "2026-01-01T00:00:00.000Z",
  commit: { id: "0123456789abcdef", isDirty: false },
  kind: "run",
  complete: false,
  cells: [CELL, { ...CELL, scenario: "sql1", requestsPerS: null }],
};

Deno.test("historyTable has a row for each run and server, the scenarios beside each other", () => {
  const later: IndexEntry = {
    ...RUN,
    file: "b.json",
    createdAt: "2026-02-01T00:00:00.000Z",
    commit: { id: "f".repeat(40), isDirty: true },
    complete: true,
    cells: [CELL, { ...CELL, arm: "node", isLowerBound: false }],
  };
  const { columns, rows } = historyTable([RUN, later, { ...later, commit: null, cells: [CELL] }]);
  deepStrictEqual(columns.map(({ heading }) => heading), [
    "When",
    "Commit",
    "Report",
    "Server",
    "text",
    "sql1",
  ]);
  deepStrictEqual(rows.map(({ cells }) => cells), [
    ["2026-01-01 00:00", "0123456", "a.json (interrupted)", "deno", "≥ 77,640", "–"],
    ["2026-02-01 00:00", "fffffff+", "b.json", "deno", "≥ 77,640", "–"],
    ["2026-02-01 00:00", "fffffff+", "b.json", "node", "77,640", "–"],
    ["2026-02-01 00:00", "–", "b.json", "deno", "≥ 77,640", "–"],
  ]);
});

Deno.test("historyTable has costs where a run knows them", () => {
  const other = { ...RUN, cells: [{ ...CELL, cost: 1.234 }, { ...CELL, scenario: "sql1" }] };
  const { columns, rows } = historyTable([RUN, other]);
  deepStrictEqual(columns.slice(4).map(({ heading }) => heading), ["text", "cost", "sql1"]);
  deepStrictEqual(rows.map(({ cells }) => cells.slice(4)), [
    ["≥ 77,640", "–", "–"],
    ["≥ 77,640", "1.23", "≥ 77,640"],
  ]);
});

Deno.test("historyTable shows the most of a sweep", () => {
  const cells = [CELL, { ...CELL, connections: 100, requestsPerS: 90_000, isLowerBound: false }];
  strictEqual(historyTable([{ ...RUN, cells }]).rows[0]?.cells.at(-1), "90,000");
});
