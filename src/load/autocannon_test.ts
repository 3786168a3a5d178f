import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import type { Load } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import { ProcessScope } from "../process/scope.ts";
import { autocannon } from "./autocannon.ts";
import type { LoadJob } from "./generator.ts";
import { RunningGenerator } from "./running.ts";

const LOAD: Load = {
  connections: 5,
  shards: 1,
  warmupS: 0.1,
  durationS: 0.5,
  answers: null,
  timeoutS: 5,
};
/** Whether its process is compiled already is nothing to these tests. */
const IMPATIENT = { freshWarmupS: 0, limitS: null };
const never = new AbortController().signal;

/** Loads a server made of one handler, once for each load. */
async function drive(
  handler: (request: Request) => Response | Promise<Response>,
  body: LoadJob["body"],
  ...loads: Partial<Load>[]
): Promise<Measurement[]> {
  const onListen = (): void => {};
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, handler);
  return await driveAt(server.addr.port, body, ...loads);
}

async function driveAt(
  port: number,
  body: LoadJob["body"],
  ...loads: Partial<Load>[]
): Promise<Measurement[]> {
  await using scope = new ProcessScope();
  await using generator = new RunningGenerator(scope, autocannon, null, IMPATIENT);
  const results: Measurement[] = [];
  for (const load of loads) {
    const request = { path: "/x?y=1", headers: { "x-foo": "bar" }, body: "ping" };
    results.push(
      await generator.measure({
        origin: `http://127.0.0.1:${port}`,
        request: { method: "POST", ...request },
        load: { ...LOAD, ...load },
        body,
      }, never),
    );
  }
  return results;
}

Deno.test("autocannon sends the request and counts answers over its window", async () => {
  const echo = async (request: Request): Promise<Response> =>
    new Response(`${request.headers.get("x-foo")} ${await request.text()}`);
  const results = await drive(echo, { same: "bar ping" }, {}, {}); // the process serves both
  for (const { durationS, statuses, wrongAnswers, transportErrors, latency } of results) {
    ok(durationS >= 0.45);
    deepStrictEqual(Object.keys(statuses), ["200"]);
    strictEqual(latency?.count, statuses["200"]);
    deepStrictEqual([wrongAnswers, transportErrors], [0, 0]);
  }
});

Deno.test("autocannon sees wrong answers and other statuses", async () => {
  let count = 0;
  const sloppy = (): Response => {
    count++;
    if (count % 7 === 0) return new Response("sorry", { status: 503 });
    return new Response(count % 5 === 0 ? "wrong" : "right");
  };
  const results = [
    ...await drive(sloppy, { same: "right" }, {}),
    ...await drive(sloppy, { matches: "^r.*t$" }, {}),
  ];
  for (const result of results) {
    ok((result?.wrongAnswers ?? 0) > 0);
    strictEqual(result?.wrongAnswer, "wrong");
    ok((result?.statuses["503"] ?? 0) > 0);
  }
  const [matching] = await drive(() => new Response("right"), { matches: "^r.*t$" }, {});
  strictEqual(matching?.wrongAnswers, 0);
});

Deno.test("autocannon counts a connection that the server closes", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const answer = new TextEncoder().encode("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nbye");
  const serving = (async () => {
    for await (const connection of listener) {
      const buffer = new Uint8Array(4096);
      connection.read(buffer).then(() => connection.write(answer)).finally(() => connection.close())
        .catch(() => {});
    }
  })();
  const [result] = await driveAt(listener.addr.port, { same: "bye" }, {});
  listener.close();
  await serving.catch(() => {});
  ok((result?.statuses["200"] ?? 0) > 0);
  ok((result?.transportErrors ?? 0) > 0);
});

Deno.test("autocannon ends a window of whole cycles with the last answer of a cycle", async () => {
  let count = 0;
  const waves = async (): Promise<Response> => {
    if (++count % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 200));
    return new Response("ok");
  };
  const [result] = await drive(waves, { same: "ok" }, { answers: 100, durationS: 0.4 });
  // 5 connections and every 10th answer late: 50 answers a wave of 0.2 s, and so two waves.
  strictEqual(result?.statuses["200"], 100);
  ok((result?.durationS ?? 0) > 0.35);
});

Deno.test("autocannon reports a window in which nothing was answered", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" }); // It accepts and says nothing.
  for (const answers of [null, 100]) {
    const load = { answers, timeoutS: 1 };
    const [result] = await driveAt(listener.addr.port, { same: "" }, load);
    deepStrictEqual([result?.statuses, result?.latency], [{}, null]);
  }
});

Deno.test("autocannon parses only measurements", () => {
  const good = { durationS: 1, statuses: {}, latency: null };
  deepStrictEqual(autocannon.parse(JSON.stringify(good)), good);
  for (const line of ["", "0", "null", "{}", "not JSON", '{"durationS":0}']) {
    throws(() => autocannon.parse(line), SyntaxError, line);
  }
});
