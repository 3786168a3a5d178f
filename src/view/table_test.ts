import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { describeFindings } from "../cli/commands/doctor_command.ts";
import type { Change } from "../model/derived.ts";
import { changesText } from "./changes_text.ts";
import { gateNotes } from "./gate_notes.ts";
import { DUEL, REPORT } from "./report_testdata.ts";
import {
  columnLegend,
  hanging,
  numbers,
  type Table,
  tinted,
  tintedLines,
  words,
  wrap,
  wrapLines,
} from "./table.ts";
import { wideTables } from "./tables/report_tables.ts";
import { terminal } from "./terminal.ts";
import { CHANGES } from "./testdata/versus_report.ts";

const RSS = numbers("RSS", String, 0, "the server's peak memory");
const PER_CORE = numbers("per core", String, 0, "responses per second from one core");
const SERVER = words("Server", String);
const tableOf = (...columns: Table["columns"]): Table => ({ columns, rows: [] });

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

Deno.test("wrap breaks between words, and indents what follows", () => {
  deepStrictEqual(wrap("one two three four", 9), ["one two", "  three", "  four"]);
  deepStrictEqual(wrap("one two", 7), ["one two"]);
  deepStrictEqual(wrap("", 7), [""]);
});

Deno.test("wrap leaves a long word whole", () => {
  deepStrictEqual(wrap("see /a/very/long/path now", 8), ["see", "  /a/very/long/path", "  now"]);
});

Deno.test("hanging puts a text behind its start, or below it if there is no room", () => {
  const text = "one two three four five six seven";
  deepStrictEqual(hanging("load  ", text, 36), [
    "load  one two three four five six",
    "      seven",
  ]);
  deepStrictEqual(hanging("load  ", text, 30), [
    "load",
    "    one two three four five",
    "    six seven",
  ]);
});

Deno.test("foldStacks wraps each line that is too long, and leaves the others as they are", () => {
  deepStrictEqual(wrapLines("a  table\n- one two three", 9), "a  table\n- one two\n  three");
  deepStrictEqual(wrapLines("  one two three", 10), "  one two\n    three");
});

const [SAME] = CHANGES.changes as readonly [Change];

Deno.test("what became slower is red, what became faster green, and what did not change plain", () => {
  const shown = (verdict: Change["verdict"], styled: boolean): string =>
    changesText(
      { ...CHANGES, changes: [{ ...SAME, verdict }] },
      { gate: [], notes: [] },
      { columns: 200, styled },
    );
  const slower = shown("slower", true);
  for (const part of ["Slower:", "−5.0 %", "slower"]) {
    ok(slower.includes(tinted(part, "bad")), part);
  }
  const faster = shown("faster", true);
  for (const part of ["Faster:", "−5.0 %", "faster"]) {
    ok(faster.includes(tinted(part, "good")), part);
  }
  const same = shown("same", true);
  strictEqual(same.includes("\x1b[3"), false, "nothing in colour");
  for (const verdict of ["slower", "faster", "same"] as const) {
    strictEqual(shown(verdict, false).includes("\x1b"), false);
    strictEqual(
      stripVTControlCharacters(shown(verdict, true)),
      shown(verdict, false),
      "colours take no columns",
    );
  }
});

Deno.test("what failed is red, and a bottleneck that is not the server yellow", () => {
  const styled = terminal(REPORT, { columns: 80, styled: true });
  ok(styled.includes(tinted("invalid: wrong", "bad")), styled);
  ok(styled.includes(tinted("generator", "doubtful")), styled);
  strictEqual(stripVTControlCharacters(styled), terminal(REPORT, { columns: 80, styled: false }));
});

Deno.test("a machine's warnings are yellow", () => {
  const finding = { name: "load", status: "warn", found: "busy", advice: null } as const;
  const [styled = ""] = describeFindings([finding], { columns: 80, styled: true });
  match(stripVTControlCharacters(styled), /^warn {5}load {2}busy$/);
  ok(styled.startsWith(tinted("warn", "doubtful")), styled);
});

Deno.test("a gate's sentences are told apart by their beginnings, wherever they are wrapped", () => {
  deepStrictEqual(tintedLines(["Faster: a.", "  Slower: b. Nothing is slower."], true), [
    `${tinted("Faster:", "good")} a.`,
    `  ${tinted("Slower:", "bad")} b. Nothing is slower.`,
  ]);
  deepStrictEqual(tintedLines(["Slower: b."], false), ["Slower: b."]);
  const broken = { ...SAME, isBroken: true, verdict: "slower" } as const;
  const proven = {
    ...SAME,
    ratio: 0.8,
    familyConfidenceInterval: { low: 0.75, high: 0.85, coverage: 0.99 },
    verdict: "slower",
  } as const;
  const open = {
    ...SAME,
    familyConfidenceInterval: { low: 0.9, high: 1.05, coverage: 0.99 },
  } as const;
  for (const [change, tone] of [[broken, "bad"], [proven, "bad"], [open, "doubtful"]] as const) {
    const notes = gateNotes({ changes: [change] }, { speed: 0.05, costs: {}, strict: false });
    const [start = ""] = /^.*?:/.exec(notes.find((note) => note.includes(":")) ?? "") ?? [];
    ok(tintedLines(notes, true).some((line) => line.startsWith(tinted(start, tone))), start);
  }
});

Deno.test("styles take no room where lines are folded", () => {
  strictEqual(wrapLines(tinted("1234567890", "bad"), 10), tinted("1234567890", "bad"));
});
