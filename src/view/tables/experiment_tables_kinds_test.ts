import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../../model/report.ts";
import { REPORT } from "../report_testdata.ts";
import { render } from "../reporters.ts";
import { CHANGES, VERSUS } from "../testdata/versus_report.ts";
import { experimentTables } from "./experiment_tables.ts";

const SCREEN = { columns: 200, styled: false };
const captions = (report: Report): string[] =>
  experimentTables(report).map(({ caption }) => caption);

Deno.test("a report of versus shows the changes that it holds, with the noise floor", async () => {
  const [own] = experimentTables(VERSUS);
  strictEqual(own?.table.rows[0]?.cells.at(-2), "no detectable change");
  deepStrictEqual(own.notes.slice(0, 2), ["base: Deno at main", "head: current Deno"]);
  for (const format of ["table", "markdown", "html"] as const) {
    const text = await render(format, [VERSUS], SCREEN);
    match(text, /no detectable change/, format);
    match(text, /The noise floor comes from results\/noise\.json\./, format);
    strictEqual(/slower ?(\||<|$)/m.test(text), false, format);
  }
  ok(CHANGES.changes.every(({ floor }) => floor > 0));
});

Deno.test("a report says by its kind what it was made for, wherever its command names that", () => {
  const of = (kind: Report["experiment"]["kind"], ...command: string[]): string[] =>
    captions({
      ...REPORT,
      command: ["deno", "task", "bench", ...command],
      experiment: { ...REPORT.experiment, kind },
      changes: kind === "versus" ? CHANGES : null,
    });
  deepStrictEqual(of("versus", "--seed", "7", "versus"), ["Changes from base to head"]);
  deepStrictEqual(of("noise", "-q", "noise"), ["A server against itself: the noise floor"]);
  deepStrictEqual(of("generators", "text"), ["One server under each load generator"]);
  deepStrictEqual(of("run", "noise"), []);
  deepStrictEqual(of("preset", "--preset", "encore"), []);
  deepStrictEqual(captions({ ...VERSUS, changes: null }), [], "nothing was compared");
});
