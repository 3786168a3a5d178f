import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { LONG_TIMEOUTS, Sandbox } from "./bench.ts";

/** The minimum number of rounds that can decide three comparisons. */
const FEW = ["--rounds", "7", "--max-rounds", "7", "-z", "0.5", "--warmup", "0.3", "-c", "1"];

/** Returns a server on Node.js that counts, and does `more` for each response. */
const server = (iterations: number, more: string): string => `
const { openSync, writeSync } = require("node:fs");
const nowhere = openSync("/dev/null", "w");
let sum = 0;
function work() {
  let y = sum;
  for (let i = 0; i < ${iterations}; i++) y = (y * 31 + i) | 0;
  return y;
}
require("node:http").createServer((request, response) => {
  sum = work();
  ${more}
  response.setHeader("Content-Type", "text/plain;charset=UTF-8");
  response.end("Hello world");
}).listen(Number(process.env.PORT), process.env.HOST);
`;

async function write(sandbox: Sandbox, id: string, source: string, start: string[]): Promise<void> {
  const manifest = { id, name: id, language: "JavaScript", scenarios: { text: {} }, start };
  await Deno.mkdir(`${sandbox.folder}/${id}`);
  await Deno.writeTextFile(`${sandbox.folder}/${id}/server.json`, JSON.stringify(manifest));
  await Deno.writeTextFile(`${sandbox.folder}/${id}/main.cjs`, source);
}

Deno.test("stampede versus names the call and the function that made a server slower", async () => {
  await using sandbox = await Sandbox.create();
  await write(sandbox, "one", server(100, ""), ["node", "main.cjs"]);
  await write(sandbox, "other", server(30_000, 'writeSync(nowhere, "x");'), ["node", "main.cjs"]);
  const { code, stdout, stderr } = await sandbox.run(
    ["versus", "text", "--server", "one", "--base", "one", "--head", "other", ...FEW]
      .concat("--html", "page.html", "--markdown", "page.md"),
    LONG_TIMEOUTS,
  );
  strictEqual(code, 0, stdout + stderr);
  match(stdout, /^Functions that changed at text, CPU time per request:$/m);
  match(stdout, /^\+[\d.]+ µs \(\+[\d.]+ to \+[\d.]+\): work other\/main\.cjs:\d+$/m);
  match(stdout, /^text: write 0 → 1 per request$/m);
  for (const file of ["page.html", "page.md"]) {
    const text = await Deno.readTextFile(`${sandbox.folder}/${file}`);
    ok(text.includes("write 0 → 1 per request"), file);
    ok(text.includes("Functions that changed at text"), file);
  }
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede versus counts without a measurement, and says what it cannot profile", async () => {
  await using sandbox = await Sandbox.create();
  for (const id of ["one", "other"]) {
    await write(sandbox, id, server(100, ""), ["sh", "-c", "exec node main.cjs"]);
  }
  const pair = ["text", "--server", "one", "--base", "one", "--head", "other", "--no-timing"];
  const { code, stdout, stderr } = await sandbox.run(
    ["versus", ...pair, "--profile"],
    LONG_TIMEOUTS,
  );
  strictEqual(code, 0, stdout + stderr);
  match(stdout, /^No time was measured\.$/m);
  match(stdout, /^No count differs, of \d+\.$/m);
  match(stdout, /^text was not profiled: only servers started by node, deno run/m);
  match(
    stdout,
    /^Allocated bytes were not counted at text: only servers started by node, deno run/m,
  );
  const none = await sandbox.run(["versus", ...pair, "--no-counts"], LONG_TIMEOUTS);
  doesNotMatch(none.stdout, /count differs/);
  deepStrictEqual(await sandbox.leftovers(), []);
});
