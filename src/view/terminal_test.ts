import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { DUEL, HOSTILE, REPORT } from "./report_testdata.ts";
import { type Extent, footer, terminal } from "./terminal.ts";
import { messageReason } from "./testdata/result.ts";

const EVIDENCE = (...explained: string[]): Extent => ({ explained, isWide: false, file: null });
const WIDE: Extent = { explained: [], isWide: true, file: null };
const lines = (columns: number, extent?: Extent, styled = false): string[] =>
  terminal(REPORT, { columns, styled }, extent).split("\n");

Deno.test("terminal draws the scenarios in the order of the run, numbers to the right", () => {
  deepStrictEqual(lines(90).slice(1, 7), [
    "Scenario   Req/Sec      ±  CPU/req      ±  p50 ms  p99 ms  Bottleneck          Errors",
    "text      ≥ 77,640  6.4 %  7.50 µs  5.3 %   0.119   2,010  generator                0",
    "json      ≥ 77,640  6.4 %  7.50 µs  5.3 %   0.119   2,010  generator   ! 3 of 500,000",
    "sql1      invalid: wrong",
    "delay        496.1      –        –      –   0.119   2,010  idle                     0",
    "books     failed: killed: by 9",
  ]);
});

Deno.test("terminal draws every figure, every warning and the environment if it may be wide", () => {
  const wide = lines(200, WIDE);
  deepStrictEqual(wide.slice(1, 3), [
    "Scenario   Req/Sec      ±   per core  CPU/req      ±  p50 ms  p99 ms  probe p99      RSS  Bottleneck          Errors",
    "text      ≥ 77,640  6.4 %  ~ 133,300  7.50 µs  5.3 %   0.119   2,010       2.20  166 MiB  generator                0",
  ]);
  const text = wide.join("\n");
  match(text, /^Server {2}Start-up {2}Idle RSS\ndeno {7}85 ms {4}62 MiB$/m);
  match(
    text,
    /10 connections, 6 rounds of 1.5 s, 0.5 s of warm-up, autocannon 9.0.0, not pinned, seed 7/,
  );
  match(text, /probe p99:\s+99th percentile of the probe's response times/);
});

Deno.test("terminal says what is missing and why", () => {
  const text = lines(200).join("\n");
  match(text, /^json: 1 of 6 rounds failed: the generator hung$/m);
  match(text, /^6 rounds in 1 min 40 s, 10 connections, autocannon$/m);
  match(text, /^! cores may blur figures: deno task bench doctor$/m);
});

Deno.test("terminal breaks no word where it breaks lines", () => {
  for (const extent of [undefined, WIDE]) {
    const narrow = lines(40, extent);
    const words = narrow.slice(6).join(" ").split(/\s+/);
    const known = lines(1000, extent).slice(6).join(" ").split(/\s+/);
    deepStrictEqual(words.slice(-20), known.slice(-20));
    const prose = narrow.slice(narrow.findIndex((line) => line.startsWith("json: 1 of")));
    ok(prose.length > 5);
    ok(prose.every((line) => line.length <= 40), prose.join("\n"));
  }
});

Deno.test("terminal wraps a long reason, beside its names or below them", () => {
  const why =
    "Nothing listens at http://127.0.0.1:3000 (Connection refused): start the server first";
  const results = REPORT.results.map((result): Result => ({
    ...result,
    status: "failed",
    reason: messageReason(why),
  }));
  for (const columns of [120, 80, 40]) {
    const text = terminal({ ...REPORT, results }, { columns, styled: false });
    const table = text.split("\n").slice(1, text.split("\n").indexOf("", 1));
    ok(table.every((line) => line.length <= columns), table.join("\n"));
    const words = table.join(" ").split(/\s+/);
    strictEqual(words.filter((word) => word === "refused):").length, 1);
  }
});

Deno.test("terminal leaves out columns on a narrow screen, never Req/Sec", () => {
  for (const columns of [60, 40, 20, 5]) {
    const table = lines(columns).slice(1, 7);
    ok(table.every((line) => line.length <= Math.max(columns, 30)), `${columns} columns`);
    match(table[0] ?? "", /^Scenario +Req\/Sec/);
  }
});

Deno.test("terminal shows styles only where they are wanted", () => {
  ok(lines(80, undefined, true).some((line) => line.includes("\x1b[1m")));
  strictEqual(lines(80).some((line) => line.includes("\x1b")), false);
});

Deno.test("terminal names the servers if there are several", () => {
  const brief = terminal(DUEL, { columns: 80, styled: false }).split("\n").slice(1, 6);
  deepStrictEqual(brief, [
    "Rank  Server   Req/Sec      ±  CPU/req      ±  p50 ms  p99 ms  Bottleneck",
    "text: deno needs least CPU: node needs 1.2 x (1.2 to 1.3) as much",
    "  1   deno    ≥ 77,640  6.4 %  7.50 µs  5.3 %   0.119   2,010  generator",
    "  2   node    ≥ 77,640  6.4 %  7.50 µs  5.3 %   0.119   2,010  generator",
    "   –  encore  skipped: encore not found (install it)",
  ]);
  const lines = terminal(DUEL, { columns: 200, styled: false }, WIDE).split("\n").slice(1, 10);
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
  const [result] = DUEL.results as [Result];
  const results: Result[] = [
    { ...result, variant: HOSTILE, failedRounds: 1, reason: messageReason(HOSTILE) },
    { ...result, scenario: HOSTILE, status: "invalid", reason: messageReason(HOSTILE) },
  ];
  const text = terminal(
    { ...DUEL, results },
    { columns: 300, styled: false },
    EVIDENCE("text", HOSTILE),
  );
  strictEqual(/[^\P{Cc}\n]/u.test(text), false);
  // Three times in the table, twice in a warning, once in another, and both in the evidence.
  const shown = "<b>Deno</b> | $& %s \ufffd[2J\ufffd";
  strictEqual(text.split(shown).length - 1, 8, text);
  const styled = terminal({ ...DUEL, results }, { columns: 300, styled: true }, WIDE);
  ok(styled.includes("\x1b[1m") && !styled.includes("\x1b[2J"));
});

Deno.test("terminal prints the evidence of what is to be explained, and only that", () => {
  const text = terminal(REPORT, { columns: 80, styled: false }, EVIDENCE("json"));
  match(text, /^json of deno, 10 connections: generator$/m);
  strictEqual(/^text of deno/m.test(text), false);
});

Deno.test("one server at one scenario shows how long responses took, in a sweep for each load", () => {
  const [result] = REPORT.results.filter(({ scenario }) => scenario === "text") as [Result];
  const barsOf = (...loads: number[]): string[] => {
    const results = loads.map((connections) => ({ ...result, connections }));
    const trialResults = loads.flatMap((connections) =>
      REPORT.trialResults.slice(0, 1).map((trialResult) => ({
        ...trialResult,
        trial: { ...trialResult.trial, load: { ...trialResult.trial.load, connections } },
      }))
    );
    const text = terminal({ ...REPORT, results, trialResults }, { columns: 80, styled: false });
    return text.split("\n").filter((line) => line.startsWith("Latency"));
  };
  deepStrictEqual(barsOf(10), ["Latency, all rounds together:"]);
  deepStrictEqual(barsOf(10, 1), [
    "Latency at 1 connection, all rounds together:",
    "Latency at 10 connections, all rounds together:",
  ]);
  deepStrictEqual(barsOf(1, 2, 3, 4, 5), []);
});

const [GOOD] = DUEL.results as [Result, ...Result[]];
const SIX = 6;

/** Returns a report with a failed round at each of `count` scenarios. */
function failing(count: number, why = "it hung"): Report {
  const results = Array.from({ length: count }, (_cell, i) => ({
    ...GOOD,
    scenario: `s${i}`,
    failedRounds: 1,
    reason: messageReason(why),
  }));
  return { ...REPORT, results };
}

Deno.test("the footer has six lines at most, what weighs most first, and counts the rest", () => {
  for (const count of [1, 2, 3, 10]) {
    const lines = footer(failing(count), 80);
    ok(lines.length <= SIX, lines.join("\n"));
    match(lines[0] ?? "", /^s0: 1 of 7 rounds failed: it hung$/);
  }
  // Those of the generator as the bottleneck are one warning
  deepStrictEqual(footer(failing(10), 80).filter((line) => /more warning/.test(line)), [
    "9 more warnings: deno task bench report --wide",
  ]);
});

Deno.test("a warning that is too long by itself is cut, and says where it stands whole", () => {
  for (const count of [1, 3]) {
    const lines = footer(failing(count, "it said so much ".repeat(100)), 80);
    ok(lines.length <= SIX, lines.join("\n"));
    match(lines.join(" "), /it said .*…\s+All\s+of\s+it:\s+deno\s+task\s+bench\s+report\s+--wide/);
  }
});

Deno.test("the footer says how long the run was, and what to know of the machine and the columns", () => {
  const quiet = { ...REPORT, results: [{ ...GOOD, bottleneck: null }] };
  deepStrictEqual(footer(quiet, 80), [
    "6 rounds in 1 min 40 s, 10 connections, autocannon",
    "! cores may blur figures: deno task bench doctor",
    "±: half the 95 % CI",
  ]);
  const relativeCpu = { rounds: 6, ratio: 1, confidenceInterval: null };
  const lines = footer({ ...quiet, results: [{ ...GOOD, bottleneck: null, relativeCpu }] }, 80);
  const last = lines.at(-1) ?? "";
  strictEqual(
    last,
    "Rel. CPU: CPU time per response, bare Deno.serve is 1; ±: half the 95 % CI",
  );
  ok(last.length <= 80);
});

Deno.test("the footer says that a run was stopped, and which load generator took over", () => {
  const results = [{ ...GOOD, bottleneck: null, isTakenOver: true }];
  const [one] = REPORT.generators;
  const generators = [one, { ...one, id: "stampede" }] as Report["generators"];
  const lines = footer({ ...REPORT, results, generators, complete: false }, 80);
  ok(
    lines.includes(
      "interrupted, 6 rounds in 1 min 40 s, 10 connections, autocannon (†: stampede)",
    ),
    lines.join("\n"),
  );
});
