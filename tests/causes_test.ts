import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { LONG_TIMEOUTS, Sandbox } from "./bench.ts";
import { type NodeServer, writeNodeServer } from "./node_server.ts";

/** The minimum number of rounds that can decide three comparisons. */
const FEW = ["--rounds", "7", "--max-rounds", "7", "-z", "0.5", "--warmup", "0.3", "-c", "1"];

/** Returns a server that counts to a number for each response. */
const working = (iterations: number): NodeServer => ({
  first: `
let sum = 0;
function work() {
  let y = sum;
  for (let i = 0; i < ${iterations}; i++) y = (y * 31 + i) | 0;
  return y;
}`,
  onRequest: "sum = work();",
});

Deno.test("stampede versus names the call and the function that made a server slower", async () => {
  await using sandbox = await Sandbox.create();
  await writeNodeServer(sandbox, "one", working(100));
  const { onRequest, ...slow } = working(30_000);
  await writeNodeServer(sandbox, "other", {
    ...slow,
    onRequest: `${onRequest} writeSync(nowhere, "x");`,
  });
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
    await writeNodeServer(sandbox, id, { start: ["sh", "-c", "exec node main.cjs"] });
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
