import { deepStrictEqual, match, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Result } from "../src/model/derived.ts";
import type { Report } from "../src/model/report.ts";
import { Sandbox } from "./bench.ts";

const SERVERS = fileURLToPath(new URL("./servers/", import.meta.url));

const { success: HAS_WRK } = await new Deno.Command("sh", { args: ["-c", "command -v wrk"] })
  .output();

/** Measures one scenario of a test server and returns the exit code, the output and the only result. */
async function measure(
  scenario: string,
  server: string,
  database: "embedded" | "shared",
  generator = "autocannon",
): Promise<{ code: number; stdout: string; result: Result }> {
  await using sandbox = await Sandbox.create(database);
  const args = [scenario, "--server", `${SERVERS}${server}/server.json`];
  const { code, stdout } = await sandbox.run([
    ...args,
    "--rounds",
    "1",
    "-z",
    "0.5",
    "--warmup",
    "0.2",
    "--no-slices",
    "--generator",
    generator,
  ]);
  const [report] = await sandbox.reports() as unknown as Report[];
  const [result] = report?.results ?? [];
  ok(result, stdout);
  deepStrictEqual(await sandbox.leftovers(), []);
  return { code, stdout, result };
}

Deno.test("a server whose every 50th response is wrong: invalid, with the reason", async () => {
  const { code, stdout, result } = await measure("text", "sloppy", "shared");
  deepStrictEqual([code, result.status, result.requestsPerS, result.bottleneck], [
    1,
    "invalid",
    null,
    null,
  ]);
  match(stdout, /^text +invalid: \d+ wrong responses under load, such as Hello wurld$/m);
});

Deno.test("a server that asks the database twice for each response: invalid, with the reason", async () => {
  // Statements are counted only in the embedded database. Pending requests at the end have statements but no
  // response, which matters if a slow machine gives few responses.
  const { code, stdout, result } = await measure("sql1", "chatty", "embedded");
  deepStrictEqual([code, result.status], [1, "invalid"]);
  match(stdout, /sql1 +invalid: the database executed (1\.9|2\.[0-4])\d\d statements per response/);
});

Deno.test("a server that sends surplus responses: invalid, with the reason", async () => {
  for (const generator of ["autocannon", "stampede"]) {
    const { code, stdout, result } = await measure("text", "lavish", "shared", generator);
    deepStrictEqual([code, result.status], [1, "invalid"]);
    match(stdout, /^text +invalid: \d+ surplus bytes came after a response/m);
  }
});

Deno.test("a server that begins to send every response twice under load: invalid, with the reason", async () => {
  for (const generator of ["autocannon", "stampede"]) {
    const { code, stdout, result } = await measure("text", "doubling", "shared", generator);
    deepStrictEqual([code, result.status], [1, "invalid"]);
    match(
      stdout,
      /^text +invalid: \d+ wrong responses under load, such as bytes after a response that belong/m,
    );
  }
});

Deno.test("interim responses are no responses", async () => {
  for (const generator of ["autocannon", "stampede"]) {
    const { code, stdout, result } = await measure("text", "hinting", "shared", generator);
    deepStrictEqual([code, result.status], [0, "ok"], stdout);
  }
});

Deno.test({
  name: "wrk cannot tell surplus and interim responses from others: invalid, with the reason",
  ignore: !HAS_WRK,
  async fn(): Promise<void> {
    const doubled = await measure("text", "doubling", "shared", "wrk");
    deepStrictEqual([doubled.code, doubled.result.status], [1, "invalid"], doubled.stdout);
    match(doubled.stdout, /invalid: \d+ surplus bytes came after a response/);
    const hinted = await measure("text", "hinting", "shared", "wrk");
    deepStrictEqual([hinted.code, hinted.result.status], [1, "invalid"], hinted.stdout);
    match(hinted.stdout, /interim responses \(status 103\), which wrk counts as final responses/);
  },
});
