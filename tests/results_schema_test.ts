import { deepStrictEqual, ok } from "node:assert/strict";
import { distributedReport } from "../src/distributed/distributed_report.ts";
import { ORIGIN, RUNNER } from "../src/distributed/runner_testdata.ts";
import { DUEL, REPORT } from "../src/view/report_testdata.ts";
import { errorsOf, isReport } from "./report_schema.ts";

// src/model/documents_test.ts checks that the schema matches the types and describes everything

/** Objects with arbitrary property names. */
const RECORDS = ["versions", "statuses", "env", "scenarios", "buckets"];
/** Reports of every kind. */
const REPORTS = [REPORT, DUEL, distributedReport([{ ...RUNNER, name: "a.json" }], ORIGIN)];

/** Yields every object in a value that has declared properties. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const [name, inner] of Object.entries(value)) {
    if (Array.isArray(inner) || !RECORDS.includes(name)) yield* objectsIn(inner);
  }
}

Deno.test("the schema takes what the reports of the tests hold", () => {
  for (const report of REPORTS) deepStrictEqual(errorsOf(report), []);
});

Deno.test("the schema demands every property and refuses any other, wherever it is", () => {
  for (const original of REPORTS) {
    const report = structuredClone(original);
    for (const object of objectsIn(report)) {
      for (const [name, value] of Object.entries(object)) {
        Reflect.deleteProperty(object, name);
        ok(!isReport(report), `takes an object without ${name}`);
        Reflect.set(object, name, value);
      }
      Reflect.set(object, "unheardOf", 1);
      ok(!isReport(report), `takes another property than ${Object.keys(object)}`);
      Reflect.deleteProperty(object, "unheardOf");
    }
    deepStrictEqual(errorsOf(report), [], "everything was put back");
  }
});
