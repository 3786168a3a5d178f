import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  Garbage,
  type ParsedResponse,
  ResponseReader,
} from "../../src/load/driver/response_reader.ts";
import type { Talk } from "../../src/load/generator.ts";
import { accepted, damagedText, holds } from "./inputs.ts";

/** The parts of a sent response. */
interface Sent {
  readonly status: number;
  readonly body: Uint8Array;
  readonly framing: "length" | "chunked" | "close";
  readonly headers: readonly (readonly [string, string])[];
}

const TOKEN = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/)
  .filter((name) => !/^(content-length|transfer-encoding|connection)$/i.test(name));
const VALUE = fc.stringMatching(/^[!-~][ -~]{0,20}$/);

const SENT: fc.Arbitrary<Sent> = fc.record({
  status: fc.integer({ min: 200, max: 599 }).filter((status) => status !== 204 && status !== 304),
  body: fc.uint8Array({ maxLength: 300 }),
  framing: fc.constantFrom("length", "chunked", "close"),
  headers: fc.array(fc.tuple(TOKEN, VALUE), { maxLength: 5 }),
});

const encoder = new TextEncoder();

/** Returns the bytes of a response. With chunked encoding, its body has chunks of these sizes. */
function bytesOf({ status, body, framing, headers }: Sent, sizes: readonly number[]): Uint8Array {
  const how = {
    length: `Content-Length: ${body.length}`,
    chunked: "Transfer-Encoding: chunked",
    close: "Connection: close",
  }[framing];
  const fields = [...headers.map(([name, value]) => `${name}: ${value}`), how];
  const head = encoder.encode(`HTTP/1.1 ${status} Such\r\n${fields.join("\r\n")}\r\n\r\n`);
  if (framing !== "chunked") return joined([head, body]);
  const parts = [head];
  for (const chunk of cut(body, sizes)) {
    parts.push(encoder.encode(`${chunk.length.toString(16)}\r\n`), chunk, encoder.encode("\r\n"));
  }
  return joined([...parts, encoder.encode("0\r\n\r\n")]);
}

/** Splits bytes into pieces of these sizes, repeatedly. */
function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array<ArrayBuffer>> {
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const piece = bytes.slice(at, at + (sizes[i % sizes.length] ?? 1));
    yield piece;
    at += piece.length;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Returns the first response in these bytes, received in pieces of these sizes; null if it is incomplete. */
function readIn(
  bytes: Uint8Array,
  pieces: readonly number[],
  expected: Talk["expected"],
): ParsedResponse | null {
  const reader = new ResponseReader(false, expected);
  for (const piece of cut(bytes, pieces)) {
    reader.room.set(piece);
    const response = reader.filled(piece.length);
    if (response !== null) return response;
  }
  return reader.ended();
}

const SIZES = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });

holds(
  "a response is read as it was sent, in whatever pieces it comes",
  fc.tuple(SENT, SIZES, SIZES),
  ([sent, chunks, pieces]) => {
    const bytes = bytesOf(sent, chunks);
    const response = readIn(bytes, pieces, null);
    ok(response);
    deepStrictEqual([response.status, response.bytes], [sent.status, bytes.length]);
    strictEqual(response.keepsAlive, sent.framing !== "close");
  },
);

holds(
  "a body counts as right if it is the expected one, and no other",
  fc.tuple(SENT.filter(({ status }) => status < 300), SIZES, SIZES, fc.string(), fc.string()),
  ([sent, chunks, pieces, text, other]) => {
    const bytes = bytesOf({ ...sent, body: encoder.encode(text) }, chunks);
    strictEqual(readIn(bytes, pieces, { same: text })?.wrong, null);
    strictEqual(readIn(bytes, pieces, { same: other })?.wrong === null, text === other);
  },
);

const WHOLE = [
  "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\ndate: now\r\n\r\nhello",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nx: y\r\n\r\n",
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 500 Oh no\r\nconnection: keep-alive\r\n\r\nlost",
];

holds(
  "bytes that are no response are refused as such",
  fc.tuple(
    fc.oneof(...WHOLE.map(damagedText), fc.string(), fc.string({ unit: "binary" })),
    SIZES,
  ),
  async ([text, pieces]) => {
    const bytes = encoder.encode(text);
    const response = await accepted(() => readIn(bytes, pieces, { same: "hello" }), Garbage);
    if (!response) return;
    ok(response.status >= 101 && response.status <= 999 && response.bytes <= bytes.length);
  },
);
