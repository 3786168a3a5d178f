import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { parse, parseAllDocuments } from "yaml";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { describeProblems, type Schema, validatorOf } from "../model/schema.ts";
import { LAST_BUCKET, rangeOf } from "../stats/histogram.ts";
import { exportScenarios, testIdOf, variablesOf } from "./exported.ts";
import { k6Script, kubernetesManifest } from "./k6_script.ts";
import { LOAD } from "./runner_testdata.ts";

const MANIFEST = await kubernetesManifest(LOAD, 4);
const GOLDEN = { "load.ts.txt": k6Script(LOAD), "load.yaml.txt": MANIFEST };

for (const [name, text] of Object.entries(GOLDEN)) {
  Deno.test(`${name} is what it was (UPDATE=1 writes it anew)`, async () => {
    const file = new URL(`./testdata/${name}`, import.meta.url);
    if (Deno.env.get("UPDATE")) await Deno.writeTextFile(file, text);
    strictEqual(text, await Deno.readTextFile(file));
  });
}

Deno.test("a manifest holds the script as it is", () => {
  const [map, run] = parseAllDocuments(MANIFEST).map((one) => one.toJS());
  deepStrictEqual([map.apiVersion, map.kind], ["v1", "ConfigMap"]);
  match(map.metadata.name, /^stampede-[0-9a-f]{16}$/);
  strictEqual(map.data[run.spec.script.configMap.file], k6Script(LOAD));
  strictEqual(map.metadata.name, run.spec.script.configMap.name);
  deepStrictEqual([run.spec.parallelism, run.spec.separate], [4, true]);
});

/** Path of k6-operator's definition of a TestRun (CRD), which docs/testing.md explains. */
const DEFINITION = Deno.env.get("STAMPEDE_TEST_CRD");

/** Returns a schema that accepts no undeclared properties. Kubernetes ignores them. */
function closed(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const inner = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, closed(one)]));
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}

Deno.test({
  name: "k6-operator accepts a manifest" +
    (DEFINITION === undefined ? " (skipped: STAMPEDE_TEST_CRD names no definition)" : ""),
  ignore: DEFINITION === undefined,
  fn: async () => {
    const { spec: { versions: [version] } } = parse(await Deno.readTextFile(DEFINITION ?? ""));
    const problemsOf = validatorOf(closed(version.schema.openAPIV3Schema) as Schema, {
      strict: false,
      validateFormats: false,
    });
    const [, run] = parseAllDocuments(MANIFEST).map((one) => one.toJS());
    deepStrictEqual([run.apiVersion, run.kind], [`k6.io/${version.name}`, "TestRun"]);
    deepStrictEqual(problemsOf(run), []);
    const problemsWith = (change: object): string =>
      describeProblems(problemsOf({ ...run, spec: { ...run.spec, ...change } }));
    match(problemsWith({ parallelism: "4" }), /parallelism must be integer/);
    match(problemsWith({ runners: 4 }), /must NOT have additional properties: runners/);
  },
});

Deno.test("the script counts each latency in the bucket that contains it", async () => {
  const [text = ""] = /^function bucketOf[^]*?^}$/m.exec(k6Script(LOAD)) ?? [];
  const { bucketOf } = await import(
    `data:application/typescript,${encodeURIComponent(`export ${text}`)}`
  );
  for (let i = 1; i < LAST_BUCKET; i++) {
    const { us, lowUs, highUs } = rangeOf(i);
    const inside = [lowUs * 1.0001, us, (highUs ?? 0) * 0.9999];
    deepStrictEqual(inside.map(bucketOf), [i, i, i]);
  }
  deepStrictEqual([0, 9.99, 121e6, 1e12].map(bucketOf), [0, 0, LAST_BUCKET, LAST_BUCKET]);
});

Deno.test("what may be secret is a variable, unless it is to be written out", () => {
  const [text] = SCENARIOS;
  ok(text);
  const own = {
    ...text,
    id: "GET /a?token=***",
    request: {
      ...text.request,
      path: "/a?token=hush&raw&x=",
      headers: { authorization: "hush", accept: "text/html" },
      body: "hush",
    },
  };
  const hidden = exportScenarios([own], { withValues: false });
  const script = k6Script({ ...LOAD, scenarios: hidden });
  ok(!script.includes("hush"), script);
  deepStrictEqual(variablesOf(hidden), [
    "GET_A_TOKEN_QUERY_TOKEN_1",
    "GET_A_TOKEN_QUERY_2",
    "GET_A_TOKEN_QUERY_X_3",
    "GET_A_TOKEN_HEADER_AUTHORIZATION",
    "GET_A_TOKEN_BODY",
  ]);
  const shown = exportScenarios([own], { withValues: true });
  deepStrictEqual(variablesOf(shown), []);
  match(k6Script({ ...LOAD, scenarios: shown }), /token=hush&raw&x=/);
});

Deno.test("Stampede's own scenarios are written out, each by a name of its own", () => {
  const exported = exportScenarios(SCENARIOS, { withValues: false });
  deepStrictEqual(variablesOf(exported), []);
  strictEqual(new Set(exported.map(({ key }) => key)).size, SCENARIOS.length);
  const [a] = SCENARIOS;
  ok(a);
  const alike = exportScenarios(
    [{ ...a, id: "a/b" }, { ...a, id: "a-b" }, { ...a, id: "1" }],
    { withValues: false },
  );
  deepStrictEqual(alike.map(({ key }) => key), ["a_b", "a_b_2", "s_1"]);
});

Deno.test("a load has the same name wherever its server is, and another one at another rate", () => {
  strictEqual(testIdOf({ ...LOAD, target: "http://127.0.0.1:1" }), testIdOf(LOAD));
  ok(testIdOf({ ...LOAD, perS: 1001 }) !== testIdOf(LOAD));
  ok(
    testIdOf({ ...LOAD, scenarios: LOAD.scenarios.map((one) => ({ ...one, underLoad: /x/ })) }) !==
      testIdOf(LOAD),
  );
});
