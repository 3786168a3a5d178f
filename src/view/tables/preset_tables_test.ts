import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Result } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import type { Preset, PresetRow, PresetTable, RowOfTable } from "../../model/preset.ts";
import { describePreset, presetTable, ratiosOfTables } from "./preset_tables.ts";
import { DUEL } from "../report_testdata.ts";

const GOOD = DUEL.results[0] as Result;

function row(id: string, perS: number | null, change: Partial<PresetRow> = {}): PresetRow {
  const published = perS === null
    ? null
    : { requestsPerS: perS, p50Ms: 1.5, p99Ms: null, note: null };
  return { id, name: id.toUpperCase(), server: id, env: {}, closes: false, published, ...change };
}

const TABLE: PresetTable = {
  title: "A table",
  scenario: "text",
  tool: "wrk",
  connections: 10,
  seconds: 5,
  requests: null,
  timeoutS: 30,
  runs: 3,
  kept: "best",
  dbPool: null,
  rows: [row("deno", 1000), row("node", 500), row("encore", 200), row("bun", null)],
  ratios: [
    { name: "Deno : Node", a: "deno", b: "node" },
    { name: "Deno : Encore", a: "deno", b: "encore" },
  ],
};
const figure = (median: number, max: number): Result["requestsPerS"] => ({
  ...(GOOD.requestsPerS as NonNullable<Result["requestsPerS"]>),
  median,
  max,
});
const REPORT: Report = {
  ...DUEL,
  results: [
    { ...GOOD, requestsPerS: figure(3000, 4000), isLowerBound: false },
    { ...GOOD, variant: "node", requestsPerS: figure(900, 1000) },
  ],
};

Deno.test("presetTable sets what was published beside the best run, and says what is missing", () => {
  const { columns, rows } = presetTable(TABLE, REPORT);
  strictEqual(columns[2]?.heading, "measured, best");
  deepStrictEqual(rows.map(({ cells, rest = "" }) => [...cells.slice(0, 5), rest]), [
    ["DENO", "1,000", "4,000", "3,000", "1.50 ms", ""],
    ["NODE", "500.0", "≥ 1,000", "≥ 900.0", "1.50 ms", ""],
    ["ENCORE", "200.0", "skipped: encore not found (install it); published: p50 1.50 ms"],
    ["BUN", "–", "not measured: the server does not implement this"],
  ]);
  const known = columns.map(({ heading }) => heading).slice(4);
  deepStrictEqual(
    known,
    ["p50 published", "p50", "p99", "Bottleneck"],
    "nothing else was published",
  );
  deepStrictEqual(rows[0]?.cells.length, columns.length);
});

Deno.test("presetTable shows the median where one run was published", () => {
  const { columns, rows } = presetTable({ ...TABLE, kept: "single" }, REPORT);
  strictEqual(columns[2]?.heading, "measured");
  deepStrictEqual(rows[0]?.cells.slice(2, 4), ["3,000", "1.50 ms"]);
});

Deno.test("describePreset names the load, the tool that stood in, and ratios", () => {
  const text = describePreset(TABLE, REPORT, { columns: 200, styled: false }).join("\n");
  match(
    text,
    /^A table \(5 s over 10 connections, 3 times, with autocannon, because wrk is not installed\)$/m,
  );
  match(text, /^Deno : Node: published 2\.00, measured ≤ 4\.00$/m);
  match(text, /^Deno : Encore: published 5\.00, measured –$/m);
  const requests = { ...TABLE, seconds: null, requests: 100, runs: 1, tool: "autocannon" };
  const other = describePreset(requests, REPORT, { columns: 200, styled: false }).join("\n");
  ok(other.includes("(100 requests over 10 connections, once, with autocannon)"), other);
});

Deno.test("ratiosOfTables divides rows of different tables, and says what is a bound or missing", () => {
  const other = { ...TABLE, scenario: "json", rows: [row("deno", 250)] };
  const of = (scenario: string, row: string): RowOfTable => ({ scenario, row });
  const preset: Preset = {
    id: "x",
    title: "X",
    source: "nowhere",
    scenarios: [],
    connections: null,
    tables: [TABLE, other],
    ratios: [
      { name: "with : without", a: of("json", "deno"), b: of("text", "deno") },
      { name: "bound", a: of("text", "node"), b: of("json", "deno") },
      { name: "under", a: of("json", "deno"), b: of("text", "node") },
      { name: "nobody", a: of("json", "node"), b: of("text", "deno") },
    ],
  };
  const second = {
    ...REPORT,
    results: [{ ...REPORT.results[0] as Result, requestsPerS: figure(1, 2000) }],
  };
  deepStrictEqual(ratiosOfTables(preset, [REPORT, second]), [
    "with : without: published 0.25, measured 0.50",
    "bound: published 2.00, measured ≥ 0.50",
    "under: published 0.50, measured ≤ 2.00",
    "nobody: published –, measured –",
  ]);
  deepStrictEqual(ratiosOfTables(preset, [REPORT, null]).slice(0, 1), [
    "with : without: published 0.25, measured –",
  ]);
});
