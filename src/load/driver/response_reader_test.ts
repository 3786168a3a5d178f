import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import type { Talk } from "../generator.ts";
import { Garbage, type ParsedResponse, ResponseReader } from "./response_reader.ts";

const DATED = (second: number, body = "hello"): string =>
  `HTTP/1.1 200 OK\r\nDate: Sun, 22 Nov 2026 10:00:0${second} GMT\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/**
 * Passes a text to a reader in pieces of `size` bytes.
 *
 * @returns the responses.
 */
function feed(reader: ResponseReader, text: string, size = Infinity): ParsedResponse[] {
  const bytes = new TextEncoder().encode(text);
  const responses: ParsedResponse[] = [];
  for (let at = 0; at < bytes.length;) {
    const { room } = reader;
    const piece = bytes.subarray(at, at + Math.min(size, room.length));
    room.set(piece);
    at += piece.length;
    const response = reader.filled(piece.length);
    if (response !== null) responses.push(response);
  }
  return responses;
}

function readerOf(expected: Talk["expected"] = { same: "hello" }, isHead = false): ResponseReader {
  return new ResponseReader(isHead, expected);
}

const CASES: Readonly<Record<string, { text: string; status?: number; isHead?: boolean }>> = {
  "a content length": { text: DATED(0) },
  "chunks": {
    text:
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;a=b\r\nllo\r\n0\r\n\r\n",
  },
  "chunks with trailers": {
    text:
      "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\nx-sum: 1\r\n\r\n",
  },
  "a response before the response": {
    text: `HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${DATED(0)}`,
  },
};

for (const [name, { text }] of Object.entries(CASES)) {
  Deno.test(`a response is read in whatever pieces it comes: ${name}`, () => {
    for (const size of [1, 2, 3, 7, 50, Infinity]) {
      const [response, ...others] = feed(readerOf(), text, size);
      deepStrictEqual(others, []);
      deepStrictEqual(
        [response?.status, response?.isChecked, response?.wrong, response?.keepsAlive],
        [200, true, null, true],
        `pieces of ${size}`,
      );
    }
  });
}

Deno.test("responses without a body end with their head, whatever it says", () => {
  const none = "HTTP/1.1 204 No Content\r\n\r\n";
  const unchanged = "HTTP/1.1 304 Not Modified\r\ncontent-length: 500\r\n\r\n";
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n";
  for (const [text, isHead] of [[none, false], [unchanged, false], [head, true]] as const) {
    strictEqual(feed(readerOf(null, isHead), text, 9).length, 1, text);
  }
});

Deno.test("a response without a length ends with its connection, and one with a length must not", () => {
  const reader = readerOf();
  deepStrictEqual(feed(reader, "HTTP/1.1 200 OK\r\n\r\nhel"), []);
  deepStrictEqual(feed(reader, "lo"), []);
  const response = reader.ended();
  deepStrictEqual([response?.wrong, response?.keepsAlive], [null, false]);
  const cut = readerOf();
  feed(cut, DATED(0).slice(0, -1));
  throws(() => cut.ended(), Garbage);
  strictEqual(readerOf().ended(), null, "between two responses a connection may end");
});

Deno.test("whether a connection stays is what its version and its header say", () => {
  const stays = (start: string, header: string): boolean | undefined =>
    feed(readerOf(), `${start} 200 OK\r\n${header}content-length: 5\r\n\r\nhello`)[0]?.keepsAlive;
  strictEqual(stays("HTTP/1.1", ""), true);
  strictEqual(stays("HTTP/1.1", "Connection: Close\r\n"), false);
  strictEqual(stays("HTTP/1.0", ""), false);
  strictEqual(stays("HTTP/1.0", "connection: keep-alive\r\n"), true);
});

Deno.test("every response is compared, also where only its date or its body has changed", () => {
  const reader = readerOf();
  const wrong = [DATED(0), DATED(1), DATED(1, "hallo"), DATED(2), DATED(2, "hell"), DATED(3)]
    .map((text) => feed(reader, text)[0]?.wrong);
  deepStrictEqual(wrong, [null, null, "hallo", null, "hell", null]);
});

Deno.test("a status that changes between heads of the same length is seen", () => {
  const reader = readerOf();
  const statuses = [DATED(0), DATED(0).replace("200 OK", "500 NO"), DATED(1)]
    .map((text) => feed(reader, text)[0]?.status);
  deepStrictEqual(statuses, [200, 500, 200]);
});

Deno.test("a body is right if all of it matches what is expected, and only 2xx are looked at", () => {
  const matching = readerOf({ matches: "^h.l+o$" });
  deepStrictEqual(
    ["hello", "hullo", "help"].map((body) => feed(matching, DATED(0, body))[0]?.wrong),
    [null, null, "help"],
  );
  const [refused] = feed(readerOf(), "HTTP/1.1 503 No\r\ncontent-length: 2\r\n\r\nno");
  deepStrictEqual([refused?.isChecked, refused?.wrong], [false, null]);
  strictEqual(feed(readerOf(null), DATED(0))[0]?.isChecked, false);
});

Deno.test("a body larger than the first buffer is read whole", () => {
  const body = "hello".repeat(50_000);
  const [response] = feed(readerOf({ same: body }), DATED(0, body), 10_000);
  strictEqual(response?.wrong, null);
  ok(response.bytes > body.length);
});

for (
  const text of [
    "SSH-2.0-OpenSSH\r\n\r\n",
    "HTTP/2 200\r\n\r\n",
    "HTTP/1.1 20 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
  ]
) {
  Deno.test(`what is no response is refused: ${JSON.stringify(text)}`, () => {
    throws(() => feed(readerOf(), text), Garbage);
  });
}

Deno.test("ResponseReader gives up a response that does not end", () => {
  const reader = readerOf();
  const head = new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n");
  reader.room.set(head);
  strictEqual(reader.filled(head.length), null);
  throws(() => {
    for (;;) reader.filled(reader.room.length);
  }, Garbage);
});

Deno.test("responses to requests that were sent at once are told apart, however their bytes come", () => {
  const text = [0, 1, 2, 3].map((second) => DATED(second)).join("");
  for (const size of [1, 7, 80, Infinity]) {
    const reader = new ResponseReader(false, { same: "hello" }, { pipelined: 4 });
    const responses = feed(reader, text, size);
    for (let next = reader.filled(0); next !== null; next = reader.filled(0)) responses.push(next);
    strictEqual(responses.length, 4, `${size}`);
    for (const { status, bytes, wrong } of responses) {
      deepStrictEqual([status, bytes, wrong], [200, DATED(0).length, null]);
    }
  }
});

Deno.test("bytes after the last response that is due are wrong, and end its connection", () => {
  for (const pipelined of [1, 2]) {
    const reader = new ResponseReader(false, null, { pipelined });
    const responses = feed(reader, `${DATED(0).repeat(pipelined)}a`);
    for (let next = reader.filled(0); next !== null; next = reader.filled(0)) responses.push(next);
    const { wrong, isChecked, keepsAlive } = responses.at(-1) as ParsedResponse;
    deepStrictEqual([responses.length, isChecked, keepsAlive], [pipelined, true, false]);
    strictEqual(wrong, "bytes after a response that belong to no request");
    ok(responses.slice(0, -1).every(({ wrong }) => wrong === null));
  }
});
