import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Result, ServerSummary } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { costsTable, serversTable, wideTables } from "./report_tables.ts";
import { DUEL, REPORT } from "../report_testdata.ts";
import { estimate, messageReason } from "../testdata/result.ts";

const GOOD = DUEL.results[0] as Result;
const SERVER = DUEL.servers[0] as ServerSummary;
const rows = (report: Report): string[] =>
  serversTable(report).rows.map(({ cells, rest = "" }) => [...cells, rest].join(" | "));
const headings = (report: Report): string =>
  serversTable(report).columns.map(({ heading }) => heading).join(" ");

Deno.test("serversTable shows how one server starts", () => {
  strictEqual(headings(REPORT), "Server Start-up Idle RSS");
  deepStrictEqual(rows(REPORT), ["deno | 85 ms | 62 MiB | "]);
});

Deno.test("serversTable sets servers side by side, and a dash where one does not take part", () => {
  const experiment = { ...DUEL.experiment, scenarios: ["json", "text", "sql1"] };
  const results: Result[] = [
    { ...GOOD, isLowerBound: false },
    { ...GOOD, variant: "node" },
    { ...GOOD, variant: "node", scenario: "json", requestsPerS: null, status: "invalid" },
  ];
  const report = { ...DUEL, experiment, results };
  strictEqual(headings(report), "Server Start-up Idle RSS json text");
  deepStrictEqual(rows(report), [
    "deno | 85 ms | 62 MiB | – | 77,640 | ",
    "node | – | 62 MiB | invalid | ≥ 77,640 | ",
    "encore | skipped: encore not found (install it)",
  ]);
});

Deno.test("serversTable names the worker groups if there are several", () => {
  const servers = [SERVER, { ...SERVER, id: "node", workers: null }];
  const report = { ...DUEL, servers };
  strictEqual(headings(report), "Server Workers Start-up Idle RSS text");
  deepStrictEqual(rows(report).map((row) => row.split(" | ")[1]), ["1", "any"]);
});

Deno.test("serversTable has a column for each step of a sweep", () => {
  const load = { ...DUEL.experiment.load, connections: [1, 10] };
  const experiment = { ...DUEL.experiment, load };
  const report = { ...DUEL, experiment, results: [GOOD, { ...GOOD, connections: 1 }] };
  strictEqual(headings(report), "Server Start-up Idle RSS text 1 text 10");
});

Deno.test("serversTable says why a server could not be built, or started", () => {
  const servers = [SERVER, { ...SERVER, id: "x", failure: "Cannot build X" }];
  deepStrictEqual(rows({ ...DUEL, servers })[1], "x | failed: Cannot build X");
  const failed = { ...GOOD, status: "failed", reason: messageReason("no\nport") } as const;
  const results = [failed, { ...failed, scenario: "json" }];
  deepStrictEqual(rows({ ...DUEL, servers: [SERVER], results }), ["deno | failed: no port"]);
});

Deno.test("a run of costs has one table, which says why a server has none", () => {
  const idleBytes = estimate(1e6, 9e5, 1.1e6);
  const servers = DUEL.servers.map((server) =>
    server.skipped === null ? { ...server, startUpS: null, costs: { idleBytes } } : server
  );
  const report = { ...DUEL, servers, results: [] };
  strictEqual(wideTables(report).length, 1);
  deepStrictEqual(costsTable(report).rows.map(({ cells, rest = "" }) => [...cells, rest]), [
    ["deno", "0.954 MiB", "10 %", ""],
    ["node", "0.954 MiB", "10 %", ""],
    ["encore", "skipped: encore not found (install it)"],
  ]);
});

Deno.test("a narrow table of costs loses its last columns first", () => {
  const costs = { idleBytes: estimate(1e6, 9e5, 1.1e6), startUpUs: estimate(9e4, 8e4, 1e5) };
  const { columns } = costsTable({ ...REPORT, servers: [{ ...SERVER, costs }] });
  deepStrictEqual(columns.map(({ heading, dropOrder }) => [heading, dropOrder]), [
    ["Costs of", 0],
    ["Idle memory", 1],
    ["±", 1],
    ["Start-up", 2],
    ["±", 2],
  ]);
});
