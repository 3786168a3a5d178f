import { rejects, strictEqual } from "node:assert/strict";
import type { Report } from "../model/report.ts";
import { FORMATS, render } from "./reporters.ts";
import { DUEL, REPORT } from "./report_testdata.ts";

const FOLDER = new URL("./testdata/", import.meta.url);
const SCREEN = { columns: 80, styled: false };
const CASES: readonly (readonly [name: string, reports: readonly Report[]])[] = [
  ["one", [REPORT]],
  ["duel", [DUEL]],
];

/** The report with relative CPU times, because a picture of one server shows these. */
const WITH_RELATIVE_CPU: Report = {
  ...REPORT,
  results: REPORT.results.map((result) =>
    result.requestsPerS === null ? result : {
      ...result,
      relativeCpu: {
        rounds: 6,
        ratio: 1.2,
        confidenceInterval: { low: 1.1, high: 1.3, coverage: 0.97 },
      },
    }
  ),
};

/** Removes pictures, styles and script from a page: the golden file only has its text. */
function withoutAssets(page: string): string {
  return page.replaceAll(/<(svg|style|script)\b[\s\S]*?<\/\1>/g, "<$1></$1>");
}

Deno.test("a picture of nothing is refused", async () => {
  await rejects(render("svg", [REPORT], SCREEN), {
    name: "UsageError",
    message: /neither relative CPU times/,
  });
  await rejects(render("svg", [DUEL, DUEL], SCREEN), { name: "UsageError", message: /several/ });
});

// figures_test.ts has tests of CSV
for (const format of FORMATS.filter((format) => format !== "json" && format !== "csv")) {
  Deno.test(`${format} is what it was (UPDATE=1 writes it anew)`, async () => {
    for (const [name, reports] of CASES) {
      const shownReports = format === "svg" && name === "one" ? [WITH_RELATIVE_CPU] : reports;
      const text = await render(format, shownReports, SCREEN);
      const file = new URL(`${name}.${format}.txt`, FOLDER);
      const shown = format === "html" ? withoutAssets(text) : text;
      if (Deno.env.get("UPDATE")) await Deno.writeTextFile(file, shown);
      strictEqual(shown, await Deno.readTextFile(file));
    }
  });
}
