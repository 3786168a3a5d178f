/** Compares the work of servers that do less or more than others. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { WorkRecord } from "../src/model/work.ts";
import { Sandbox } from "./bench.ts";

const EQUAL = fileURLToPath(new URL("servers/unequal", import.meta.url));
const DIFFERENCES = ["header", "compressed", "two-statements", "large-pool"];

Deno.test("a further header, a compressed body, a second statement and a larger pool are found", async () => {
  await using sandbox = await Sandbox.create();
  const folders = await Promise.all(DIFFERENCES.map(async (id) => {
    const folder = `${sandbox.folder}/${id}`;
    await Deno.mkdir(folder);
    const manifest = { id, extends: EQUAL, env: { UNEQUAL: id } };
    await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
    return folder;
  }));
  const servers = [EQUAL, ...folders].flatMap((folder) => ["--server", folder]);
  const { code, stdout, stderr } = await sandbox.run(["work", "text", "sql1", ...servers]);
  strictEqual(code, 1, stderr);
  const [text = "", sql1 = ""] = stdout.split(/\n(?=sql1: )/);
  match(text, /^unequal +\d+ +11( +\S+){1,4}$/m, "its headers are those of most servers");
  match(text, /^header +\d+ +11 .* x-powered-by$/m);
  match(text, /^compressed +failed: the body is compressed \(gzip\), but the request does not/m);
  match(sql1, /^unequal +\d+ +\d+( +\S+){2} +1 +10/m);
  match(
    stdout,
    /^FAIL {2}two-statements sql1: 2 statements per response instead of 1 \(.*1 × SELECT \$1/m,
  );
  match(stdout, /^FAIL {2}large-pool sql1: 12 connections to the database instead of 10$/m);
  strictEqual(stdout.match(/^FAIL/gm)?.length, 2, stdout);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("equal servers have equal work, also as JSON, and a pool of the size that was asked", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["work", "text", "sql1", "--server", EQUAL, "--db-pool", "3", "--json"];
  const { code, stdout, stderr } = await sandbox.run(args);
  strictEqual(code, 0, stderr);
  const records: WorkRecord[] = JSON.parse(stdout);
  deepStrictEqual(records.map(({ server, scenario }) => [server, scenario]), [
    ["unequal", "text"],
    ["unequal", "sql1"],
  ]);
  const [text, sql1] = records.map(({ outcome }) => outcome);
  ok(text?.kind === "done" && sql1?.kind === "done", stdout);
  deepStrictEqual([text.bodyBytes, text.statements, text.connections], [11, null, null]);
  strictEqual(text.headers["content-length"], "11");
  const [statement, ...others] = sql1.statements ?? [];
  deepStrictEqual([statement?.perResponse, sql1.connections, others], [1, 3, []]);
  // Without strace there is a note instead
  if (text.sends !== null) strictEqual(text.sends.toClients, 1);
  strictEqual(text.sends === null, text.notes.length > 0);
});

Deno.test("connections are not counted at a server with queries that never wait", async () => {
  await using sandbox = await Sandbox.create();
  const folder = `${sandbox.folder}/never-waits`;
  await Deno.mkdir(folder);
  const manifest = { id: "never-waits", extends: EQUAL, scenarios: { books: null } };
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
  const { code, stdout, stderr } = await sandbox.run([
    "work",
    "sql1",
    "--server",
    folder,
    "--json",
  ]);
  strictEqual(code, 0, stderr);
  const [record]: WorkRecord[] = JSON.parse(stdout);
  const outcome = record?.outcome;
  ok(outcome?.kind === "done", stdout);
  strictEqual(outcome.connections, null);
  match(
    outcome.notes.join(),
    /Connections were not counted: the server has none of db, books, sql2/,
  );
});

Deno.test("a URL and a scenario with two kinds of requests are refused", async () => {
  await using sandbox = await Sandbox.create();
  const cases = [
    ["http://127.0.0.1:1/", /^Cannot compare the work behind a URL/],
    ["isolation", /^Cannot compare the work for isolation/],
  ] as const;
  for (const [word, message] of cases) {
    const { code, stderr } = await sandbox.tell(["work", word]);
    strictEqual(code, 2);
    match(stderr, message);
  }
});
