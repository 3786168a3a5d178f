import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Cell } from "../model/derived.ts";
import { DUEL, HOSTILE, REPORT } from "./testdata.ts";
import { told } from "./testdata/cell.ts";
import { terminal } from "./terminal.ts";

const lines = (columns: number, styled = false): string[] =>
  terminal(REPORT, { columns, styled }).split("\n");

Deno.test("terminal draws the scenarios in the order of the run, numbers to the right", () => {
  deepStrictEqual(lines(200).slice(1, 7), [
    "Scenario   Req/Sec      ±   per core  CPU/req      ±       p50       p99  witness p99      RSS  Limit              Errors",
    "text      ≥ 77,640  6.4 %  ~ 133,300  7.50 µs  5.3 %  0.119 ms  2,010 ms      2.20 ms  166 MiB  generator               0",
    "json      ≥ 77,640  6.4 %  ~ 133,300  7.50 µs  5.3 %  0.119 ms  2,010 ms      2.20 ms  166 MiB  generator  ! 3 of 500,000",
    "sql1      invalid: wrong",
    "delay        496.1      –          –        –      –  0.119 ms  2,010 ms            –        –  wait                    0",
    "books     failed: killed: by 9",
  ]);
});

Deno.test("terminal says what is missing and why", () => {
  const text = lines(200).join("\n");
  match(text, /^json: 1 of 6 rounds failed: the generator hung$/m);
  match(
    text,
    /10 connections, 6 rounds of 1.5 s, 0.5 s of warm-up, autocannon 9.0.0, not pinned, seed 7/,
  );
});

Deno.test("terminal leaves out columns on a narrow screen, never Req/Sec", () => {
  for (const columns of [60, 40, 20, 5]) {
    const table = lines(columns).slice(1, 7);
    ok(table.every((line) => line.length <= Math.max(columns, 30)), `${columns} columns`);
    match(table[0] ?? "", /^Scenario +Req\/Sec/);
  }
});

Deno.test("terminal shows styles only where they are wanted", () => {
  ok(lines(80, true).some((line) => line.includes("\x1b[1m")));
  strictEqual(lines(80, false).some((line) => line.includes("\x1b")), false);
});

Deno.test("terminal names the servers if there are several", () => {
  const lines = terminal(DUEL, { columns: 200, styled: false }).split("\n").slice(1, 10);
  const expected = [
    /^Server +Start-up +Idle RSS +text$/,
    /^deno +85 ms +62 MiB +≥ 77,640$/,
    /^node +– +62 MiB +≥ 77,640$/,
    /^encore +skipped: encore not found/,
    /^$/,
    /^Server +Scenario +Rank +Req\/Sec/,
    /^deno +text +1 +≥ 77,640/,
    /^node +text +2 +≥ 77,640/,
    /^encore +skipped: encore not found/,
  ];
  for (const [i, pattern] of expected.entries()) match(lines[i] ?? "", pattern);
});

Deno.test("terminal shows what others wrote as text, wherever it stands", () => {
  const [cell] = DUEL.cells as [Cell];
  const cells: Cell[] = [
    { ...cell, arm: HOSTILE, failedRounds: 1, reason: told(HOSTILE) },
    { ...cell, scenario: HOSTILE, status: "invalid", reason: told(HOSTILE) },
  ];
  const text = terminal({ ...DUEL, cells }, { columns: 300, styled: false }, ["text", HOSTILE]);
  strictEqual(/[^\P{Cc}\n]/u.test(text), false);
  // Both in the table, with a reason; a remark of two, the processor, and both in the evidence.
  const shown = "<b>Deno</b> | $& %s \ufffd[2J\ufffd";
  strictEqual(text.split(shown).length - 1 >= 8, true, text);
  const styled = terminal({ ...DUEL, cells }, { columns: 300, styled: true });
  ok(styled.includes("\x1b[1m") && !styled.includes("\x1b[2J"));
});

Deno.test("terminal prints the evidence of what is to be explained, and only that", () => {
  const text = terminal(REPORT, { columns: 80, styled: false }, ["json"]);
  match(text, /^json of deno, 10 connections: generator$/m);
  strictEqual(/^text of deno/m.test(text), false);
});
