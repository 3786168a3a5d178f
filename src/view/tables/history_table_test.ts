import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { MedianWithInterval } from "../../model/estimate.ts";
import type { IndexEntry } from "../../model/report.ts";
import { draw } from "../table.ts";
import { historyTable } from "./history_table.ts";

/**
 * Returns a figure with an interval.
 *
 * @param width half of the interval, as a share of the median
 */
function around(median: number, width: number): MedianWithInterval {
  const confidenceInterval = {
    low: median * (1 - width),
    high: median * (1 + width),
    coverage: 0.95,
  };
  return { median, confidenceInterval };
}

const RESULT = {
  variant: "deno",
  scenario: "text",
  connections: 10,
  perS: null,
  requestsPerS: around(77_640.4, 0.123),
  isLowerBound: true,
  isTakenOver: false,
  serverCpuUs: null,
  relativeCpu: null,
  rounds: 6,
};
const RUN: IndexEntry = {
  file: "a.json",
  createdAt: "2026-01-01T00:00:00.000Z",
  commit: { id: "0123456789abcdef", isDirty: false },
  kind: "run",
  complete: false,
  tls: null,
  machine: "2 x Fast",
  reference: null,
  hasCosts: false,
  results: [RESULT, { ...RESULT, scenario: "sql1", requestsPerS: null }],
};

Deno.test("historyTable has a row for each run and server, the scenarios beside each other", () => {
  const later: IndexEntry = {
    ...RUN,
    file: "b.json",
    createdAt: "2026-02-01T00:00:00.000Z",
    commit: { id: "f".repeat(40), isDirty: true },
    complete: true,
    results: [RESULT, { ...RESULT, variant: "node", isLowerBound: false }],
  };
  const { columns, rows } = historyTable([RUN, later, {
    ...later,
    commit: null,
    results: [RESULT],
  }]);
  deepStrictEqual(columns.map(({ heading }) => heading), [
    "When",
    "Commit",
    "Report",
    "Server",
    "text",
    "sql1",
  ]);
  deepStrictEqual(rows.map(({ cells }) => cells), [
    ["2026-01-01 00:00 (interrupted)", "0123456", "a.json", "deno", "≥ 77,640 ± 12 %", "–"],
    ["2026-02-01 00:00", "fffffff+", "b.json", "deno", "≥ 77,640 ± 12 %", "–"],
    ["2026-02-01 00:00", "fffffff+", "b.json", "node", "77,640 ± 12 %", "–"],
    ["2026-02-01 00:00", "–", "b.json", "deno", "≥ 77,640 ± 12 %", "–"],
  ]);
});

Deno.test("historyTable has costs where a run knows them", () => {
  const other = {
    ...RUN,
    results: [{ ...RESULT, relativeCpu: around(1.234, 0.021) }, { ...RESULT, scenario: "sql1" }],
  };
  const { columns, rows } = historyTable([RUN, other]);
  deepStrictEqual(columns.slice(4).map(({ heading }) => heading), [
    "text",
    "text rel. CPU",
    "sql1",
  ]);
  deepStrictEqual(rows.map(({ cells }) => cells.slice(4)), [
    ["≥ 77,640 ± 12 %", "–", "–"],
    ["≥ 77,640 ± 12 %", "1.23 ± 2.1 %", "≥ 77,640 ± 12 %"],
  ]);
});

Deno.test("historyTable shows the most of a sweep", () => {
  const results = [RESULT, {
    ...RESULT,
    connections: 100,
    requestsPerS: around(90_000, 0.123),
    isLowerBound: false,
  }];
  strictEqual(historyTable([{ ...RUN, results }]).rows[0]?.cells.at(-1), "90,000 ± 12 %");
});

Deno.test("historyTable marks a look, and keeps costs where there is little room", () => {
  const quick = {
    ...RESULT,
    rounds: 1,
    relativeCpu: { median: 1.5, confidenceInterval: null },
    isLowerBound: false,
  };
  const table = historyTable([{ ...RUN, complete: true, results: [quick] }]);
  strictEqual(table.rows[0]?.cells[0], "2026-01-01 00:00 (smoke run)");
  const [heading = "", row = ""] = draw(table, { columns: 64, styled: false });
  match(heading, /^When +Commit +Server +text rel\. CPU$/);
  match(row, /^2026-01-01 00:00 \(smoke run\) +0123456 +deno +1\.50$/);
});

Deno.test("historyTable says what was spoken", () => {
  const noteOf = (change: Partial<IndexEntry>): string | undefined =>
    historyTable([{ ...RUN, complete: true, ...change }]).rows[0]?.cells[0];
  strictEqual(noteOf({ tls: "h2" }), "2026-01-01 00:00 (HTTP/2)");
  strictEqual(
    noteOf({ tls: "http/1.1", results: [{ ...RESULT, rounds: 1 }] }),
    "2026-01-01 00:00 (TLS, smoke run)",
  );
  strictEqual(noteOf({ complete: false, isUnderWay: true }), "2026-01-01 00:00 (running)");
});
