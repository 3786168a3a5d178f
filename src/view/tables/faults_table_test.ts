import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type FaultOutcome, type FaultResult, FAULTS } from "../../model/fault.ts";
import { faultsSummary, faultsText } from "../../cli/commands/servers_command.ts";
import { faultsTable, overviewOfFaults } from "./faults_table.ts";

const DONE: FaultOutcome = {
  kind: "done",
  scenario: "sql1",
  requests: 200,
  failed: { nothing: 10, "503": 40 },
  recoveryS: 0.25,
  monitorLatenessS: 0.02,
  requestFlood: null,
  end: null,
};

const RESULTS: readonly FaultResult[] = [
  { server: "a", fault: "stall", outcome: DONE },
  { server: "a", fault: "churn", outcome: { ...DONE, failed: {}, recoveryS: null } },
  {
    server: "a",
    fault: "overload",
    outcome: {
      ...DONE,
      monitorLatenessS: 0.25,
      requestFlood: { scenario: "primes", closedLoopPerS: 300, sentPerS: 590 },
    },
  },
  {
    server: "a",
    fault: "sigterm",
    outcome: { ...DONE, requests: 10, failed: {}, end: { code: 0, signal: null, tookS: 1.5 } },
  },
  { server: "b", fault: "stall", outcome: { kind: "skipped", why: "no-scenario" } },
  { server: "b", fault: "churn", outcome: { kind: "failed", message: "It did\nnot start" } },
];

Deno.test("each fault has a row: what failed, when all was well again, and what clients got", () => {
  const rows = faultsTable(RESULTS).rows.map(({ cells, rest }) => [...cells, rest ?? ""].join("|"));
  deepStrictEqual(rows, [
    "database stalls|sql1|200|25 %|260 ms|40 × 503; 10 × no response|",
    "connections churn|sql1|200|0.0 %|not in 10 s||",
    "twice its highest rate|sql1|200|25 %|260 ms|40 × 503; 10 × no response; " +
    "primes at 590.0/s, closed loop 300.0/s; the monitor itself was up to 250 ms late|",
    "SIGTERM under load|sql1|10|0.0 %|ended 1.50 s|exit code 0|",
    "database stalls|not tried: the server has no scenario for it",
    "connections churn|It did not start",
  ]);
});

Deno.test("several servers have an overview, a row for each", () => {
  const { columns, rows } = overviewOfFaults(RESULTS);
  deepStrictEqual(columns.map(({ heading }) => heading), [
    "Server",
    "database stalls",
    "connections churn",
    "twice its highest rate",
    "SIGTERM under load",
  ]);
  deepStrictEqual(rows.map(({ cells }) => cells), [
    ["a", "25 %, 260 ms", "0.0 %, not in 10 s", "25 %, 260 ms", "0.0 %, ended 1.50 s"],
    ["b", "–", "–", "–", "–"],
  ]);
  const screen = { columns: 120, styled: false };
  match(faultsSummary(RESULTS, screen), /^\nServer[^]*\na [^]*\nb [^]*Failed: requests without/);
  match(faultsText("A (a)", RESULTS.slice(0, 4), screen), /^\nA \(a\):\nFault /);
  const missing = { kind: "missing", message: "no go here" } as const;
  const nothing = FAULTS.map((fault) => ({ server: "c", fault, outcome: missing }));
  strictEqual(faultsText("C (c)", nothing, screen), "\nC (c): skipped: no go here");
});
