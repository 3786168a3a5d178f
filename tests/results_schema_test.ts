import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import schema from "../docs/results.schema.json" with { type: "json" };
import { DUEL, REPORT } from "../src/view/testdata.ts";
import { Sandbox } from "./bench.ts";

/** What these tests read of a schema. */
interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const ROOT = schema as Schema;
const DEFINITIONS = schema.$defs as Readonly<Record<string, Schema>>;
/** The root and every object in it, by name. */
const OBJECTS: readonly [string, Schema][] = [["report", ROOT], ...Object.entries(DEFINITIONS)];
const isReport: ValidateFunction = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

/** What is wrong with a value, a line for each error. */
function errorsOf(report: unknown): string[] {
  return isReport(report)
    ? []
    : (isReport.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The schema behind references, and behind the alternative of null. */
function resolve(schema: Schema): Schema {
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return resolve(first);
  const name = schema.$ref?.replace("#/$defs/", "");
  return name === undefined ? schema : DEFINITIONS[name] as Schema;
}

function allowsNull({ anyOf, type }: Schema): boolean {
  return anyOf?.some((one) => one.type === "null") ?? [type].flat().includes("null");
}

/** Calls `visit` with every object of a value whose properties the schema names. */
function walk(value: unknown, of: Schema, visit: (object: object, schema: Schema) => void): void {
  const schema = resolve(of);
  if (Array.isArray(value)) {
    for (const item of value) walk(item, schema.items ?? {}, visit);
  } else if (value !== null && typeof value === "object") {
    const named = Object.entries(schema.properties ?? {});
    if (named.length > 0) visit(value, schema);
    for (const [name, property] of named) walk(Reflect.get(value, name), property, visit);
  }
}

Deno.test("the schema takes what the reports of the tests hold", () => {
  for (const report of [REPORT, DUEL]) deepStrictEqual(errorsOf(report), []);
});

Deno.test("the schema takes what bench measures", async () => {
  await using sandbox = await Sandbox.create();
  const runs = [
    ["text", "sql1", "--quick"],
    ["noise", "text", "--rounds", "1", "-z", "0.5", "--warmup", "0"],
  ];
  for (const [i, args] of runs.entries()) {
    const { stderr } = await sandbox.run([...args, "--out", `results/${i}.json`]);
    const report = JSON.parse(
      await Deno.readTextFile(`${sandbox.folder}/results/${i}.json`).catch(() => stderr),
    );
    deepStrictEqual(errorsOf(report), [], args.join(" "));
    ok(report.complete && report.results.length > 0, stderr);
  }
});

Deno.test("the schema demands every property and refuses any other, wherever it is", () => {
  const met = new Set<Schema>();
  for (const original of [REPORT, DUEL]) {
    const report = structuredClone(original);
    walk(report, ROOT, (object, { required = [], ...schema }) => {
      met.add(schema.properties as Schema);
      for (const name of required) {
        const value = Reflect.get(object, name);
        Reflect.deleteProperty(object, name);
        ok(!isReport(report), `takes an object without ${name}`);
        Reflect.set(object, name, value);
      }
      Reflect.set(object, "unheardOf", 1);
      ok(!isReport(report), `takes another property than ${required.join()}`);
      Reflect.deleteProperty(object, "unheardOf");
    });
    deepStrictEqual(errorsOf(report), [], "everything was put back");
  }
  for (const [name, { properties }] of OBJECTS) {
    ok(met.has(properties as Schema), `no report of the tests holds the object ${name}`);
  }
});

Deno.test("the schema demands and describes every property that it names", () => {
  for (const [name, { required, properties = {}, additionalProperties }] of OBJECTS) {
    deepStrictEqual(required, Object.keys(properties), name);
    strictEqual(additionalProperties, false, name);
    for (const [property, { description }] of Object.entries(properties)) {
      ok(description?.endsWith("."), `${name}.${property} has no description`);
    }
  }
});

Deno.test("the schema allows null and lists values where the types do", async () => {
  const files = ["model.ts", "raw.ts", "findings.ts", "report.ts"].map((file) =>
    new URL(`../src/${file}`, import.meta.url)
  );
  const source = (await Promise.all(files.map((file) => Deno.readTextFile(file)))).join("\n");
  const interfaces = source.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms);
  const bodies = new Map([...interfaces].map(([, name = "", body = ""]) => [name, body]));
  const unions = source.matchAll(/^export type (\w+) = (.*);$/gm);
  const aliases = new Map([...unions].map(([, name = "", union = ""]) => [name, union]));
  const listed: string[] = [];
  for (const [name, { properties = {} }] of OBJECTS) {
    const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const body = bodies.get(typeName);
    if (body === undefined) continue; // it has no name in the types
    bodies.delete(typeName);
    for (const [property, schema] of Object.entries(properties)) {
      const declaration = new RegExp(`  readonly ${property}: (.*?);\n(?=  [/r]|$)`, "s");
      const written: string = body.match(declaration)?.[1] ?? "";
      const type = aliases.get(written) ?? written;
      strictEqual(allowsNull(schema), / \| null$/.test(type), `${name}.${property}: ${type}`);
      if (!type.startsWith('"')) continue;
      deepStrictEqual(schema.enum, type.split(" | ").map((text) => JSON.parse(text)), property);
      listed.push(property);
    }
  }
  deepStrictEqual(listed, ["purpose", "kind", "limit", "status", "metric", "status", "approach"]);
  // What is no part of a report
  const others = [
    "HttpRequest",
    "HttpAnswer",
    "Facts",
    "Check",
    "Scenario",
    "Server",
    "Requirement",
    "CellKey",
  ];
  deepStrictEqual([...bodies.keys()], others);
});
