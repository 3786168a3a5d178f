import { ok } from "node:assert/strict";
import { presetIds } from "../../experiment/preset_file.ts";
import { OPTIONS } from "../options/option_table.ts";

Deno.test("--help names every preset", async () => {
  const help = OPTIONS.find(({ flags }) => flags.startsWith("--preset"))?.help;
  for (const id of await presetIds()) ok(typeof help === "string" && help.includes(id), id);
});
