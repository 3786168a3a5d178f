import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { check, get } from "../../scenarios/expect.ts";
import { text } from "../../scenarios/text.ts";
import { Mismatch } from "../model/errors.ts";
import type { Scenario } from "../model/scenario.ts";
import { silenceOf, verify } from "./verify.ts";

const FACTS = { helloHtml: "", rows: () => Promise.resolve([]) };
const NOWHERE = "http://127.0.0.1:1";
/** A check that sends nothing and never ends. */
const ENDLESS: Scenario = {
  ...text,
  checks: [{ name: "waits", run: () => new Promise<void>(() => {}) }],
};

Deno.test("verify gives up a check that does not end", async () => {
  const { results } = await verify(NOWHERE, ENDLESS, FACTS, new AbortController().signal, {
    checkTimeoutMs: 20,
  });
  deepStrictEqual(results, [
    { name: "waits", problem: "expected the check to end, got nothing within 0.02 s" },
  ]);
});

Deno.test("verify ends at once when it is told to", async () => {
  const stop = new AbortController();
  const verifying = verify(NOWHERE, ENDLESS, FACTS, stop.signal);
  stop.abort(new Error("Ctrl-C"));
  await rejects(verifying, /^Error: Ctrl-C$/);
  await rejects(verify(NOWHERE, ENDLESS, FACTS, stop.signal), /^Error: Ctrl-C$/);
});

Deno.test("verify says that a server does not answer", async () => {
  const asking = { ...text, checks: [check("answers", get("/"), () => {})] };
  const { results } = await verify(NOWHERE, asking, FACTS);
  deepStrictEqual(results.map(({ problem }) => problem?.slice(0, 19)), ["no usable response:"]);
});

Deno.test("a server that answers anything at all is not silent", async () => {
  const never = new AbortController().signal;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("no", { status: 500 }),
  );
  strictEqual(await silenceOf(`http://127.0.0.1:${server.addr.port}`, text.request, never), null);
  match(await silenceOf(NOWHERE, text.request, never) ?? "", /^no usable response: /);
});

Deno.test("verify runs every check, or stops at the first problem", async () => {
  const failing = { name: "fails", run: () => Promise.reject(new Mismatch("much", "little")) };
  const scenario = { ...text, checks: [failing, failing] };
  const { signal } = new AbortController();
  strictEqual((await verify(NOWHERE, scenario, FACTS, signal)).results.length, 2);
  const { results } = await verify(NOWHERE, scenario, FACTS, signal, { stopsAtProblem: true });
  deepStrictEqual(results, [{ name: "fails", problem: "expected much, got little" }]);
});
