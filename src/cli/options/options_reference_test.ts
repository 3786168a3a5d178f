import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { EXIT_CODES } from "../../model/exit_codes.ts";
import { commandsTable } from "../command_list.ts";
import { exitCodesHelp, exitCodesTable } from "../exit_codes.ts";
import { optionsTable } from "./commander.ts";
import { filesTable } from "../written_files.ts";

const REFERENCE = new URL("../../../docs/reference.md", import.meta.url);

/** The tables of the reference, by the comments before them. */
const TABLES = {
  commands: commandsTable(),
  options: optionsTable(),
  "exit codes": exitCodesTable(),
  files: filesTable(),
};

for (const [name, table] of Object.entries(TABLES)) {
  Deno.test(`the ${name} of the reference are those that there are (UPDATE=1 writes them)`, async () => {
    const section = new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=\\n<!-- deno-fmt-ignore-end -->)`);
    if (Deno.env.has("UPDATE")) {
      const text = await Deno.readTextFile(REFERENCE);
      await Deno.writeTextFile(REFERENCE, text.replace(section, () => table));
    }
    strictEqual(section.exec(await Deno.readTextFile(REFERENCE))?.[0], table);
  });
}

Deno.test("an exit code is a name wherever a command ends with one", async () => {
  strictEqual(new Set(EXIT_CODES.map(([code]) => code)).size, EXIT_CODES.length);
  const bare: string[] = [];
  for (const folder of ["cli/", "cli/commands/", "ci/"]) {
    const source = new URL(`../../${folder}`, import.meta.url);
    for await (const { name } of Deno.readDir(source)) {
      if (!name.endsWith(".ts") || name.endsWith("_test.ts")) continue;
      const text = await Deno.readTextFile(new URL(name, source));
      if (/return (\d+|.* \? \d+ : \d+);|Deno\.exit\(\d/.test(text)) bare.push(folder + name);
    }
  }
  deepStrictEqual(bare, []);
});

Deno.test("help has a line for each exit code, no wider than the rest of it", () => {
  for (const line of exitCodesHelp().split("\n")) ok(line.length <= 100, line);
});
