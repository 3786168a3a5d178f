import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isUnderWay, markUnderWay } from "./under_way.ts";

Deno.test("a report is under way until its run ends, and not if its process was killed", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/x.json`;
  strictEqual(await isUnderWay(path), false);
  {
    await using _mark = await markUnderWay(path);
    strictEqual(await isUnderWay(path), true);
    strictEqual(await isUnderWay(`${folder}/y.json`), false);
  }
  strictEqual(await isUnderWay(path), false);
  // A killed process leaves a marker without a lock
  await Deno.writeTextFile(`${folder}/.x.json.running`, "");
  strictEqual(await isUnderWay(path), false);
  deepStrictEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  await Deno.remove(folder);
});

Deno.test("a folder that cannot be written to ends no run", async () => {
  await using _mark = await markUnderWay("/nosuch/x.json");
  strictEqual(await isUnderWay("/nosuch/x.json"), false);
});
