import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { get, post } from "../../scenarios/expect.ts";
import type { HttpRequest } from "../model/scenario.ts";
import { type Behaviour, serve } from "./conformance_testdata.ts";
import { askOnce, extrasOf, readResponse, Wire, wireText } from "./http.ts";

const never = new AbortController().signal;

/** Returns the response that is read from a server that sends these bytes for each request. */
async function read(
  bytes: string,
  method: "GET" | "HEAD" = "GET",
): Promise<{ status: number; text: string }> {
  using server = serve({ write: () => bytes });
  const { status, text } = await askOnce(server.origin, { ...get("/"), method }, never);
  return { status, text };
}

Deno.test("wireText writes requests with the length of their body in bytes", () => {
  strictEqual(wireText(get("/x?a=1")), "GET /x?a=1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  const request = { method: "POST", path: "/", headers: { "x-foo": "a" }, body: '"ä"' } as const;
  strictEqual(
    wireText(request, { connection: "close" }),
    'POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\nx-foo: a\r\nconnection: close\r\n\r\n"ä"',
  );
  match(wireText({ ...request, body: null }), /content-length: 0\r\n/);
});

Deno.test("readResponse reads every kind of body", async () => {
  const ä = { status: 200, text: "ä" };
  deepStrictEqual(await read("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nä and more"), ä);
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n";
  deepStrictEqual(
    await read(`${chunked}2;x=y\r\nä\r\nA\r\n0123456789\r\n0\r\ntrailer: x\r\n\r\n`),
    { status: 200, text: "ä0123456789" },
  );
  deepStrictEqual(await read("HTTP/1.0 200\r\nx-price: 2 €\r\n\r\nä"), ä);
  deepStrictEqual(
    await read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nä"),
    ä,
  );
  const empty = { status: 200, text: "" };
  deepStrictEqual(await read("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n", "HEAD"), empty);
  deepStrictEqual(await read("HTTP/1.1 204 No Content\r\n\r\n"), { status: 204, text: "" });
});

Deno.test("readResponse says what is wrong with a response", async () => {
  const cases: [string, RegExp][] = [
    ["SSH-2.0\r\n\r\n", /^expected a status line of HTTP\/1.1, got "SSH-2.0"$/],
    ["HTTP/1.1 200 OK\r\nno field\r\n\r\n", /^expected a header field, got "no field"$/],
    ["HTTP/1.1 200 OK\r\ncontent-length: 1, 2\r\n\r\n", /^expected a length .*, got 1, 2$/],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n", /no transfer coding but chunked, got g/],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n", /the size of a chunk, got "x"/],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n", /end of a chunk, got "b"/],
    ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab", /, got the connection closed after "ab"$/],
    ["", /^expected a response to GET \/ within 5 s, got the connection closed$/],
  ];
  for (const [bytes, message] of cases) await rejects(read(bytes), { name: "Mismatch", message });
});

Deno.test("readResponse waits five seconds and no longer", async () => {
  using server = serve({ write: () => "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab" });
  using wire = await Wire.open(server.origin, never);
  await wire.write(wireText(get("/")));
  const startMs = performance.now();
  await rejects(readResponse(wire), {
    name: "Mismatch",
    message: 'expected a response within 5 s, got only "ab"',
  });
  const tookMs = performance.now() - startMs;
  ok(tookMs > 4900 && tookMs < 6500, `${tookMs}`);
});

Deno.test("Wire sends nothing to a server that has gone, and finds none where there is none", async () => {
  const server = serve({ closes: () => true });
  using wire = await Wire.open(server.origin, never);
  await wire.write(wireText(get("/")));
  await readResponse(wire);
  strictEqual((await wire.readRest(1000)).closed, true);
  for (let i = 0; i < 3; i++) await wire.write(wireText(get("/")));
  server[Symbol.dispose]();
  // Port 1, because another test's server may have taken the port of this one.
  await rejects(Wire.open("http://127.0.0.1:1", never), {
    name: "Mismatch",
    message: /^expected a connection within 5 s, got Connection (refused|reset)/,
  });
});

/** Starts a server that sends the same text repeatedly. */
function endless(text: string): { readonly origin: string } & Disposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const send = async (connection: Deno.Conn): Promise<void> => {
    using _ = connection;
    await connection.read(new Uint8Array(4096));
    const bytes = new TextEncoder().encode(text.repeat(Math.ceil(65536 / text.length)));
    for (;;) for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  };
  (async () => {
    for await (const connection of listener) send(connection).catch(() => {});
  })();
  return {
    origin: `http://127.0.0.1:${listener.addr.port}`,
    [Symbol.dispose]: () => listener.close(),
  };
}

Deno.test("a check ends in time if a server sends nothing but interim responses", async () => {
  using server = endless("HTTP/1.1 102 Processing\r\n\r\n");
  const startedMs = performance.now();
  await rejects(askOnce(server.origin, get("/"), never), /within 5 s/);
  ok(performance.now() - startedMs < 20_000);
});

Deno.test("a check reads no more than 64 MiB of a response", async () => {
  using server = endless("HTTP/1.1 200 OK\r\ncontent-length: 100000000000\r\n\r\n");
  await rejects(askOnce(server.origin, get("/"), never), /64 MiB at most/);
});

const { signal } = new AbortController();
const RESPONSE = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
const NONE = { surplusBytes: 0, interimStatus: null };

async function extras(
  behaviour: Behaviour,
  request: HttpRequest = get("/"),
  repeatMs = 0,
): ReturnType<typeof extrasOf> {
  using server = serve(behaviour);
  return await extrasOf(server.origin, request, signal, repeatMs);
}

Deno.test("extrasOf counts the bytes after a response", async () => {
  deepStrictEqual(await extras({ write: () => RESPONSE }), NONE);
  const twice = await extras({ write: () => RESPONSE + RESPONSE });
  deepStrictEqual(twice, { surplusBytes: RESPONSE.length, interimStatus: null });
});

Deno.test("extrasOf leaves it to others to find that there is no response", async () => {
  deepStrictEqual(await extras({ write: () => "nonsense\r\n\r\n" }), NONE);
  deepStrictEqual(await extrasOf("http://127.0.0.1:1", get("/"), signal), NONE);
});

Deno.test("extrasOf tells of interim responses", async () => {
  for (const status of [100, 102, 103]) {
    const interim = `HTTP/1.1 ${status} \r\nlink: </a>; rel=preload\r\n\r\n`;
    const { interimStatus, surplusBytes } = await extras({ write: () => interim + RESPONSE });
    deepStrictEqual([interimStatus, surplusBytes], [status, 0]);
  }
});

Deno.test("extrasOf asks again on the same connection, unless that may change something", async () => {
  let gets = 0;
  const late: Behaviour = { write: () => ++gets > 20 ? RESPONSE + RESPONSE : RESPONSE };
  ok((await extras(late, get("/"), 300)).surplusBytes > 0);
  // Counted apart: the first server may still receive a request after its client has its responses.
  let posts = 0;
  const counted: Behaviour = {
    write: () => {
      posts++;
      return RESPONSE;
    },
  };
  deepStrictEqual(await extras(counted, post("/", "{}"), 300), NONE);
  deepStrictEqual(posts, 1);
});
