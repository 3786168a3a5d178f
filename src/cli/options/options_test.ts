import { ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { commandsTable } from "../command_list.ts";
import { envExample, optionsTable } from "./commander.ts";
import { COMMAND_NAMES } from "./spec.ts";

const REFERENCE = new URL("../../../docs/reference.md", import.meta.url);
const EXAMPLE = new URL("../../../.env.example", import.meta.url);

Deno.test(".env.example is what the table of options says (UPDATE=1 writes it)", async () => {
  if (Deno.env.has("UPDATE")) await Deno.writeTextFile(EXAMPLE, envExample());
  strictEqual(await Deno.readTextFile(EXAMPLE), envExample());
});

for (const [name, table] of [["options", optionsTable()], ["commands", commandsTable()]] as const) {
  Deno.test(`the ${name} of the reference are those that there are (UPDATE=1 writes them)`, async () => {
    const section = new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=\\n<!-- deno-fmt-ignore-end -->)`);
    if (Deno.env.has("UPDATE")) {
      const text = await Deno.readTextFile(REFERENCE);
      await Deno.writeTextFile(REFERENCE, text.replace(section, () => table));
    }
    strictEqual(section.exec(await Deno.readTextFile(REFERENCE))?.[0], table);
  });
}

Deno.test("no scenario is called like a subcommand", () => {
  const clash = SCENARIOS.filter(({ id }) => [...COMMAND_NAMES, "help"].includes(id));
  ok(clash.length === 0);
});
