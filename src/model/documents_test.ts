import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { MANIFEST_SCHEMA, PRESET_SCHEMA, REPORT_SCHEMA } from "./documents.ts";
import { ExperimentRecord } from "./experiment.ts";
import { document, type Schema } from "./schema.ts";

/** The published schemas, by the names of their files in docs/. */
const DOCUMENTS: Readonly<Record<string, Schema>> = {
  "experiment.schema.json": document(
    ExperimentRecord,
    "Stampede experiment",
    "An experiment: what is compared, at which scenarios, under which load, and by which design. stampede --dry-run --json prints it, and reports contain it. Units are part of the names: S is seconds. Null means not set.",
  ),
  "preset.schema.json": PRESET_SCHEMA,
  "results.schema.json": REPORT_SCHEMA,
  // A manifest that extends another one needs only its id
  "server.schema.json": {
    ...MANIFEST_SCHEMA,
    required: ["id"],
    anyOf: [{ required: ["extends"] }, { required: MANIFEST_SCHEMA.required }],
  },
};

/** The parts of a schema that these tests read. */
interface Node {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
}

/** Yields every object with named properties in a document, with its path. */
function* objects(node: unknown, path: string): Generator<[string, Node]> {
  if (typeof node !== "object" || node === null) return;
  if ("additionalProperties" in node && "properties" in node) yield [path, node as Node];
  for (const [name, inner] of Object.entries(node)) yield* objects(inner, `${path}/${name}`);
}

for (const [file, schema] of Object.entries(DOCUMENTS)) {
  const path = new URL(`../../docs/${file}`, import.meta.url);

  Deno.test(`docs/${file} is what the types say (UPDATE=1 writes it anew)`, async () => {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (Deno.env.has("UPDATE")) await Deno.writeTextFile(path, text);
    strictEqual(await Deno.readTextFile(path), text);
  });

  Deno.test(`docs/${file} describes every property, and takes no other`, async () => {
    for (const [at, node] of objects(JSON.parse(await Deno.readTextFile(path)), file)) {
      strictEqual(node.additionalProperties, false, at);
      ok(node.description?.endsWith("."), at);
      for (const [name, { description }] of Object.entries(node.properties ?? {})) {
        ok(description?.endsWith("."), `${at}: ${name}`);
      }
    }
  });
}

Deno.test("what Stampede writes has every property", () => {
  for (const file of ["results.schema.json", "experiment.schema.json"]) {
    for (const [at, { required, properties = {} }] of objects(DOCUMENTS[file], file)) {
      deepStrictEqual(required, Object.keys(properties), at);
    }
  }
});
