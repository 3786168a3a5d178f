import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { FAULTS } from "../model/fault.ts";
import { overviewOfFaults } from "./tables/faults_table.ts";
import { changesTable } from "./tables/changes_table.ts";
import { summaryTable } from "./tables/result_columns.ts";
import { CHANGES } from "./testdata/versus_report.ts";
import { DUEL } from "./report_testdata.ts";
import { draw, type Table } from "./table.ts";

const at = (columns: number): Parameters<typeof draw>[1] => ({ columns, styled: false });
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "").sort();

Deno.test("a table that keeps every column has stacked rows: nothing is lost, nothing is too long", () => {
  const table = summaryTable(DUEL, true);
  const words = wordsOf(draw(table, at(1000), true).join(" "));
  for (const columns of [120, 100, 80, 60, 40]) {
    const lines = draw(table, at(columns), true);
    deepStrictEqual(wordsOf(lines.join(" ")), words, `${columns} columns`);
    ok(lines.every((line) => line.length <= columns), lines.join("\n"));
    strictEqual(lines.some((line) => line.trimStart().startsWith("±")), false);
  }
});

Deno.test("stacked figures stand below their headings", () => {
  const [first = "", second = "", row = "", below = ""] = draw(
    summaryTable(DUEL, true),
    at(80),
    true,
  );
  strictEqual(first.indexOf("Req/Sec") + "Req/Sec".length, row.indexOf("77,640") + "77,640".length);
  strictEqual(second.indexOf("RSS") + 3, below.indexOf("166 MiB") + "166 MiB".length);
});

Deno.test("a table that cannot lose a column is stacked too", () => {
  const table = overviewOfFaults(FAULTS.map((fault) => ({
    server: "deno",
    fault,
    outcome: {
      kind: "done",
      scenario: "text",
      requests: 100,
      failed: { late: 33 },
      recoveryS: 0.5,
      monitorLatenessS: 0,
      requestFlood: null,
      end: null,
    },
  })));
  const lines = draw(table, at(80));
  ok(lines.length > 2 && lines.every((line) => line.length <= 80), lines.join("\n"));
  strictEqual(lines.join(" ").split("33 %, 500 ms").length - 1, FAULTS.length);
});

Deno.test("a long text in the last column is wrapped below itself, and no word is broken", () => {
  const text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
  const table: Table = {
    columns: [
      { heading: "Fault", isNumber: false, dropOrder: 0 },
      { heading: "Failed", isNumber: true, dropOrder: 1 },
      { heading: "What", isNumber: false, dropOrder: 0 },
    ],
    rows: [{ cells: ["overload", "33 %", text] }],
  };
  deepStrictEqual(draw(table, at(60)), [
    "Fault     Failed  What",
    "overload    33 %  one two three four five six seven eight",
    "                  nine ten eleven twelve thirteen fourteen",
  ]);
});

Deno.test("changes at 80 columns keep what they are of, and their interval", () => {
  const [heading = ""] = draw(changesTable(CHANGES), at(80));
  for (const name of ["Metric", "Change", "95 % CI", "Verdict"]) {
    ok(heading.includes(name), heading);
  }
  ok(heading.length <= 80, heading);
});
