import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { GENERATORS } from "../load/generator_list.ts";
import { readCatalog } from "../target/catalog.ts";
import { presetIds, readPreset } from "./preset.ts";

Deno.test("every preset names only what there is, and has its file's name", async () => {
  const catalog = await readCatalog();
  const ids = await presetIds();
  deepStrictEqual(ids, [
    "concurrency",
    "deno-http",
    "encore",
    "fiber",
    "mighty-node",
    "techempower",
    "web-frameworks",
  ]);
  for (const id of ids) {
    const preset = await readPreset(id);
    strictEqual(preset.id, id);
    for (const scenario of preset.scenarios) {
      ok(SCENARIOS.some((known) => known.id === scenario), `${id}: ${scenario}`);
    }
    for (const { scenario, tool, rows } of preset.tables) {
      ok(SCENARIOS.some((known) => known.id === scenario), `${id}: ${scenario}`);
      ok(GENERATORS.some((known) => known.id === tool), `${id}: ${tool}`);
      strictEqual(new Set(rows.map((row) => row.id)).size, rows.length);
      for (const { server } of rows) {
        const known = catalog.get(server);
        ok(known && scenario in known.scenarios, `${id}: ${server} ${scenario}`);
      }
    }
  }
});

Deno.test("readPreset fills in what is usual", async () => {
  const { tables: [table] } = await readPreset("concurrency");
  deepStrictEqual([table?.seconds, table?.timeoutS, table?.dbPool], [null, 30, null]);
  const [deno, threads] = table?.rows ?? [];
  deepStrictEqual([deno?.closes, deno?.env, threads?.closes], [false, {}, true]);
});

const TYPO = JSON.stringify({
  id: "x",
  title: "X",
  source: "nowhere",
  tables: [{
    title: "T",
    scenario: "text",
    tool: "wrk",
    connections: 1,
    seconds: 1,
    runs: 1,
    kept: "single",
    rows: [{ id: "node", name: "Node", server: "node-http" }],
    ratios: [{ name: "R", a: "nod", b: "node" }],
  }],
  ratios: [{
    name: "Q",
    a: { scenario: "json", row: "node" },
    b: { scenario: "text", row: "node" },
  }],
});

Deno.test("readPreset says what is wrong", async () => {
  await rejects(readPreset("nonsense"), {
    name: "UsageError",
    message: /no preset "nonsense": choose from concurrency, deno-http, encore, fiber, mighty-node/,
  });
  await rejects(readPreset("/no/such.json"), /Cannot read the preset/);
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    for (
      const [text, message] of [
        ["{", /Cannot read the preset/],
        [TYPO.replace('"runs":1', '"runs":1000000'), /\/tables\/0\/runs must be <= 100/],
        [TYPO.replace('"connections":1', '"connections":1e9'), /connections must be <= 10000/],
        ['{"id":"x"}', /Cannot use the preset .*required property 'title'/],
        [
          TYPO,
          /a ratio names a missing row: "nod" in the table "T", "node" in a table of json/,
        ],
      ] as const
    ) {
      await Deno.writeTextFile(path, text);
      await rejects(readPreset(path), { name: "UsageError", message });
    }
  } finally {
    await Deno.remove(path);
  }
});
