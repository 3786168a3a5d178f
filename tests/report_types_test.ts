/** docs/report_types.ts: the types of reports for programs that read them, from their schema. */
import { strictEqual } from "node:assert/strict";
import { compile, type JSONSchema } from "json-schema-to-typescript";

const FILE = new URL("../docs/report_types.ts", import.meta.url);
const SCHEMA = new URL("../docs/results.schema.json", import.meta.url);
const CONFIG = new URL("../deno.json", import.meta.url);
const HEAD = `/**
 * The types of reports, for programs that read them. \`deno task schemas\` writes this file.
 *
 * @module
 */
`;

Deno.test("the types of reports are those of their schema (UPDATE=1 writes them)", async () => {
  const schema: JSONSchema = JSON.parse(await Deno.readTextFile(SCHEMA));
  const options = { additionalProperties: false, bannerComment: HEAD, format: false };
  const types = await formatted(await compile(schema, "StampedeReport", options));
  if (Deno.env.has("UPDATE")) await Deno.writeTextFile(FILE, types);
  strictEqual(await Deno.readTextFile(FILE), types);
});

async function formatted(text: string): Promise<string> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--config", CONFIG.pathname, "--ext", "ts", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  return new TextDecoder().decode((await process.output()).stdout);
}
