import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { text } from "../../scenarios/text.ts";
import { variantOf } from "../experiment/experiment_testdata.ts";
import type { WorkRecord } from "../model/work.ts";
import { NotCounted } from "../target/tracer.ts";
import { measureWork } from "./measure_work.ts";
import { type FakeOptions, FakeTestbed } from "./testbed_testdata.ts";

const { server } = variantOf("a", [text]);

async function measure(options: FakeOptions): Promise<WorkRecord["outcome"][]> {
  const signal = new AbortController().signal;
  const needs = { database: false, databaseConnections: 1, pins: false, tls: null };
  await using testbed = await new FakeTestbed(options).open(needs);
  const [prepared] = await testbed.prepare([server], () => {}, signal);
  ok(prepared);
  const context = { testbed, scenarios: [text], env: { DB_POOL: "1" }, signal };
  const records = measureWork(prepared, { ...context, onScenario: () => {} });
  return await Array.fromAsync(records, ({ outcome }) => outcome);
}

Deno.test("a server that cannot be measured has a record with the reason", async () => {
  const cases: [FakeOptions, WorkRecord["outcome"]][] = [
    [{ skipped: { a: "no tool" } }, { kind: "missing", message: "no tool" }],
    [{ failures: { a: "no build" } }, { kind: "failed", message: "no build" }],
    [{ launchProblem: () => "no start" }, { kind: "failed", message: "no start" }],
  ];
  for (const [options, outcome] of cases) deepStrictEqual(await measure(options), [outcome]);
  const [wrong] = await measure({ respond: () => new Response("Hello wurld") });
  match(wrong?.kind === "failed" ? wrong.message : "", /expected Hello world, got Hello wurld$/);
});

Deno.test("the head and the body have their lengths on the wire", async () => {
  const headers = { "content-type": "text/plain;charset=UTF-8", "x-more": "1" };
  const [plain] = await measure({});
  const [more] = await measure({ respond: () => new Response("Hello world", { headers }) });
  ok(plain?.kind === "done" && more?.kind === "done");
  deepStrictEqual([plain.bodyBytes, more.bodyBytes], [11, 11]);
  strictEqual(more.headBytes - plain.headBytes, "x-more: 1\r\n".length);
  deepStrictEqual([plain.headers["x-more"], more.headers["x-more"]], [undefined, "1"]);
});

Deno.test("sends count only if strace has seen every byte", async () => {
  const nothing = { calls: 0, bytes: 0 };
  const [partial] = await measure({ sends: () => ({ clients: nothing, database: nothing }) });
  ok(partial?.kind === "done");
  strictEqual(partial.sends, null);
  match(partial.notes.join(), /^Sends were not counted: strace shows 0 of \d+ sent bytes$/);
  const bytes = 20 * (partial.headBytes + partial.bodyBytes);
  const clients = { calls: 40, bytes };
  const [whole] = await measure({ sends: () => ({ clients, database: { calls: 5, bytes: 9 } }) });
  ok(whole?.kind === "done");
  deepStrictEqual([whole.sends, whole.notes], [{ toClients: 2, toDatabase: 0.25 }, []]);
  const [absent] = await measure({
    sends: () => {
      throw new NotCounted("strace is not installed (apt install strace)");
    },
  });
  ok(absent?.kind === "done");
  match(absent.notes.join(), /strace is not installed/);
});
