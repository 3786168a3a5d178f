import { strictEqual } from "node:assert/strict";
import type { Report } from "../model/report.ts";
import { FORMATS, render } from "./reporters.ts";
import { DUEL, REPORT } from "./testdata.ts";

const FOLDER = new URL("./testdata/", import.meta.url);
const SCREEN = { columns: 80, styled: false };
const CASES: readonly (readonly [name: string, reports: readonly Report[]])[] = [
  ["one", [REPORT]],
  ["duel", [DUEL]],
];

/** A page without its pictures, styles and script, which would drown its text. */
function withoutAssets(page: string): string {
  return page.replaceAll(/<(svg|style|script)\b[\s\S]*?<\/\1>/g, "<$1></$1>");
}

for (const format of FORMATS.filter((format) => format !== "json")) {
  Deno.test(`${format} is what it was (UPDATE=1 writes it anew)`, async () => {
    for (const [name, reports] of CASES) {
      const text = await render(format, reports, SCREEN);
      const file = new URL(`${name}.${format}.txt`, FOLDER);
      const shown = format === "html" ? withoutAssets(text) : text;
      if (Deno.env.get("UPDATE")) await Deno.writeTextFile(file, shown);
      strictEqual(shown, await Deno.readTextFile(file));
    }
  });
}
