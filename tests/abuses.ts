/** What may come over a wire and is no good request, and what Stampede's own server makes of it. */

/** What comes if the server says nothing. */
export const NO_ANSWER = "no answer";

/** One abuse of a connection. */
export interface Abuse {
  readonly what: string;
  /** What is sent, a character a byte. */
  readonly sends: string;
  /** The status that comes, or {@linkcode NO_ANSWER}: the connection is closed, or more is waited for. */
  readonly gets: string;
  /** Whether the client closes its side once it has sent. */
  readonly closes?: boolean;
}

const HOST = "Host: x\r\nConnection: close\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const LONG = "a".repeat(100_000);
/** What must not be answered: it stands within, or behind, another request. */
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
  { what: "a method that is no token", sends: `G@T / HTTP/1.1\r\n${HOST}\r\n`, gets: "400" },
  { what: "a method of 100 kB", sends: `${LONG} / HTTP/1.1\r\n${HOST}\r\n`, gets: "400" },
  { what: "a method that nobody knows", sends: `FISH / HTTP/1.1\r\n${HOST}\r\n`, gets: "405" },
  { what: "CONNECT", sends: `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`, gets: "404" },
  { what: "TRACE", sends: `TRACE / HTTP/1.1\r\n${HOST}\r\n`, gets: "405" },
  { what: "OPTIONS *", sends: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, gets: "404" },
  { what: "a path of 100 kB", sends: get(`/${LONG}`), gets: "400" },
  { what: "a path out of the root", sends: get("/../../etc/passwd"), gets: "404" },
  { what: "a path out of the root, encoded", sends: get("/%2e%2e/%2e%2e/etc/passwd"), gets: "404" },
  { what: "a path with two slashes", sends: get("//json"), gets: "404" },
  { what: "a path with a space", sends: get("/json x"), gets: "400" },
  { what: "a path with NUL", sends: get("/\0"), gets: "400" },
  { what: "the URL of another host", sends: get("http://other/json"), gets: "200" },
  { what: "no version", sends: "GET /\r\n\r\n", gets: "400" },
  { what: "HTTP/3.0 in text", sends: `GET / HTTP/3.0\r\n${HOST}\r\n`, gets: "400" },
  { what: "the preface of HTTP/2", sends: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", gets: NO_ANSWER },
  { what: "a TLS handshake", sends: `\x16\x03\x01\x02\x00\x01${"\x07".repeat(200)}`, gets: "400" },
  {
    what: "bytes that mean nothing",
    sends: "\x00\xff\x80\r\n\x01\r\n\r\n".repeat(50),
    gets: "400",
  },
  { what: "half a head", sends: "GET / HTTP/1.1\r\nHo", gets: NO_ANSWER },
  ...["/delay?every=1&ms=100", "/primes", "/sql1"].map((path) => ({
    what: `a request of ${path.split("?")[0]}, and no more to come`,
    sends: get(path),
    gets: "200",
    closes: true,
  })),
  { what: "half a head, and no more to come", sends: "GET / HT", gets: NO_ANSWER, closes: true },
];

const HEADERS: readonly Abuse[] = [
  // These two are Deno's own: docs/contract.md
  { what: "no host", sends: "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", gets: "200" },
  { what: "a host with a path", sends: get("/").replace("Host: x", "Host: a/json?"), gets: "200" },
  { what: "two hosts", sends: get("/", "Host: y\r\n"), gets: "400" },
  { what: "a header of 1 MB", sends: get("/", `X: ${LONG.repeat(10)}\r\n`), gets: "400" },
  { what: "10,000 headers", sends: get("/", "a: b\r\n".repeat(10_000)), gets: "400" },
  { what: "a bare CR in a header", sends: get("/", "X: a\rb\r\n"), gets: "400" },
  { what: "NUL in a header", sends: get("/", "X: a\0b\r\n"), gets: "400" },
  { what: "a folded header", sends: get("/", "X: a\r\n b\r\n"), gets: "400" },
  { what: "a header without a name", sends: get("/", ": x\r\n"), gets: "400" },
  { what: "a header without a colon", sends: get("/", "X\r\n"), gets: "400" },
  { what: "a space before a colon", sends: get("/", "X : y\r\n"), gets: "400" },
  {
    what: "an upgrade to WebSocket",
    sends: get(
      "/",
      "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n",
    ),
    gets: "200",
  },
  { what: "an upgrade to HTTP/2", sends: get("/", "Upgrade: h2c\r\n"), gets: "200" },
  { what: "an expectation that nobody knows", sends: get("/", "Expect: fish\r\n"), gets: "200" },
];

