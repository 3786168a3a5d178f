import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import type { Load } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import type { LoadGenerator, LoadJob } from "./generator.ts";
import { measure } from "./testdata/driving.ts";
import { each, LOAD } from "./testdata/testing.ts";

/** Loads a server with one handler, once for each load. */
async function drive(
  generator: LoadGenerator,
  handler: (request: Request) => Response | Promise<Response>,
  expected: LoadJob["expected"],
  ...loads: Partial<Load>[]
): Promise<Measurement[]> {
  const onListen = (): void => {};
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, handler);
  return await driveAt(generator, server.addr.port, expected, ...loads);
}

async function driveAt(
  generator: LoadGenerator,
  port: number,
  expected: LoadJob["expected"],
  ...loads: Partial<Load>[]
): Promise<Measurement[]> {
  const text = { headers: { "x-foo": "bar" }, body: "ping" };
  const request = { method: "POST", path: "/x?y=1", ...text } as const;
  const results: Measurement[] = [];
  for (const load of loads) {
    results.push(await measure(generator, port, { load, expected, request }));
  }
  return results;
}

each("sends the request and counts responses over its window", async (generator) => {
  const echo = async (request: Request): Promise<Response> =>
    new Response(`${request.headers.get("x-foo")} ${await request.text()}`);
  const results = await drive(generator, echo, { same: "bar ping" }, {}, {}); // the process serves both
  for (const { durationS, statuses, wrongResponses, transportErrors, latency } of results) {
    ok(durationS >= 0.9 * LOAD.durationS);
    deepStrictEqual(Object.keys(statuses), ["200"]);
    strictEqual(latency?.count, statuses["200"]);
    deepStrictEqual([wrongResponses, transportErrors], [0, 0]);
  }
});

each("sees wrong responses and other statuses", async (generator) => {
  let count = 0;
  const sloppy = (): Response => {
    count++;
    if (count % 7 === 0) return new Response("sorry", { status: 503 });
    return new Response(count % 5 === 0 ? "wrong" : "right");
  };
  const results = [
    ...await drive(generator, sloppy, { same: "right" }, {}),
    ...await drive(generator, sloppy, { matches: "^r.*t$" }, {}),
  ];
  for (const result of results) {
    ok((result?.wrongResponses ?? 0) > 0);
    strictEqual(result?.wrongResponse, "wrong");
    ok((result?.statuses["503"] ?? 0) > 0);
  }
  const [matching] = await drive(generator, () => new Response("right"), { matches: "^r.*t$" }, {});
  strictEqual(matching?.wrongResponses, 0);
});

each("counts a connection that the server closes", async (generator) => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const response = new TextEncoder().encode("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nbye");
  const serving = (async () => {
    for await (const connection of listener) {
      const buffer = new Uint8Array(4096);
      connection.read(buffer).then(() => connection.write(response)).finally(() =>
        connection.close()
      )
        .catch(() => {});
    }
  })();
  const [result] = await driveAt(generator, listener.addr.port, { same: "bye" }, {});
  listener.close();
  await serving.catch(() => {});
  ok((result?.statuses["200"] ?? 0) > 0);
  ok((result?.transportErrors ?? 0) > 0);
});

each("ends a window of whole cycles with the last response of a cycle", async (generator) => {
  let count = 0;
  const waves = async (): Promise<Response> => {
    if (++count % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 200));
    return new Response("ok");
  };
  const [result] = await drive(generator, waves, { same: "ok" }, { responses: 100, durationS: 4 });
  // 5 connections and every 10th response late: 50 responses per wave of 0.2 s, so two waves.
  strictEqual(result?.statuses["200"], 100);
  ok((result?.durationS ?? 0) > 0.35);
});

each("reports a window in which nothing was answered", async (generator) => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" }); // it accepts connections and sends nothing
  for (const responses of [null, 100]) {
    const load = { responses, timeoutS: 1 };
    const [result] = await driveAt(generator, listener.addr.port, { same: "" }, load);
    deepStrictEqual([result?.statuses, result?.latency], [{}, null]);
  }
});

each("parses only measurements", (generator) => {
  const good = { durationS: 1, statuses: {}, latency: null };
  deepStrictEqual(generator.parse(JSON.stringify(good)), good);
  for (const line of ["", "0", "null", "{}", "not JSON", '{"durationS":0}']) {
    throws(() => generator.parse(line), SyntaxError, line);
  }
});
