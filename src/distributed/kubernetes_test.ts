import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import { parse, parseAllDocuments } from "yaml";
import { describeProblems, type Schema, validatorOf } from "../model/schema.ts";
import type { ExportedLoad } from "./exported.ts";
import { k6Script } from "./k6_script.ts";
import { K6_VERSION, kubernetesManifest } from "./kubernetes.ts";
import { LOAD, PODS } from "./runner_testdata.ts";

const MANIFEST = await kubernetesManifest(LOAD, PODS);

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

Deno.test("each change of a load, its server or its runners changes the name of the TestRun", async () => {
  const nameOf = async (load: object, pods: object = {}): Promise<string> => {
    const text = await kubernetesManifest({ ...LOAD, ...load }, { ...PODS, ...pods });
    const [map, run] = parseAllDocuments(text).map((one) => one.toJS());
    strictEqual(map.metadata.name, run.metadata.name);
    return run.metadata.name;
  };
  const names = await Promise.all([
    nameOf({}),
    nameOf({ target: "http://10.0.0.8:8000" }),
    nameOf({ perS: 1001 }),
    nameOf({ slo: { ...LOAD.slo, errorShare: 0.01 } }),
    nameOf({ scenarios: LOAD.scenarios.slice(1) }),
    nameOf({}, { parallelism: 5 }),
    nameOf({}, { cpu: "2" }),
    nameOf({}, { memory: "2Gi" }),
  ]);
  strictEqual(new Set(names).size, names.length, names.join());
  strictEqual(await nameOf({}), names[0]);
});

Deno.test("runners have the resources that were asked for, and the starter fits in next to them", async () => {
  const text = await kubernetesManifest(LOAD, { parallelism: 4, cpu: "500m", memory: "512Mi" });
  const [, { spec }] = parseAllDocuments(text).map((one) => one.toJS());
  const resources = { cpu: "500m", memory: "512Mi" };
  deepStrictEqual(spec.runner.resources, { requests: resources, limits: resources });
  strictEqual(spec.starter.resources.requests.cpu, "10m");
});

Deno.test("runners have the version of k6 that the tests use", async () => {
  const [, { spec }] = parseAllDocuments(MANIFEST).map((one) => one.toJS());
  strictEqual(spec.runner.image, `grafana/k6:${K6_VERSION}`);
  const setUp = await Deno.readTextFile(new URL("../../.ci/run", import.meta.url));
  ok(setUp.includes(`go install go.k6.io/k6@v${K6_VERSION} `));
});

/** Returns a load with bodies of `bytes` bytes in total. */
function loadOf(bytes: number): ExportedLoad {
  const scenarios = LOAD.scenarios.map((one) => ({
    ...one,
    request: { ...one.request, body: ["x".repeat(bytes / LOAD.scenarios.length)] },
  }));
  return { ...LOAD, scenarios };
}

Deno.test("a manifest says if only kubectl apply --server-side accepts it, and has at most 1 MiB", async () => {
  const warning = /^# Without --server-side, kubectl rejects this file/m;
  match(MANIFEST, /^# {3}kubectl apply --server-side -f load\.yaml$/m);
  doesNotMatch(MANIFEST, warning);
  doesNotMatch(await kubernetesManifest(loadOf(240 * 1024), PODS), warning);
  const large = await kubernetesManifest(loadOf(256 * 1024), PODS);
  match(large, warning);
  strictEqual(parseAllDocuments(large).length, 2);
  await rejects(
    kubernetesManifest(loadOf(2 ** 20), PODS),
    {
      name: "UsageError",
      message: /^Cannot put the script into a ConfigMap: it has more than 1 MiB; /,
    },
  );
});
