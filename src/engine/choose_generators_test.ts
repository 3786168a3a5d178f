import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import type { Trial, Variant } from "../model/experiment.ts";
import type { Host } from "../model/report.ts";
import type { Scenario } from "../model/scenario.ts";
import { choiceKey, openChoices } from "./choose_generators.ts";

const HOST = { os: "linux", arch: "x86_64", cpuModel: "C", cores: 2 } as Host;
const FACTS = { host: HOST, versions: { stampede: "1", deno: "2", autocannon: "9" } };
const VARIANT = {
  server: { id: "a", attached: null, folder: "/a" },
  env: {},
} as unknown as Variant;
const SCENARIO = { id: "text", request: { path: "/?key=secret" } } as Scenario;
const TRIAL = { generator: "autocannon", load: { connections: 10, shards: 1 } } as Trial;

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}

Deno.test("choices are kept in a file, which other runs read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/cache/generators.json`;
    const first = await openChoices(path);
    strictEqual(first.get("a"), undefined);
    await first.keep(new Map([["a", "stampede"], ["b", "autocannon"]]));
    const second = await openChoices(path);
    await second.keep(new Map([["c", "stampede"]]));
    const third = await openChoices(path);
    deepStrictEqual(["a", "b", "c", "d"].map((key) => third.get(key)), [
      "stampede",
      "autocannon",
      "stampede",
      undefined,
    ]);
    deepStrictEqual(await names(`${folder}/cache`), [
      "generators.json",
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a damaged file, or none at all, holds no choice and stops no run", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const text of ["", "[1", "7", '{"a":1}']) {
      await Deno.writeTextFile(`${folder}/x.json`, text);
      strictEqual((await openChoices(`${folder}/x.json`)).get("a"), undefined);
    }
    const nowhere = await openChoices(`${folder}/x.json/no/folder`);
    await nowhere.keep(new Map([["a", "b"]]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("without a file, choices hold for the rest of the run", async () => {
  const choices = await openChoices(null);
  await choices.keep(new Map([["a", "stampede"]]));
  await choices.keep(new Map([["b", "autocannon"]]));
  deepStrictEqual([choices.get("a"), choices.get("b"), choices.get("c")], [
    "stampede",
    "autocannon",
    undefined,
  ]);
});

Deno.test("a choice depends on machine, versions, server, request and load, and shows none of them", () => {
  const key = choiceKey(FACTS, VARIANT, SCENARIO, TRIAL);
  strictEqual(
    choiceKey({ ...FACTS }, { ...VARIANT }, { ...SCENARIO }, { ...TRIAL, round: 2 }),
    key,
  );
  strictEqual(/^[0-9a-f]{32}$/.test(key), true);
  const others = [
    choiceKey({ ...FACTS, host: { ...HOST, cores: 4 } }, VARIANT, SCENARIO, TRIAL),
    choiceKey({ ...FACTS, versions: { ...FACTS.versions, deno: "3" } }, VARIANT, SCENARIO, TRIAL),
    choiceKey(FACTS, { ...VARIANT, env: { WORKERS: "2" } }, SCENARIO, TRIAL),
    choiceKey(FACTS, VARIANT, { ...SCENARIO, id: "json" }, TRIAL),
    choiceKey(FACTS, VARIANT, SCENARIO, { ...TRIAL, load: { ...TRIAL.load, connections: 1 } }),
  ];
  for (const other of others) notStrictEqual(other, key);
});
