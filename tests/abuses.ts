/** Malformed and hostile input on a connection, and the responses of Stampede's own server. */

/** Outcome if the server sends nothing. */
export const NO_RESPONSE = "no response";

/** One abuse of a connection. */
export interface Abuse {
  readonly what: string;
  /** The bytes to send, one character each. */
  readonly sends: string;
  /**
   * The expected status, or {@linkcode NO_RESPONSE} if the server closes the connection or waits for more.
   */
  readonly gets: string;
  /** Whether the client closes its side after sending. */
  readonly closes?: boolean;
}

const HOST = "Host: x\r\nConnection: close\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const LONG = "a".repeat(100_000);
/** A request hidden in or after another one. It must not be answered. */
export const SMUGGLED = `GET /json HTTP/1.1\r\n${HOST}\r\n`;

function get(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
}

function post(headers: string, body: string): string {
  return `POST /schema HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers}\r\n${body}`;
}

function withLength(body: string): string {
  return post(`Content-Length: ${body.length}\r\n`, body);
}

function chunked(body: string, headers = ""): string {
  return post(`Transfer-Encoding: chunked\r\n${headers}`, body);
}

const REQUEST_LINES: readonly Abuse[] = [
  { what: "an invalid method: `G@T`", sends: `G@T / HTTP/1.1\r\n${HOST}\r\n`, gets: "400" },
  { what: "a method of 100 kB", sends: `${LONG} / HTTP/1.1\r\n${HOST}\r\n`, gets: "400" },
  { what: "an unknown method", sends: `FISH / HTTP/1.1\r\n${HOST}\r\n`, gets: "405" },
  { what: "CONNECT", sends: `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`, gets: "404" },
  { what: "TRACE", sends: `TRACE / HTTP/1.1\r\n${HOST}\r\n`, gets: "405" },
  { what: "OPTIONS *", sends: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, gets: "404" },
  { what: "a path of 100 kB", sends: get(`/${LONG}`), gets: "400" },
  { what: "a path that leaves the root", sends: get("/../../etc/passwd"), gets: "404" },
  {
    what: "a path that leaves the root, percent-encoded",
    sends: get("/%2e%2e/%2e%2e/etc/passwd"),
    gets: "404",
  },
  { what: "a path that begins with two slashes", sends: get("//json"), gets: "404" },
  { what: "a path with a space", sends: get("/json x"), gets: "400" },
  { what: "a path with NUL", sends: get("/\0"), gets: "400" },
  { what: "a target with the URL of another host", sends: get("http://other/json"), gets: "200" },
  { what: "no HTTP version", sends: "GET /\r\n\r\n", gets: "400" },
  { what: "the version HTTP/3.0", sends: `GET / HTTP/3.0\r\n${HOST}\r\n`, gets: "400" },
  { what: "the preface of HTTP/2", sends: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", gets: NO_RESPONSE },
  { what: "a TLS handshake", sends: `\x16\x03\x01\x02\x00\x01${"\x07".repeat(200)}`, gets: "400" },
  {
    what: "bytes that are not HTTP",
    sends: "\x00\xff\x80\r\n\x01\r\n\r\n".repeat(50),
    gets: "400",
  },
  { what: "half a head, then silence", sends: "GET / HTTP/1.1\r\nHo", gets: NO_RESPONSE },
  ...["/", "/json"].map((path) => ({
    what: `GET ${path}, then half-closed`,
    sends: get(path),
    gets: "200",
    closes: true,
  })),
  // Deno's own limits: docs/contract.md
  ...["/delay?every=1&ms=100", "/primes"].map((path) => ({
    what: `GET ${path.split("?")[0]}, then half-closed`,
    sends: get(path),
    gets: NO_RESPONSE,
    closes: true,
  })),
  {
    what: "half a head, then half-closed",
    sends: "GET / HT",
    gets: NO_RESPONSE,
    closes: true,
  },
];

const HEADERS: readonly Abuse[] = [
  // Deno's own behaviour: docs/contract.md
  { what: "no Host", sends: "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", gets: "200" },
  { what: "a Host with a path", sends: get("/").replace("Host: x", "Host: a/json?"), gets: "200" },
  { what: "two Host headers", sends: get("/", "Host: y\r\n"), gets: "400" },
  { what: "a header of 1 MB", sends: get("/", `X: ${LONG.repeat(10)}\r\n`), gets: "400" },
  { what: "10,000 headers", sends: get("/", "a: b\r\n".repeat(10_000)), gets: "400" },
  { what: "a bare CR in a header", sends: get("/", "X: a\rb\r\n"), gets: "400" },
  { what: "NUL in a header", sends: get("/", "X: a\0b\r\n"), gets: "400" },
  { what: "a folded header", sends: get("/", "X: a\r\n b\r\n"), gets: "400" },
  { what: "a header without a name", sends: get("/", ": x\r\n"), gets: "400" },
  { what: "a header without a colon", sends: get("/", "X\r\n"), gets: "400" },
  { what: "a space before a colon", sends: get("/", "X : y\r\n"), gets: "400" },
  {
    what: "an upgrade to WebSocket at `/`",
    sends: get(
      "/",
      "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n",
    ),
    gets: "200",
  },
  { what: "an upgrade to HTTP/2 (h2c)", sends: get("/", "Upgrade: h2c\r\n"), gets: "200" },
  { what: "an unknown Expect", sends: get("/", "Expect: fish\r\n"), gets: "200" },
];

const WEBSOCKET = {
  Connection: "close, Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Returns a handshake of `/echo` with changed headers; null removes a header. */
function handshake(changed: Readonly<Record<string, string | null>>, method = "GET"): string {
  const headers = Object.entries({ Host: "x", ...WEBSOCKET, ...changed })
    .map(([name, value]) => value === null ? "" : `${name}: ${value}\r\n`);
  return `${method} /echo HTTP/1.1\r\n${headers.join("")}\r\n`;
}

const HANDSHAKES: readonly Abuse[] = [
  {
    what: "a handshake without a key",
    sends: handshake({ "Sec-WebSocket-Key": null }),
    gets: "400",
  },
  {
    what: "a handshake with a key of four bytes",
    sends: handshake({ "Sec-WebSocket-Key": "AAAAAA==" }),
    gets: "400",
  },
  {
    what: "a handshake without Connection: Upgrade",
    sends: handshake({ Connection: "close" }),
    gets: "400",
  },
  {
    what: "a handshake of version 12",
    sends: handshake({ "Sec-WebSocket-Version": "12" }),
    gets: "426",
  },
  {
    what: "a handshake without a version",
    sends: handshake({ "Sec-WebSocket-Version": null }),
    gets: "426",
  },
  { what: "a handshake by HEAD", sends: handshake({}, "HEAD"), gets: "426" },
  { what: "a handshake by POST", sends: handshake({}, "POST"), gets: "405" },
  {
    what: "a handshake with a body",
    sends: `${handshake({ "Content-Length": "2" })}hi`,
    gets: "400",
  },
  { what: "`/echo` with Upgrade: h2c", sends: handshake({ Upgrade: "h2c" }), gets: "426" },
];

const LENGTHS: readonly Abuse[] = [
  ...["abc", "-1", "+2", "0x2", "2 2", "2, 3", "99999999999999999999"].map((length) => ({
    what: `Content-Length "${length}"`,
    sends: post(`Content-Length: ${length}\r\n`, `{}${SMUGGLED}`),
    gets: "400",
  })),
  {
    what: "two Content-Length headers",
    sends: post("Content-Length: 2\r\nContent-Length: 3\r\n", `{}${SMUGGLED}`),
    gets: "400",
  },
  {
    what: "Transfer-Encoding, then Content-Length",
    sends: chunked(`0\r\n\r\n${SMUGGLED}`, "Content-Length: 4\r\n"),
    gets: "400",
  },
  {
    what: "Content-Length, then Transfer-Encoding",
    sends: post("Content-Length: 80\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${SMUGGLED}`),
    gets: "400",
  },
  ...["xchunked", "chunked, identity", "gzip", "chunked, chunked", "\x0bchunked"].map((coding) => ({
    what: `Transfer-Encoding "${coding.trim()}"${
      coding === coding.trim() ? "" : " after a vertical tab"
    }`,
    sends: post(`Transfer-Encoding: ${coding}\r\n`, `0\r\n\r\n${SMUGGLED}`),
    gets: "400",
  })),
  {
    what: "chunks in HTTP/1.0",
    sends: chunked(`0\r\n\r\n${SMUGGLED}`).replace("HTTP/1.1", "HTTP/1.0"),
    gets: "400",
  },
  {
    what: "GET with a request hidden in its body, then TRACE",
    sends: `GET / HTTP/1.1\r\nHost: x\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}` +
      "TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    gets: "200 405",
  },
];

const BODIES: readonly Abuse[] = [
  {
    what: "a chunk size that is not a number",
    sends: chunked("zz\r\n{}\r\n0\r\n\r\n"),
    gets: NO_RESPONSE,
  },
  {
    what: "a chunk larger than 2^64",
    sends: chunked(`${"f".repeat(17)}\r\n{}\r\n`),
    gets: NO_RESPONSE,
  },
  { what: "a chunk longer than its size", sends: chunked("2\r\n{}XX0\r\n\r\n"), gets: NO_RESPONSE },
  { what: "chunks with bare LF", sends: chunked("2\n{}\n0\n\n"), gets: NO_RESPONSE },
  {
    what: "a chunk with an extension of 100 kB",
    sends: chunked(`2;${LONG}\r\n{}\r\n0\r\n\r\n`),
    gets: "400",
  },
  {
    what: "20,000 trailers",
    sends: chunked(`2\r\n{}\r\n0\r\n${"a: b\r\n".repeat(20_000)}\r\n`),
    gets: NO_RESPONSE,
  },
  {
    what: "half a body, then silence",
    sends: post("Content-Length: 12\r\n", '{"i'),
    gets: NO_RESPONSE,
  },
  {
    what: "half a body, then half-closed",
    sends: post("Content-Length: 12\r\n", '{"i'),
    gets: "400",
    closes: true,
  },
  { what: "JSON 30,000 lists deep", sends: withLength("[".repeat(30_000)), gets: "400" },
  {
    what: "JSON with a duplicate key, `__proto__` and `constructor`",
    sends: withLength('{"a":1,"a":2,"__proto__":{"excitement":1},"constructor":null}'),
    gets: "400",
  },
  { what: "text that is invalid UTF-8", sends: withLength('"\xff\xfe"'), gets: "400" },
  { what: "a body of 1 MB", sends: withLength(`"${LONG.repeat(10)}"`), gets: "413" },
  {
    what: "a body of 1 MB in chunks",
    sends: chunked(`f4240\r\n${"1".repeat(1_000_000)}\r\n0\r\n\r\n`),
    gets: "413",
  },
];

/** All abuses. */
export const ABUSES: readonly Abuse[] = [
  ...REQUEST_LINES,
  ...HEADERS,
  ...HANDSHAKES,
  ...LENGTHS,
  ...BODIES,
];

/** Frames that a client sends on an open WebSocket of `/echo`. */
export interface FrameAbuse {
  readonly what: string;
  /** Section of RFC 6455 that decides the outcome. */
  readonly section: string;
  /** Outcome by the RFC: `echo`, `pong`, or the code of a Close frame. */
  readonly wanted: string;
  /** The bytes to send, one character each. */
  readonly sends: string;
  /** Actual outcome, in the same words or {@linkcode CLOSED}. */
  readonly gets: string;
}

/** Outcome if the connection is closed without a Close frame. */
export const CLOSED = "closed without a code";

/** Returns a frame masked with zeros: its first byte, its length in the shortest form, its payload. */
function frame(first: number, payload: string): string {
  const { length } = payload;
  const size = length < 126
    ? [0x80 | length]
    : length < 65_536
    ? [0xfe, length >> 8, length & 0xff]
    : [0xff, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 0xff, length & 0xff];
  return String.fromCharCode(first, ...size, 0, 0, 0, 0) + payload;
}

/** Returns a frame that announces a length in eight bytes, without its payload. */
function announced(size: readonly number[]): string {
  return String.fromCharCode(0x82, 0xff, ...size, 0, 0, 0, 0);
}

const [TEXT, BINARY, CLOSE, PING] = [0x81, 0x82, 0x88, 0x89] as const;
const NO_FIN = 0x80;

/** Frames and Deno's reactions. Deno's WebSocket handles them before the server sees them. */
export const FRAME_ABUSES: readonly FrameAbuse[] = [
  { what: "a message", section: "5.6", wanted: "echo", sends: frame(TEXT, "hi"), gets: "echo" },
  { what: "a ping", section: "5.5.2", wanted: "pong", sends: frame(PING, "hi"), gets: "pong" },
  {
    what: "a message of 65,537 bytes",
    section: "7.4.1",
    wanted: "1009",
    sends: frame(BINARY, "x".repeat(65_537)),
    gets: "1009",
  },
  {
    what: "65,537 bytes in three frames",
    section: "7.4.1",
    wanted: "1009",
    sends: frame(BINARY - NO_FIN, "x".repeat(65_535)) + frame(0, "x") + frame(NO_FIN, "x"),
    gets: "1009",
  },
  {
    what: "a frame of 64 MiB",
    section: "7.4.1",
    wanted: "1009",
    sends: announced([0, 0, 0, 0, 4, 0, 0, 1]),
    gets: CLOSED,
  },
  {
    what: "a frame of 2^63 bytes",
    section: "5.2",
    wanted: "1002",
    sends: announced([0x80, 0, 0, 0, 0, 0, 0, 0]),
    gets: CLOSED,
  },
  {
    what: "a length in more bytes than necessary",
    section: "5.2",
    wanted: "1002",
    sends: "\x81\xfe\0\x02\0\0\0\0hi",
    gets: "echo",
  },
  {
    what: "an unmasked frame",
    section: "5.1",
    wanted: "1002",
    sends: "\x81\x02hi",
    gets: "echo",
  },
  {
    what: "a reserved bit",
    section: "5.2",
    wanted: "1002",
    sends: frame(TEXT | 0x40, "hi"),
    gets: CLOSED,
  },
  ...[3, 11].map((opcode) => ({
    what: `opcode ${opcode}`,
    section: "5.2",
    wanted: "1002",
    sends: frame(NO_FIN | opcode, "hi"),
    gets: CLOSED,
  })),
  {
    what: "text that is invalid UTF-8",
    section: "8.1",
    wanted: "1007",
    sends: frame(TEXT, "\xff\xfe"),
    gets: CLOSED,
  },
  {
    what: "text that is invalid UTF-8 only as a whole",
    section: "8.1",
    wanted: "1007",
    sends: frame(TEXT - NO_FIN, "\xce\xba\xe1\xbd") + frame(NO_FIN, "\xff"),
    gets: CLOSED,
  },
  {
    what: "a message inside another one",
    section: "5.4",
    wanted: "1002",
    sends: frame(TEXT - NO_FIN, "h") + frame(TEXT, "i"),
    gets: CLOSED,
  },
  {
    what: "the end of a message that did not begin",
    section: "5.4",
    wanted: "1002",
    sends: frame(NO_FIN, "i"),
    gets: CLOSED,
  },
  {
    what: "a ping of 126 bytes",
    section: "5.5",
    wanted: "1002",
    sends: frame(PING, "x".repeat(126)),
    gets: CLOSED,
  },
  {
    what: "a ping in two frames",
    section: "5.5",
    wanted: "1002",
    sends: frame(PING - NO_FIN, "h") + frame(NO_FIN, "i"),
    gets: CLOSED,
  },
  {
    what: "a Close frame",
    section: "5.5.1",
    wanted: "1000",
    sends: frame(CLOSE, "\x03\xe8"),
    gets: "1000",
  },
  {
    what: "a Close frame with a private code (3000)",
    section: "7.4.2",
    wanted: "3000",
    sends: frame(CLOSE, "\x0b\xb8"),
    gets: "3000",
  },
  ...[999, 1005].map((code) => ({
    what: `a Close frame with code ${code}`,
    section: "7.4",
    wanted: "1002",
    sends: frame(CLOSE, String.fromCharCode(code >> 8, code & 0xff)),
    gets: "1002",
  })),
  {
    what: "a Close frame of one byte",
    section: "5.5.1",
    wanted: "1002",
    sends: frame(CLOSE, "\x03"),
    gets: CLOSED,
  },
  {
    what: "a Close frame with a reason that is invalid UTF-8",
    section: "5.5.1",
    wanted: "1007",
    sends: frame(CLOSE, "\x03\xe8\xff\xfe"),
    gets: CLOSED,
  },
  {
    what: "a Close frame of 126 bytes",
    section: "5.5",
    wanted: "1002",
    sends: frame(CLOSE, `\x03\xe8${"x".repeat(124)}`),
    gets: "1000",
  },
];
