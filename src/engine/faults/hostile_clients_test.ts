import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { get } from "../../../scenarios/expect.ts";
import { until } from "../../../tests/bench.ts";
import { ProcessScope } from "../../process/scope.ts";
import { readProcesses } from "../../process/tree.ts";
import { churn, closedLoopRate, floodRequests, HostileClients } from "./hostile_clients.ts";

const never = new AbortController().signal;

/** Returns the number of running processes of hostile clients. */
function hostileClientProcesses(): number {
  const pids = [...readProcesses()?.keys() ?? []];
  return pids.filter((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`).includes("hostile_clients.ts");
    } catch {
      return false; // it has ended meanwhile
    }
  }).length;
}

Deno.test("a process of hostile clients says when it begins, how many requests it sent, and who answers none", async () => {
  const ended = Promise.withResolvers<void>();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async ({ url }) => {
      if (url.endsWith("/silent")) await ended.promise;
      return new Response("");
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  await using scope = new ProcessScope();
  await using hostileClients = new HostileClients(scope);
  const demand = { origin, request: get("/"), most: 10 };
  ok(await hostileClients.run({ kind: "closed-loop", ...demand }, never) > 0);
  let begun = 0;
  const flood = { kind: "flood", ...demand, perS: 100, durationS: 0.2, leaves: false } as const;
  strictEqual(await hostileClients.run(flood, never, () => begun++), 20);
  await hostileClients.run({ kind: "churn", ...demand, durationS: 0.1 }, never, () => begun++);
  strictEqual(begun, 2);
  await rejects(
    hostileClients.run({ kind: "closed-loop", ...demand, request: get("/silent") }, never),
    {
      message: "The server answered no request for /silent under load",
    },
  );
  ended.resolve();
});

Deno.test({
  name: "a process of hostile clients that is interrupted leaves nothing behind",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(""),
    );
    const origin = `http://127.0.0.1:${server.addr.port}`;
    await using scope = new ProcessScope();
    await using hostileClients = new HostileClients(scope);
    const stop = new AbortController();
    const before = hostileClientProcesses();
    const flood = {
      kind: "flood",
      origin,
      request: get("/"),
      most: 10,
      perS: 10,
      durationS: 60,
      leaves: true,
    } as const;
    await rejects(
      hostileClients.run(flood, stop.signal, () => {
        strictEqual(hostileClientProcesses(), before + 1);
        stop.abort(new Error("enough"));
      }),
      { message: "enough" },
    );
    strictEqual(hostileClientProcesses(), before);
  },
});

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
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const asked: Promise<number>[] = [];
  const accepting = (async () => {
    for await (const connection of listener) asked.push(answerAll(connection));
  })();
  const origin = `http://127.0.0.1:${listener.addr.port}`;
  await churn({ origin, request: get("/"), most: 2, durationS: 0.2 });
  listener.close();
  await accepting;
  const requests = await Promise.all(asked);
  ok(requests.length > 2);
  // Of the two last connections, the end of the churn may have come before their requests.
  deepStrictEqual(requests.slice(0, -2).filter((count) => count !== 1), []);
});

/**
 * Answers the requests of a connection until the client closes it, and returns their number. Agrees
 * to close the connection if the request asks for it.
 */
async function answerAll(connection: Deno.TcpConn): Promise<number> {
  const buffer = new Uint8Array(1024);
  let requests = 0;
  try {
    for (;;) {
      const length = await connection.read(buffer);
      if (length === null) break;
      requests++;
      const [agreed = ""] = /connection: close\r\n/i.exec(
        new TextDecoder().decode(buffer.subarray(0, length)),
      ) ?? [];
      const response = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${agreed}\r\n`;
      await connection.write(new TextEncoder().encode(response));
    }
  } catch {
    // The client has reset the connection, which is another way to close it.
  }
  connection.close();
  return requests;
}
