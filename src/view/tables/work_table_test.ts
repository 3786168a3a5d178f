import { deepStrictEqual, match } from "node:assert/strict";
import { workText } from "../../cli/commands/work_command.ts";
import type { Work, WorkRecord } from "../../model/work.ts";
import { workTables } from "./work_table.ts";

const WORK: Work = {
  headBytes: 120,
  bodyBytes: 11.04,
  headers: { date: "now", "content-length": "11" },
  sends: { toClients: 1, toDatabase: 0 },
  statements: null,
  connections: null,
  problems: [],
  notes: [],
};

function recordOf(server: string, work: Partial<Work>, scenario = "text"): WorkRecord {
  return { server, scenario, outcome: { kind: "done", ...WORK, ...work } };
}

const CHUNKED = { date: "now", "transfer-encoding": "chunked", "x-powered-by": "a\u0007" };
const STATEMENTS = [{ query: "SELECT 1", perResponse: 19.999 }];
const NO_STRACE = "Sends were not counted: strace is not installed";
const RECORDS: readonly WorkRecord[] = [
  recordOf("a", {}),
  recordOf("b", { headers: CHUNKED, sends: null, notes: [NO_STRACE] }),
  recordOf("c", { sends: { toClients: 0.0625, toDatabase: 0 } }),
  { server: "d", scenario: "text", outcome: { kind: "missing", message: "no d here" } },
  recordOf("a", { statements: STATEMENTS, connections: 9, problems: ["9 instead of 10"] }, "db"),
];

Deno.test("each scenario has a table with the headers that differ from most responses", () => {
  const [text, db] = workTables(RECORDS);
  deepStrictEqual(text?.caption, "text: most responses have content-length, date");
  deepStrictEqual(
    text.table.rows.map(({ cells, rest }) => [...cells, rest ?? ""].join("|")),
    [
      "a|120|11|1||",
      "b|120|11|–|transfer-encoding: chunked, x-powered-by, no content-length|",
      "c|120|11|0.06||",
      "d|skipped: no d here",
    ],
  );
  deepStrictEqual(
    db?.table.columns.map(({ heading }) => heading),
    ["Server", "Head", "Body", "Sends", "To DB", "Statements", "DB conns", "Other headers"],
  );
  deepStrictEqual(db.table.rows[0]?.cells, ["a", "120", "11", "1", "0", "20", "9", ""]);
});

Deno.test("problems and missing counts follow the tables", () => {
  const text = workText(RECORDS, { columns: 120, styled: false });
  match(text, /^Sends were not counted: strace is not installed \(b text\)$/m);
  match(text, /^FAIL {2}a db: 9 instead of 10$/m);
  match(text, /^Head: bytes of the status line/m);
});
