import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Report } from "../../model/report.ts";
import { partTables } from "./report_tables.ts";
import { DUEL, REPORT, SERVER } from "../report_testdata.ts";

Deno.test("partTables has nothing to say of requests of one kind without TLS", () => {
  deepStrictEqual(partTables(REPORT), []);
});

Deno.test("partTables sets handshakes of servers side by side, and leaves out those that had none", () => {
  const handshakeUs = { ...SERVER.startUpS, median: 612, confidenceInterval: null };
  const servers = [
    { ...SERVER, handshakeUs, handshakeCpuUs: 226 },
    { ...SERVER, id: "absent", skipped: "not here" },
  ];
  const [part] = partTables({ ...DUEL, servers } as unknown as Report);
  strictEqual(part?.caption, "TLS handshakes");
  deepStrictEqual(part?.table.columns.map(({ heading }) => heading), [
    "TLS server",
    "Handshake ms",
    "±",
    "CPU ms",
  ]);
  deepStrictEqual(part?.table.rows.map(({ cells }) => cells), [["deno", "0.612", "–", "0.226"]]);
});
