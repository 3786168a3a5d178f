import { deepStrictEqual, match, ok } from "node:assert/strict";
import { COMMAND_NAMES } from "../src/cli/options/option_spec.ts";
import { OPTIONS } from "../src/cli/options/option_table.ts";
import { manPage } from "./man_page.ts";

const PAGE = manPage({ version: "0.1.0", date: "2026-11-25" });

Deno.test("the manual page has every command, option and exit code, and only known macros", () => {
  match(PAGE, /^\.TH STAMPEDE 1 "2026-11-25" "Stampede 0\.1\.0"/);
  for (const name of COMMAND_NAMES) {
    ok(PAGE.includes(`\\fB${name.replaceAll("-", "\\-")}\\fR`), name);
  }
  for (const { flags } of OPTIONS) ok(PAGE.includes(flags.replaceAll("-", "\\-")), flags);
  match(PAGE, /^\\fB130\\fR$/m);
  const macros = new Set(PAGE.match(/^[.'].\w*/gm));
  deepStrictEqual([...macros].sort(), [".SH", ".SS", ".TH", ".TP", ".br"]);
});

/** Returns what man's formatter warns of; null if it is not installed. */
async function warnings(): Promise<string | null> {
  const file = await Deno.makeTempFile({ suffix: ".1" });
  try {
    await Deno.writeTextFile(file, PAGE);
    const groff = new Deno.Command("groff", { args: ["-man", "-Tutf8", "-ww", "-z", file] });
    return new TextDecoder().decode((await groff.output()).stderr);
  } catch {
    return null; // a missing program throws
  } finally {
    await Deno.remove(file);
  }
}

const found = await warnings();
Deno.test({
  name: "groff formats the manual page without a warning",
  ignore: found === null,
  fn: () => deepStrictEqual(found, ""),
});
