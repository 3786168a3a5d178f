import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { DOCUMENTS } from "./documents.ts";

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
