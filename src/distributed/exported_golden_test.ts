import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { describeProblems, validatorOf } from "../model/validator.ts";
import { exportScenarios, testIdOf, variablesOf } from "./exported.ts";
import { k6Script } from "./k6_script.ts";
import { kubernetesManifest } from "./kubernetes.ts";
import { CONFIG_MAP_SCHEMA, TEST_RUN_SCHEMA } from "./test_run.ts";
import { LOAD } from "./runner_testdata.ts";

const GOLDEN = {
  "load.ts.txt": (): string => k6Script(LOAD),
  "load.yaml.txt": (): string => kubernetesManifest(LOAD, 4),
};

for (const [name, make] of Object.entries(GOLDEN)) {
  Deno.test(`${name} is what it was (UPDATE=1 writes it anew)`, async () => {
    const file = new URL(`./testdata/${name}`, import.meta.url);
    if (Deno.env.get("UPDATE")) await Deno.writeTextFile(file, make());
    strictEqual(make(), await Deno.readTextFile(file));
  });
}

Deno.test("a manifest is what k6-operator takes, and holds the script as it is", () => {
  const [map, run] = parseAllDocuments(kubernetesManifest(LOAD, 4)).map((one) => one.toJS());
  const problemsOf = validatorOf(TEST_RUN_SCHEMA, { strict: true });
  deepStrictEqual(validatorOf(CONFIG_MAP_SCHEMA, { strict: true })(map), []);
  deepStrictEqual(problemsOf(run), []);
  strictEqual(map.data[run.spec.script.configMap.file], k6Script(LOAD));
  strictEqual(map.metadata.name, run.spec.script.configMap.name);
  deepStrictEqual([run.spec.parallelism, run.spec.separate], [4, true]);
  match(
    describeProblems(problemsOf({ ...run, spec: { ...run.spec, parallelism: "4" } })),
    /parallelism must be integer/,
  );
  throws(() => kubernetesManifest(LOAD, 0), /Cannot make a TestRun of this: .*parallelism/);
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
