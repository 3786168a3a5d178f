import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { changesMarkdown, changesText, notesOfReports, notesOfVersus } from "./changes_text.ts";
import { HOSTILE, REPORT } from "./report_testdata.ts";
import { CHANGES, VERSUS } from "./testdata/versus_report.ts";

const SCREEN = { columns: 200, styled: false };

Deno.test("changes are a table with notes, as text and as Markdown", () => {
  const text = changesText(
    CHANGES,
    { gate: ["It passes."], notes: ["Mind the gap.", HOSTILE] },
    SCREEN,
  ).split("\n");
  match(text[1] ?? "", /^No detectable change in 1 scenario; /);
  strictEqual(text[2], "It passes.");
  match(text[4] ?? "", /^Server +Scenario +Metric +Base +Head/);
  match(text[5] ?? "", /^head +text +Req\/Sec +1,000 +950\.0 .* no detectable change/);
  deepStrictEqual(text.slice(-2), ["Mind the gap.", "<b>Deno</b> | $& %s \ufffd[2J\ufffd"]);
  const page = changesMarkdown("a|b", CHANGES, { gate: ["It passes."], notes: ["Mind the gap."] });
  match(
    page,
    /^### No detectable change in 1 scenario; .*\n\nIt passes\.\n\nStampede: a\\\|b\n\n\| Server \|/,
  );
  match(page, /^- The noise floor comes from results\/noise\.json\.\n- Mind the gap\.\n$/m);
});

Deno.test("notesOfReports name the versions that differ", () => {
  deepStrictEqual(notesOfReports(REPORT, REPORT), []);
  const versions = (bun: string): typeof REPORT => ({ ...REPORT, versions: { "bun: Bun": bun } });
  deepStrictEqual(notesOfReports(versions("1"), versions("2")), [
    "Versions differ: bun: Bun (1, then 2)",
  ]);
  deepStrictEqual(notesOfReports({ ...REPORT, versions: {} }, versions("2")), [
    "Versions differ: bun: Bun (nothing, then 2)",
  ]);
});

Deno.test("notesOfReports warn of a run that began under load", () => {
  const load = { name: "load", found: "busy before the run: load of 8.00 on 2 CPUs" } as const;
  const began = (status: "ok" | "warn"): typeof REPORT => ({
    ...REPORT,
    host: { ...REPORT.host, findings: [{ ...load, status, advice: null }] },
  });
  deepStrictEqual(notesOfReports(began("ok"), began("ok")), []);
  deepStrictEqual(notesOfReports(began("warn"), began("ok")), [
    "BASE began on a busy machine (busy before the run: load of 8.00 on 2 CPUs): measure it again on a quiet one, or measure both together: deno task bench versus --base main",
  ]);
  match(notesOfReports(began("ok"), began("warn"))[0] ?? "", /^HEAD began on a busy machine/);
});

Deno.test("notesOfVersus name both servers, and how they were measured", () => {
  const [names, load] = notesOfVersus(VERSUS);
  strictEqual(names, "base: Deno at main; head: current Deno; paired over the rounds of one run");
  match(load ?? "", /^10 connections, /);
});
