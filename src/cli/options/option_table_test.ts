import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { presetIds } from "../../experiment/preset.ts";
import { TOOLS } from "../../load/generator_list.ts";
import { COMMAND_NAMES, type OptionSpec } from "./option_spec.ts";
import { OPTIONS } from "./option_table.ts";

Deno.test("no scenario is called like a subcommand", () => {
  const clash = SCENARIOS.filter(({ id }) => [...COMMAND_NAMES, "help"].includes(id));
  ok(clash.length === 0);
});

/** Returns the texts of the option with flags that begin like this. */
function textsOf(flags: string): string {
  const option = OPTIONS.find((one) => one.flags.startsWith(flags));
  const { help, fallbackText } = option as OptionSpec;
  return JSON.stringify([help, fallbackText]);
}

Deno.test("defaults name the scenarios that have their own", () => {
  const connections = SCENARIOS.filter(({ connections }) => connections !== null);
  const named = connections.map(({ id }) => id).join(", ");
  deepStrictEqual(new Set(connections.map(({ connections }) => connections)), new Set([100]));
  ok(textsOf("-c,").includes(`10 (${named}: 100;`), named);
  for (const { id, queries, warmupS } of SCENARIOS) {
    strictEqual(warmupS, queries > 0 ? 1.25 : null, id);
  }
  ok(textsOf("--warmup").includes("1.25 at scenarios that query the database"));
});

Deno.test("help names every load generator that takes --shards, and every preset", async () => {
  const configured = TOOLS.filter(({ threads }) => threads === "configured");
  const ids = configured.map(({ id }) => id).join(" or ");
  ok(textsOf("--shards").includes(`or threads of ${ids},`));
  ok(textsOf("--preset").includes(`: ${(await presetIds()).join(", ")}, or a file`));
});
