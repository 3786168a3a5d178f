import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { get } from "../../../scenarios/expect.ts";
import { text } from "../../../scenarios/text.ts";
import { until } from "../../../tests/bench.ts";
import {
  churn,
  closedLoopRate,
  floodRequests,
  Monitor,
  type Reply,
  TIMEOUT_MS,
  wellAgain,
} from "./request_flood.ts";

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

const FACTS = { helloHtml: "", rows: () => Promise.resolve([]) };

function right(dueMs: number, tookMs = 5): Reply {
  return { dueMs, noticedMs: 0, tookMs, got: null };
}

/** Makes a right response every 20 ms. */
function series(fromMs: number, count: number, tookMs?: number): Reply[] {
  return Array.from({ length: count }, (_, i) => right(fromMs + 20 * i, tookMs));
}

const CALM = series(0, 10, 5);

Deno.test("all is well again from the first of ten right and quick responses in a row", () => {
  strictEqual(wellAgain(series(1000, 10), CALM), 1000);
  strictEqual(wellAgain(series(1000, 9), CALM), null);
  const failed: Reply = { ...right(1100), got: "503" };
  const mixed = [...series(1000, 5), failed, ...series(1120, 10)];
  strictEqual(wellAgain(mixed, CALM), 1120);
});

Deno.test("responses that are slow, or missing, break the row", () => {
  const slow = [...series(1000, 9), right(1180, 61), ...series(1200, 10)];
  strictEqual(wellAgain(slow, CALM), 1200);
  strictEqual(wellAgain(slow, series(0, 10, 6)), 1000, "twice 6 ms and 50 are enough");
  const gap = [...series(1000, 9), ...series(1200, 10)];
  strictEqual(wellAgain(gap, CALM), 1200);
});

Deno.test("a steady client tells right, wrong, refused and missing responses apart", async () => {
  let status = 200;
  let body = "Hello world";
  let silent = false;
  const ended = Promise.withResolvers<void>();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    if (silent) return ended.promise.then(() => new Response("at last"));
    return new Response(body, { status, headers: { "content-type": "text/plain;charset=UTF-8" } });
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const got = async (): Promise<(string | null)[]> => {
    using monitor = new Monitor(origin, text, { facts: FACTS, connections: 4 });
    // A busy machine delays some of them
    const inTime = (): Reply[] =>
      monitor.between(-Infinity, Infinity).filter(({ tookMs }) =>
        tookMs !== null && tookMs <= TIMEOUT_MS
      );
    if (silent) await new Promise((resolve) => setTimeout(resolve, 500));
    else await until(() => inTime().length > 5, "there are replies");
    const answered = inTime();
    monitor.stop();
    const replies = silent ? monitor.between(-Infinity, Infinity) : answered;
    ok(replies.length > 2);
    return [...new Set(replies.map(({ got }) => got))];
  };
  deepStrictEqual(await got(), [null]);
  body = "Hello";
  deepStrictEqual(await got(), ["wrong"]);
  status = 503;
  deepStrictEqual(await got(), ["503"]);
  silent = true;
  deepStrictEqual(await got(), ["nothing"]);
  ended.resolve();
});
