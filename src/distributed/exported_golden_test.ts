import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { LAST_BUCKET, rangeOf } from "../stats/histogram.ts";
import { exportScenarios, testIdOf, variablesOf } from "./exported.ts";
import { k6Script } from "./k6_script.ts";
import { kubernetesManifest } from "./kubernetes.ts";
import { LOAD, PODS } from "./runner_testdata.ts";

const GOLDEN = {
  "load.ts.txt": k6Script(LOAD),
  "load.yaml.txt": await kubernetesManifest(LOAD, PODS),
};

for (const [name, text] of Object.entries(GOLDEN)) {
  Deno.test(`${name} is what it was (UPDATE=1 writes it anew)`, async () => {
    const file = new URL(`./testdata/${name}`, import.meta.url);
    if (Deno.env.get("UPDATE")) await Deno.writeTextFile(file, text);
    strictEqual(text, await Deno.readTextFile(file));
  });
}

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
  // Variables have plain values
  match(script, /encodeURIComponent\(secret\("GET_A_TOKEN_QUERY_TOKEN_1"\)\)/);
  match(script, /"authorization": secret\("GET_A_TOKEN_HEADER_AUTHORIZATION"\)/);
  match(script, /body: secret\("GET_A_TOKEN_BODY"\)/);
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
