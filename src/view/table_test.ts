import { deepStrictEqual, ok } from "node:assert/strict";
import { type Column, column, columnLegend, type Table } from "./table.ts";
import { wideTables } from "./tables/report_tables.ts";
import { DUEL } from "./report_testdata.ts";

const RSS = column("RSS", true, 0, "the server's peak memory");
const PER_CORE = column("per core", true, 0, "responses per second from one core");
const SERVER = column("Server", false);
const tableOf = (...columns: Column[]): Table => ({ columns, rows: [] });

Deno.test("columns that are there are explained, each once, and no others", () => {
  deepStrictEqual(columnLegend([tableOf(SERVER, RSS), tableOf(RSS, PER_CORE)]), [
    "RSS: the server's peak memory; per core: responses per second from one core.",
  ]);
  deepStrictEqual(columnLegend([tableOf(SERVER)]), []);
  const [all = ""] = columnLegend(wideTables(DUEL));
  for (const heading of ["Req/Sec", "±", "probe p99", "Start-up"]) {
    ok(all.includes(`${heading}: `), `${heading}: ${all}`);
  }
});
