import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { createRouter } from "../http.ts";
import { LIMITS } from "../limits.ts";
import { echo, unsentLimit } from "./echo.ts";

/** Serves `/echo` and `/`, and passes the URL of the WebSocket to the test. */
async function withEcho(test: (url: string) => Promise<void>): Promise<void> {
  const routes = { "/echo": { GET: echo() } };
  const options = { hostname: "127.0.0.1", port: 0, onListen: (): void => {} };
  await using server = Deno.serve(options, createRouter(routes));
  await test(`ws://127.0.0.1:${server.addr.port}/echo`);
}

/**
 * Sends one message.
 *
 * @returns the first message that comes back, or the code and reason of the close.
 */
function respondTo(url: string, message: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.onopen = () => socket.send(message);
  socket.onmessage = ({ data }) => {
    resolve(typeof data === "string" ? data : `${data.byteLength} bytes`);
    socket.close();
  };
  const closed = new Promise<void>((done) => {
    socket.onclose = ({ code, reason }) => {
      resolve(`${code} ${reason}`);
      done();
    };
  });
  return Promise.all([promise, closed]).then(([response]) => response);
}

Deno.test("/echo takes messages of up to 64 KiB, and closes with 1009 for a longer one", () =>
  withEcho(async (url) => {
    const tooBig = `1009 A message has at most ${LIMITS.MAX_MESSAGE_BYTES} bytes`;
    strictEqual(await respondTo(url, "é".repeat(LIMITS.MAX_MESSAGE_BYTES / 2)), "é".repeat(32_768));
    strictEqual(await respondTo(url, new Uint8Array(LIMITS.MAX_MESSAGE_BYTES)), "65536 bytes");
    strictEqual(await respondTo(url, new Uint8Array(LIMITS.MAX_MESSAGE_BYTES + 1)), tooBig);
    strictEqual(await respondTo(url, `${"é".repeat(LIMITS.MAX_MESSAGE_BYTES / 2)}a`), tooBig);
  }));

function handshake(signal?: AbortSignal): Request {
  const headers = {
    upgrade: "websocket",
    connection: "Upgrade",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  return new Request("http://127.0.0.1/echo", { headers, ...(signal && { signal }) });
}

/** A WebSocket that never opens. */
class Unopened extends EventTarget {
  readonly readyState = WebSocket.CONNECTING;
}

/** Returns an upgrade function with {@linkcode Unopened} WebSockets. */
function neverOpens(sockets: Unopened[]): typeof Deno.upgradeWebSocket {
  return () => {
    const socket = new Unopened();
    sockets.push(socket);
    return { socket: socket as unknown as WebSocket, response: new Response(null) };
  };
}

Deno.test("/echo does not upgrade a connection that was reset", async () => {
  const controller = new AbortController();
  const sockets: Unopened[] = [];
  const handler = echo(neverOpens(sockets));
  const response = handler(handshake(controller.signal), "");
  controller.abort();
  await rejects(Promise.resolve(response), { name: "AbortError" });
  deepStrictEqual(sockets, []);
});

Deno.test("/echo answers 503 once too many connections were lost in an upgrade", async () => {
  const handler = echo(neverOpens([]));
  const controller = new AbortController();
  const ask = async (signal?: AbortSignal): Promise<number> =>
    (await handler(handshake(signal), "")).status;
  const lost = Array.from({ length: LIMITS.MAX_LOST_UPGRADES }, () => ask(controller.signal));
  deepStrictEqual(new Set(await Promise.all(lost)), new Set([200]));
  strictEqual(await ask(), 200);
  controller.abort();
  await rejects(ask(), { name: "HttpError", status: 503 });
});

/**
 * Adds messages until one is refused.
 *
 * @param staysBuffered maximum number of bytes that stay buffered
 * @returns the number of messages.
 */
function untilTooMany(bytes: number, staysBuffered: number, most = 100_000): number {
  const socket = { bufferedAmount: 0 };
  const isTooMuch = unsentLimit(socket);
  for (let count = 1; count <= most; count++) {
    if (isTooMuch(bytes)) return count;
    socket.bufferedAmount = Math.min(socket.bufferedAmount + bytes, staysBuffered);
  }
  return Infinity;
}

Deno.test("a client that reads may send for ever", () => {
  for (const bytes of [1, 100, LIMITS.MAX_MESSAGE_BYTES]) {
    strictEqual(untilTooMany(bytes, 0), Infinity);
  }
  strictEqual(untilTooMany(100, 100_000), Infinity, "a thousand messages are always under way");
});

Deno.test("a client that does not read has a limit of bytes, and one of messages", () => {
  strictEqual(
    untilTooMany(LIMITS.MAX_MESSAGE_BYTES, Infinity),
    LIMITS.MAX_UNSENT_BYTES / LIMITS.MAX_MESSAGE_BYTES + 1,
  );
  strictEqual(untilTooMany(1, Infinity), LIMITS.MAX_UNSENT_MESSAGES + 1);
});

Deno.test("empty messages count until a longer one that follows them is sent", () => {
  strictEqual(untilTooMany(0, 0), LIMITS.MAX_UNSENT_MESSAGES + 1);
  const isTooMuch = unsentLimit({ bufferedAmount: 0 });
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < LIMITS.MAX_UNSENT_MESSAGES / 4; i++) ok(!isTooMuch(0));
    ok(!isTooMuch(5));
  }
});
