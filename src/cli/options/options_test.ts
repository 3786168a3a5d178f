import { ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { envExample, optionsTable } from "./commander.ts";
import { COMMAND_NAMES } from "./spec.ts";

const README = new URL("../../../README.md", import.meta.url);
const EXAMPLE = new URL("../../../.env.example", import.meta.url);

Deno.test(".env.example is what the table of options says (UPDATE=1 writes it)", async () => {
  if (Deno.env.has("UPDATE")) await Deno.writeTextFile(EXAMPLE, envExample());
  strictEqual(await Deno.readTextFile(EXAMPLE), envExample());
});

Deno.test("the README's options are those of the table (UPDATE=1 writes them)", async () => {
  const text = await Deno.readTextFile(README);
  const section = /(?<=<!-- deno-fmt-ignore-start -->\n)[^]*(?=\n<!-- deno-fmt-ignore-end -->)/;
  if (Deno.env.has("UPDATE")) {
    await Deno.writeTextFile(README, text.replace(section, optionsTable()));
  }
  strictEqual(section.exec(await Deno.readTextFile(README))?.[0], optionsTable());
});

Deno.test("no scenario is called like a subcommand", () => {
  const clash = SCENARIOS.filter(({ id }) => [...COMMAND_NAMES, "help"].includes(id));
  ok(clash.length === 0);
});
