import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { FaultResult } from "../src/model/fault.ts";
import { Sandbox } from "./bench.ts";

const ABRUPT = fileURLToPath(new URL("servers/abrupt", import.meta.url));

Deno.test("faults tells what clients of Stampede's own server get, and that nothing under way is lost", async () => {
  await using sandbox = await Sandbox.create("shared");
  const { code, stdout, stderr } = await sandbox.run([
    "faults",
    "deno",
    "--only",
    "restart,aborts,sigterm",
    "--json",
  ]);
  strictEqual(code, 0, stderr);
  const results: FaultResult[] = JSON.parse(stdout);
  deepStrictEqual(results.map(({ server, fault }) => [server, fault]), [
    ["deno", "restart"],
    ["deno", "aborts"],
    ["deno", "sigterm"],
  ]);
  deepStrictEqual(results[0]?.outcome, { kind: "skipped", why: "foreign-database" });
  for (const { fault, outcome } of results.slice(1)) {
    ok(outcome.kind === "done", stdout);
    ok(outcome.requests > 0, stdout);
    if (fault === "aborts") strictEqual(outcome.requestFlood?.scenario, "primes");
    if (fault !== "sigterm") continue;
    deepStrictEqual(outcome.failed, {}, "what was under way was answered");
    deepStrictEqual([outcome.end?.code, outcome.end?.signal], [0, null]);
  }
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("faults shows that a server drops what is under way, and does not try what cannot be", async () => {
  await using sandbox = await Sandbox.create("shared");
  const { code, stdout } = await sandbox.run([
    "faults",
    "--server",
    ABRUPT,
    "--only",
    "stall,sigterm",
  ]);
  strictEqual(code, 0);
  match(stdout, /database stalls +not tried: the server has no scenario for it/);
  match(stdout, /SIGTERM under load +text +10 .* \d+ × no response; killed by SIGTERM/);
});
