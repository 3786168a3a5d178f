import { ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { envExample } from "./commander.ts";
import { COMMAND_NAMES } from "./option_spec.ts";

const EXAMPLE = new URL("../../../.env.example", import.meta.url);

Deno.test(".env.example is what the table of options says (UPDATE=1 writes it)", async () => {
  if (Deno.env.has("UPDATE")) await Deno.writeTextFile(EXAMPLE, envExample());
  strictEqual(await Deno.readTextFile(EXAMPLE), envExample());
});

Deno.test("no scenario is called like a subcommand", () => {
  const clash = SCENARIOS.filter(({ id }) => [...COMMAND_NAMES, "help"].includes(id));
  ok(clash.length === 0);
});
