import { deepStrictEqual, ok } from "node:assert/strict";
import { columnLegend } from "./column_legend.ts";
import { wideTables } from "./tables/report_tables.ts";
import { DUEL } from "./report_testdata.ts";

const tableOf = (...headings: string[]): Parameters<typeof columnLegend>[0][number] => ({
  columns: headings.map((heading) => ({ heading, isNumber: false, dropOrder: 0 })),
  rows: [],
});

Deno.test("columns that are there are explained, each once, and no others", () => {
  deepStrictEqual(columnLegend([tableOf("Server", "RSS"), tableOf("RSS", "per core")]), [
    "per core: responses per second from one fully used core, by CPU/req; RSS: the server's peak memory.",
  ]);
  deepStrictEqual(columnLegend([tableOf("Server")]), []);
  const [all = ""] = columnLegend(wideTables(DUEL));
  for (const heading of ["Req/Sec", "±", "probe p99", "Start-up"]) {
    ok(all.includes(`${heading}: `), `${heading}: ${all}`);
  }
});