const LENGTHS: readonly Abuse[] = [
  ...["abc", "-1", "+2", "0x2", "2 2", "2, 3", "99999999999999999999"].map((length) => ({
    what: `a length of "${length}"`,
    sends: post(`Content-Length: ${length}\r\n`, `{}${SMUGGLED}`),
    gets: "400",
  })),
  {
    what: "two lengths",
    sends: post("Content-Length: 2\r\nContent-Length: 3\r\n", `{}${SMUGGLED}`),
    gets: "400",
  },
  {
    what: "a length, then chunks",
    sends: chunked(`0\r\n\r\n${SMUGGLED}`, "Content-Length: 4\r\n"),
    gets: "400",
  },
  {
    what: "chunks, then a length",
    sends: post("Content-Length: 80\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${SMUGGLED}`),
    gets: "400",
  },
  ...["xchunked", "chunked, identity", "gzip", "chunked, chunked", "\x0bchunked"].map((coding) => ({
    what: `a transfer coding "${coding.trim()}"${
      coding === coding.trim() ? "" : " after a vertical tab"
    }`,
    sends: post(`Transfer-Encoding: ${coding}\r\n`, `0\r\n\r\n${SMUGGLED}`),
    gets: "400",
  })),
  {
    what: "chunks under HTTP/1.0",
    sends: chunked(`0\r\n\r\n${SMUGGLED}`).replace("HTTP/1.1", "HTTP/1.0"),
    gets: "400",
  },
  {
    what: "a request within the body of GET",
    sends: `GET / HTTP/1.1\r\nHost: x\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}` +
      "TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    gets: "200 405",
  },
];

const BODIES: readonly Abuse[] = [
  {
    what: "a chunk whose size is no number",
    sends: chunked("zz\r\n{}\r\n0\r\n\r\n"),
    gets: NO_ANSWER,
  },
  {
    what: "a chunk larger than 2^64",
    sends: chunked(`${"f".repeat(17)}\r\n{}\r\n`),
    gets: NO_ANSWER,
  },
  { what: "a chunk longer than its size", sends: chunked("2\r\n{}XX0\r\n\r\n"), gets: NO_ANSWER },
  { what: "chunks with bare LF", sends: chunked("2\n{}\n0\n\n"), gets: NO_ANSWER },
  {
    what: "a chunk with an extension of 100 kB",
    sends: chunked(`2;${LONG}\r\n{}\r\n0\r\n\r\n`),
    gets: "400",
  },
  {
    what: "20,000 trailers",
    sends: chunked(`2\r\n{}\r\n0\r\n${"a: b\r\n".repeat(20_000)}\r\n`),
    gets: NO_ANSWER,
  },
  { what: "half a body", sends: post("Content-Length: 12\r\n", '{"i'), gets: NO_ANSWER },
  {
    what: "half a body, and no more to come",
    sends: post("Content-Length: 12\r\n", '{"i'),
    gets: "400",
    closes: true,
  },
  { what: "JSON 30,000 lists deep", sends: withLength("[".repeat(30_000)), gets: "400" },
  {
    what: "JSON with a key twice, and those of a prototype",
    sends: withLength('{"a":1,"a":2,"__proto__":{"excitement":1},"constructor":null}'),
    gets: "400",
  },
  { what: "text that is no UTF-8", sends: withLength('"\xff\xfe"'), gets: "400" },
  { what: "a body of a megabyte", sends: withLength(`"${LONG.repeat(10)}"`), gets: "413" },
  {
    what: "a megabyte in chunks",
    sends: chunked(`f4240\r\n${"1".repeat(1_000_000)}\r\n0\r\n\r\n`),
    gets: "413",
  },
];

/** All of them. */
export const ABUSES: readonly Abuse[] = [...REQUEST_LINES, ...HEADERS, ...LENGTHS, ...BODIES];
