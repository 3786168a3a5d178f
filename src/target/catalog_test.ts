import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { readCatalog, readManifest } from "./catalog.ts";

Deno.test("readCatalog finds Stampede's own server, which implements everything", async () => {
  const deno = (await readCatalog()).get("deno");
  const missing = SCENARIOS.filter(({ id, isDefault }) =>
    isDefault && !(id in (deno?.scenarios ?? {}))
  );
  deepStrictEqual(missing, []);
  deepStrictEqual(deno?.ready, { path: "/", timeoutS: 20 });
});

Deno.test("every manifest names only scenarios that there are, and is based on one there is", async () => {
  const catalog = await readCatalog();
  const ids = SCENARIOS.map(({ id }) => id);
  for (const { id, scenarios, basedOn } of catalog.values()) {
    ok(Object.keys(scenarios).every((scenario) => ids.includes(scenario)), id);
    ok(basedOn === null || catalog.has(basedOn), id);
  }
});

Deno.test("readManifest names the file and what is wrong in it", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "server.json");
  const good = { id: "x", name: "X", language: "C", scenarios: {}, start: ["x"] };
  const cases: [string, RegExp][] = [
    ["{", /Cannot read the manifest .*server\.json/],
    [JSON.stringify({ ...good, start: "x --fast" }), /\/start must be array/],
    [JSON.stringify({ ...good, name: undefined }), /must have required property 'name'/],
    [JSON.stringify({ ...good, shell: "x" }), /must NOT have additional properties: shell$/],
    [
      JSON.stringify({ ...good, scenarios: undefined, scenarois: {} }),
      /'scenarios'; .*: scenarois$/,
    ],
    [JSON.stringify({ ...good, maxConnections: 0 }), /\/maxConnections must be >= 1/],
    [JSON.stringify({ ...good, warmupS: 61 }), /\/warmupS must be <= 60/],
    [
      JSON.stringify({ ...good, ready: { path: "@192.0.2.1/" } }),
      /\/ready\/path must match pattern/,
    ],
    [
      JSON.stringify({ ...good, workers: "many" }),
      /\/workers must be equal to one of .*: configurable, one, unlimited$/,
    ],
    [JSON.stringify({ ...good, start: ["x", "{PROT}"] }), /the placeholder \{PROT\} is unknown/],
    [
      JSON.stringify({ ...good, prepare: [["x", "{WORKERS}"]] }),
      /the placeholder \{WORKERS\} is unknown$/,
    ],
    [JSON.stringify(good), /its id "x" is not its folder's name/],
  ];
  try {
    await rejects(readManifest(path), /Cannot read the manifest/);
    for (const [text, message] of cases) {
      await Deno.writeTextFile(path, text);
      await rejects(readManifest(path), { name: "UsageError", message });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
