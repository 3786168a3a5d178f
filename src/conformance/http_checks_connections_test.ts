import { match, strictEqual } from "node:assert/strict";
import {
  type Behaviour,
  closesRightly,
  problemOf,
  rightSite,
  server,
  takeWhole,
  writeRightly,
} from "./conformance_testdata.ts";

const neverCloses: Behaviour = { closes: () => false };
const alwaysCloses: Behaviour = { closes: () => true };
const ALL = server(["text", "json", "delay", "primes", "schema"]);

Deno.test("keep-alive: several requests on one connection", async () => {
  strictEqual(await problemOf("keep-alive", {}), null);
  strictEqual(await problemOf("keep-alive", neverCloses), null);
  match(
    await problemOf("keep-alive", alwaysCloses) ?? "",
    /^expected a response to the second request within 5 s, got the connection closed$/,
  );
  const announced: Behaviour = {
    ...alwaysCloses,
    write: (request, response) =>
      writeRightly(request, { ...response, headers: { ...response.headers, connection: "close" } }),
  };
  strictEqual(
    await problemOf("keep-alive", announced),
    'expected the connection to be kept, got "Connection: close" in the first response',
  );
  let answered = 0;
  strictEqual(
    await problemOf("keep-alive", { closes: () => ++answered % 3 === 0 }),
    "expected the connection to be kept, got it closed after three requests",
  );
  const talkative: Behaviour = { write: (...response) => writeRightly(...response) + "more" };
  strictEqual(
    await problemOf("keep-alive", talkative),
    'expected a status line of HTTP/1.1, got "moreHTTP/1.1 200 "',
  );
});

Deno.test("http-1.0: answered and closed, without chunks", async () => {
  strictEqual(await problemOf("http-1.0", {}), null);
  strictEqual(await problemOf("http-1.0", alwaysCloses), null);
  const closesByHeader: Behaviour = {
    closes: ({ headers }) => headers.get("connection") === "close",
  };
  strictEqual(
    await problemOf("http-1.0", closesByHeader),
    "expected the connection to be closed, got it still open after 1 s",
  );
  const chunked: Behaviour = {
    write: () =>
      "HTTP/1.1 200 OK\r\ncontent-type: text/plain;charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\nb\r\nHello world\r\n0\r\n\r\n",
  };
  strictEqual(
    await problemOf("http-1.0", chunked),
    "expected no transfer coding in a response to HTTP/1.0, got chunked",
  );
});

Deno.test("connection-close: answered and closed", async () => {
  strictEqual(await problemOf("connection-close", {}), null);
  strictEqual(
    await problemOf("connection-close", { closes: ({ version }) => version === "1.0" }),
    "expected the connection to be closed, got it still open after 1 s",
  );
});

Deno.test("split-request: a head and a body in pieces", async () => {
  const site = rightSite();
  strictEqual(await problemOf("split-request", { respond: site }, ALL), null);
  // Takes each read as one request, like simple servers.
  const hasty: Behaviour = { take: (received) => ({ requests: [received], rest: "" }) };
  match(await problemOf("split-request", hasty) ?? "", /^expected /);
  // Waits for the end of the head, but takes the received part of the body as the whole.
  const bodiless: Behaviour = {
    take: (received) => {
      const end = received.indexOf("\r\n\r\n");
      return end < 0 ? { requests: [], rest: received } : { requests: [received], rest: "" };
    },
    respond: (request) =>
      request.method === "GET" ? site(request) : { status: 400, body: "no JSON" },
  };
  strictEqual(await problemOf("split-request", bodiless), null);
  strictEqual(
    await problemOf("split-request", bodiless, ALL),
    "expected status 200, got 400 no JSON",
  );
});

Deno.test("pipelining: answered in order, even if the first takes longer", async () => {
  for (const scenarios of [["text"], ["text", "json"], ["text", "delay"]]) {
    const manifest = server(scenarios);
    strictEqual(await problemOf("pipelining", { respond: rightSite() }, manifest), null);
    const reversed: Behaviour = { order: (requests) => requests.toReversed() };
    match(await problemOf("pipelining", reversed, manifest) ?? "", /^expected (status|content)/);
  }
  const alike = server(["text"], {
    exceptions: { "unknown-path": "every path is answered alike" },
  });
  const root: Behaviour["respond"] = (request) => rightSite()({ ...request, path: "/" });
  strictEqual(await problemOf("pipelining", { respond: root }, alike), null);
  match(await problemOf("pipelining", { respond: root }) ?? "", /^expected status 404/);
  // Answers the first request and ignores the rest.
  const forgetful: Behaviour = {
    take: (received) => ({ requests: takeWhole(received).requests.slice(0, 1), rest: "" }),
    closes: closesRightly,
  };
  for (const manifest of [server(["text"]), alike]) {
    strictEqual(
      await problemOf("pipelining", forgetful, manifest),
      "expected a response to the second of two requests within 5 s, got nothing",
    );
  }
});
