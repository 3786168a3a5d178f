import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { readCatalog } from "../src/target/catalog.ts";
import { Sandbox } from "./bench.ts";

Deno.test("stampede new makes a server and a scenario that pass verify at once", async () => {
  await using sandbox = await Sandbox.create("shared");
  const server = await sandbox.tell(["new", "server", "my-api", "--like", "deno-bare"]);
  strictEqual(server.code, 0, server.stderr);
  match(server.stdout, /^Wrote my-api\/ \(2 files, a copy of deno-bare\)$/m);
  const manifest = "my-api/server.json";
  const scenario = await sandbox.tell(["new", "scenario", "cart", "--server", manifest]);
  strictEqual(scenario.code, 0, scenario.stderr);
  match(scenario.stdout, /^Changed my-api\/server\.json/m);
  // The command that its output suggests
  const [, told = ""] = /^ {2}\S+ (verify .*)$/m.exec(scenario.stdout) ?? [];
  deepStrictEqual(told, `verify --scenario cart.js --server ${manifest}`);
  const verified = await sandbox.tell(told.split(" "));
  strictEqual(verified.code, 0, verified.stdout + verified.stderr);
  match(verified.stdout, /^pass {2}my-api cart: returns the expected response$/m);
  match((await sandbox.tell(["verify", "--server", manifest])).stdout, / 0 failed$/m);
});

Deno.test("stampede new leaves what is there, and says what it cannot make", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.mkdir(`${sandbox.folder}/taken`);
  await Deno.writeTextFile(`${sandbox.folder}/taken.js`, "mine");
  await Deno.writeTextFile(`${sandbox.folder}/server.json`, "[]");
  const cases: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [["server"], /^Cannot call a server ""/],
    [["server", "My API"], /^Cannot call a server "My API": use lower-case letters/],
    [["servers", "a"], /^Cannot create that: use stampede new server ID/],
    [["server", "taken"], /^Cannot create the server taken: taken already exists$/m],
    [["server", "a", "--like", "deno"], /^Cannot copy deno: its program is part of Stampede/],
    [["server", "a", "--like", "expres"], /did you mean express\?/],
    [["scenario", "taken"], /^Cannot write the scenario taken: taken\.js already exists$/m],
    [
      ["scenario", "a", "--server", "server.json"],
      /^Cannot add a to the manifest server\.json: it/,
    ],
    [["scenario", "a", "--server", "no.json"], /^Cannot add a to the manifest no\.json: No such/],
  ];
  for (const [args, says] of cases) {
    const { code, stderr } = await sandbox.tell(["new", ...args]);
    match(stderr, says);
    strictEqual(code, 2, args.join(" "));
  }
  strictEqual(await Deno.readTextFile(`${sandbox.folder}/taken.js`), "mine");
  const left = await Array.fromAsync(Deno.readDir(sandbox.folder), ({ name }) => name);
  deepStrictEqual(left.filter((name) => /^a(\.js)?$/.test(name)), []);
});

Deno.test("every server of the suite but Stampede's own can be copied", async () => {
  await using sandbox = await Sandbox.create();
  const own: string[] = [];
  for (const id of (await readCatalog()).keys()) {
    const { code, stderr } = await sandbox.tell(["new", "server", `my-${id}`, "--like", id]);
    if (code !== 0) own.push(`${id}: ${stderr.slice(0, 12)}`);
  }
  deepStrictEqual(own, ["deno: Cannot copy ", "deno-workers: Cannot copy "]);
});
