import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { freePort } from "../process/connect.ts";
import { PacedClient, type PacedOptions, type PacedRequest } from "./paced_client.ts";
import { Metronome, now } from "./metronome.ts";
import { serve, serveRaw, serveTexts, sleep, TIDY, until, within } from "./testdata/testing.ts";

const GET = { method: "GET", path: "/", headers: {}, body: null } as const;

function client(
  metronome: Metronome,
  port: number,
  options: Partial<PacedOptions> = {},
): PacedClient {
  const origin = `http://127.0.0.1:${port}`;
  return new PacedClient(metronome, { origin, request: GET, connections: 1, ...options });
}

/** Returns the results of a paced client, until there are `count`. */
async function collect(paced: PacedClient, count: number, intervalMs = 5): Promise<PacedRequest[]> {
  const seen: PacedRequest[] = [];
  paced.start(intervalMs, (request) => seen.push(request));
  await until(() => seen.length >= count);
  return seen;
}

Deno.test("PacedClient sends on one connection and reads responses whole", TIDY, async () => {
  const ports = new Set<number>();
  const large = "é".repeat(300_000);
  await using server = serve(async (request, { remoteAddr }) => {
    ports.add(remoteAddr.port);
    const { pathname, search } = new URL(request.url);
    const words = [request.method, pathname + search, request.headers.get("x-foo")];
    const headers = { "x-echo": [...words, await request.text()].join(" ") };
    return new Response(large, { status: 201, headers });
  });
  using metronome = new Metronome();
  const request = { path: "/a?b=1", headers: { "x-foo": "bar" }, body: "ping" };
  using paced = client(metronome, server.port, { request: { method: "POST", ...request } });
  for (const { response, error } of await collect(paced, 30)) {
    deepStrictEqual([response?.status, error], [201, null]);
    strictEqual(response?.headers.get("x-echo"), "POST /a?b=1 bar ping");
    ok(response?.text === large);
  }
  strictEqual(ports.size, 1);
});

Deno.test("PacedClient keeps its times while slow responses block it", TIDY, async () => {
  using metronome = new Metronome();
  for (const connections of [1, 3]) {
    let [underWay, most] = [0, 0];
    await using server = serve(async () => {
      most = Math.max(most, ++underWay);
      await sleep(60);
      underWay--;
      return new Response();
    });
    using paced = client(metronome, server.port, { connections });
    const seen = await collect(paced, 6, 10);
    strictEqual(most, connections);
    const dues = seen.map(({ due }) => due).sort((a, b) => a - b);
    deepStrictEqual(dues, dues.map((_, i) => (dues[0] ?? NaN) + 10 * i));
    for (const { due, noticed, sent, done } of seen) {
      ok(sent !== null && done !== null);
      ok(due - 1 < noticed && noticed <= sent && done - sent > 50);
    }
    // The sixth request waited for five responses on one connection, or for one on each of three.
    const last = seen.find(({ due }) => due === dues.at(5));
    const lateMs = (last?.sent ?? NaN) - (last?.due ?? NaN);
    ok(lateMs > (connections === 1 ? 200 : 5), `sent ${lateMs} ms late`);
  }
});

Deno.test("PacedClient hands back what has no response when it stops", TIDY, async () => {
  const gate = Promise.withResolvers<Response>();
  const asked = Promise.withResolvers<void>();
  await using server = serve(async () => {
    asked.resolve();
    return (await gate.promise).clone();
  });
  using metronome = new Metronome();
  using paced = client(metronome, server.port);
  const seen: PacedRequest[] = [];
  const startedAt = now();
  paced.start(10, (request) => seen.push(request));
  await within(asked.promise);
  await sleep(500); // by then fifty requests wait, or fewer on a busy machine
  const open = paced.stop();
  const [first, ...waiting] = open;
  ok(first?.sent && first.sent > first.due - 1 && first.due > startedAt);
  ok(waiting.length > 0 && waiting.every(({ sent }) => sent === null));
  ok(
    open.every(({ done, response, error }) => done === null && response === null && error === null),
  );
  deepStrictEqual(paced.stop(), []);
  // The connection takes up the new pace after the old response, which is not reported.
  const next = collect(paced, 3);
  gate.resolve(new Response());
  ok((await next).every(({ due }) => due > (open.at(-1)?.due ?? NaN)));
  deepStrictEqual(seen, []);
});

Deno.test("PacedClient tells of errors and goes on", TIDY, async () => {
  using metronome = new Metronome();
  const texts = ["", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nbye", "What?\r\n\r\n"];
  for (const text of [...texts, null]) {
    await using server = text === null ? null : serveRaw(text);
    using paced = client(metronome, server?.port ?? freePort());
    for (const { response, error, done } of await collect(paced, 3)) {
      deepStrictEqual([response, done], [null, null]);
      ok(error);
    }
  }
});

Deno.test("PacedClient follows no redirection, and connects again", TIDY, async () => {
  using metronome = new Metronome();
  await using server = serveRaw(
    "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 3\r\n\r\nbye",
  );
  using paced = client(metronome, server.port); // the server closes the connection after each response
  const responses = (await collect(paced, 10)).flatMap(({ response }) => response ?? []);
  ok(responses.length > 1);
  ok(responses.every(({ status, text }) => status === 302 && text === "bye"));
});

Deno.test("PacedClient closes its connection with its scope", TIDY, async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const accepted = listener.accept();
  const buffer = new Uint8Array(4096);
  {
    using metronome = new Metronome();
    using paced = client(metronome, listener.addr.port);
    paced.start(5, () => {});
    ok(await (await accepted).read(buffer)); // a request that gets no response
  }
  using connection = await accepted;
  strictEqual(await within(connection.read(buffer).catch(() => null)), null);
});

Deno.test("PacedClient skips interim responses", async () => {
  const interim = [100, 102, 103].map((status) => `HTTP/1.1 ${status} \r\n\r\n`).join("");
  const final = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright";
  await using server = serveTexts((request) =>
    request % 2 === 0 ? [interim + final] : [interim, final]
  );
  using metronome = new Metronome();
  using paced = client(metronome, server.port);
  for (const { response, error } of await collect(paced, 20)) {
    deepStrictEqual([response?.status, response?.text, error], [200, "right", null]);
  }
});
