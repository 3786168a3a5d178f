import { ok, strictEqual } from "node:assert/strict";
import { get } from "../../../scenarios/expect.ts";
import { until } from "../../../tests/bench.ts";
import { churn, closedLoopRate, floodRequests } from "./request_flood.ts";

Deno.test("a flood sends at its rate, whether or not responses come, and ends", async () => {
  let [asked, aborted] = [0, 0];
  const ended = Promise.withResolvers<void>();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      asked++;
      request.signal.addEventListener("abort", () => aborted++);
      return ended.promise.then(() => new Response("at last"));
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const options = { origin, request: get("/"), durationS: 0.5, most: 1000 };
  strictEqual(await floodRequests({ ...options, perS: 100, leaves: false }), 50);
  strictEqual(asked, 50, "every client sent its request, and waited in vain");
  const before = aborted;
  strictEqual(await floodRequests({ ...options, perS: 100, leaves: true }), 50);
  await until(() => aborted > before + 40, "the server has heard that clients left");
  strictEqual(await floodRequests({ ...options, perS: 1000, leaves: false, most: 20 }), 20);
  ended.resolve();
});

Deno.test("what a server can answer is found in a closed loop", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return new Response("slow");
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const perS = await closedLoopRate({ origin, request: get("/"), most: 1000 });
  ok(perS > 0 && perS <= 200, `ten connections, 50 ms each: ${perS}`);
});

Deno.test("a churn asks with a new connection each time, and ends", async () => {
  const connections = new Set<number>();
  let asked = 0;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (_request, { remoteAddr }) => {
      asked++;
      connections.add(remoteAddr.port);
      return new Response("here");
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  await churn({ origin, request: get("/"), most: 2, durationS: 0.2 });
  ok(asked > 2);
  strictEqual(connections.size, asked);
});
