/**
 * Cases of HTTP/1.1 with the ids of published suites, each with the RFC section that decides it.
 *
 * `RFC…`, `COMP-…`, `SMUG-…`, `MAL-…` and `NORM-…` are the ids of
 * [Http11Probe](https://github.com/MDA2AV/Http11Probe); cases that allow any response are omitted;
 * `llhttp-…` are cases of [llhttp](https://github.com/nodejs/llhttp/tree/main/test/request);
 * `h1spec-…` are cases of [h1spec](https://github.com/uNetworking/h1spec).
 * Ids and subjects are theirs. The requests are written from the RFCs for the routes of docs/contract.md:
 * `POST /upload` returns the number of bytes in the body.
 */

/** Requirement level of the RFC. */
export type Level = "must" | "should";

/** One acceptable outcome of a case. */
export interface Right {
  /** Status of the only response, such as `200`, or a class such as `4xx`; null: no response. */
  readonly status: string | null;
  /** Whether the server closes the connection; absent: either is fine. */
  readonly closes?: boolean;
  /** Patterns that the response must contain, and must not contain. */
  readonly has?: RegExp;
  readonly lacks?: RegExp;
}

/** One case. */
export interface Http1Case {
  readonly id: string;
  /** Number and section of the RFC. */
  readonly rfc: string;
  readonly level: Level;
  readonly what: string;
  /** Parts of the request in Latin-1, with a pause between them. */
  readonly sends: readonly string[];
  /** The case passes with any of these outcomes. */
  readonly right: readonly Right[];
}

const HOST = "Host: localhost\r\n";
const KIB = 1024;
/** Larger than any limit on a request head, in bytes. */
const HUGE = 100 * KIB;
const SMUGGLED = `GET /json HTTP/1.1\r\n${HOST}\r\n`;

function get(target: string, headers = HOST): string {
  return `GET ${target} HTTP/1.1\r\n${headers}\r\n`;
}

function post(headers: string, body = ""): string {
  return `POST /upload HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
}

function chunked(body: string): string {
  return post("Transfer-Encoding: chunked\r\n", body);
}

function ok(has?: RegExp): Right {
  return { status: "2xx", ...(has && { has }) };
}

/** Accepts a response that reports a body of this length. */
function bytes(count: number): Right {
  return ok(new RegExp(`"bytes":${count},`));
}

const CLOSED: Right = { status: null, closes: true };
const WAITS: Right = { status: null, closes: false };
/** The RFC requires status 400. */
const BAD_REQUEST = [{ status: "400" }];
/** The RFC requires a rejection, by 400 or by closing. */
const REJECTED = [{ status: "400" }, CLOSED];
/** The message is incomplete: the server waits for the rest, or rejects it. */
const INCOMPLETE = [{ status: "400" }, CLOSED, WAITS];
const REFUSED_CODING = [{ status: "400" }, { status: "501" }, CLOSED];
/** Rejected, or read as chunks with the connection closed afterwards. RFC 9112 6.1 */
const CLOSED_AFTER = [...REFUSED_CODING, { status: "2xx", closes: true }];
const TOO_LARGE = [{ status: "400" }, { status: "414" }, { status: "431" }, CLOSED];

type Row = readonly [
  id: string,
  rfc: string,
  what: string,
  sends: string | readonly string[],
  right: readonly Right[],
];

const MUST: readonly Row[] = [
  // Request line
  ["COMP-BASELINE", "9112 3", "a plain request", get("/"), [ok()]],
  ["RFC9112-3-MISSING-TARGET", "9112 3", "no target", `GET HTTP/1.1\r\n${HOST}\r\n`, REJECTED],
  ["COMP-SPACE-IN-TARGET", "9112 3.2", "a space in the target", get("/a b"), REJECTED],
  ["COMP-ASTERISK-WITH-GET", "9112 3.2.4", "GET *", get("*"), [...REJECTED, { status: "404" }]],
  ["COMP-OPTIONS-STAR", "9112 3.2.4", "OPTIONS *", `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, [ok()]],
  [
    "COMP-ABSOLUTE-FORM",
    "9112 3.2.2",
    "a target in absolute form",
    get("http://localhost/"),
    [ok()],
  ],
  [
    "RFC9112-3-CR-ONLY-LINE-ENDING",
    "9112 2.2",
    "CR alone after the request line",
    `GET / HTTP/1.1\r${HOST}\r\n`,
    BAD_REQUEST,
  ],
  [
    "COMP-VERSION-MISSING-MINOR",
    "9112 2.3",
    "HTTP/1",
    `GET / HTTP/1\r\n${HOST}\r\n`,
    REJECTED,
  ],
  [
    "COMP-VERSION-LEADING-ZEROS",
    "9112 2.3",
    "HTTP/01.01",
    `GET / HTTP/01.01\r\n${HOST}\r\n`,
    REJECTED,
  ],
  [
    "COMP-VERSION-WHITESPACE",
    "9112 2.3",
    "HTTP/ 1.1",
    `GET / HTTP/ 1.1\r\n${HOST}\r\n`,
    REJECTED,
  ],
  ["COMP-VERSION-CASE", "9112 2.3", "http/1.1", `GET / http/1.1\r\n${HOST}\r\n`, REJECTED],
  ["llhttp-invalid-RTSP", "9112 2.3", "RTSP/1.0", `PUT / RTSP/1.0\r\n${HOST}\r\n`, REJECTED],
  ["llhttp-invalid-ICE", "9112 2.3", "ICE/1.0", `GET / ICE/1.0\r\n${HOST}\r\n`, REJECTED],
  ["MAL-NUL-IN-URL", "9112 3.2", "NUL in the target", get("/\0"), REJECTED],
  ["MAL-NON-ASCII-URL", "9112 3.2", "UTF-8 in the target", get("/caf\xc3\xa9"), REJECTED],
  ["MAL-URL-OVERLONG-UTF8", "3629 3", "an overlong slash", get("/\xc0\xaf"), REJECTED],
  [
    "llhttp-sample-H-method",
    "9112 3.1",
    "a method that begins with H",
    `HEAD / HTTP/1.1\r\n${HOST}\r\n`,
    [ok()],
  ],
  // Fields
  ["RFC9112-5.1-OBS-FOLD", "9112 5.2", "a folded field", get("/", `${HOST}X: a\r\n b\r\n`), [
    ...BAD_REQUEST,
    ok(),
  ]],
  [
    "RFC9110-5.6.2-SP-BEFORE-COLON",
    "9112 5.1",
    "a space before a colon",
    get("/", `${HOST}X : a\r\n`),
    BAD_REQUEST,
  ],
  ["RFC9112-5-EMPTY-HEADER-NAME", "9112 5", "no name", get("/", `${HOST}: a\r\n`), REJECTED],
  [
    "RFC9112-5-INVALID-HEADER-NAME",
    "9110 5.6.2",
    "a bracket in a name",
    get("/", `${HOST}X[: a\r\n`),
    REJECTED,
  ],
  ["RFC9112-5-HEADER-NO-COLON", "9112 5", "no colon", get("/", `${HOST}X\r\n`), REJECTED],
  [
    "COMP-WHITESPACE-BEFORE-HEADERS",
    "9112 2.2",
    "white space before the first field",
    `GET / HTTP/1.1\r\n ${HOST}\r\n`,
    REJECTED,
  ],
  ["NORM-TAB-IN-NAME", "9110 5.6.2", "a tab in a name", get("/", `${HOST}X\tY: a\r\n`), REJECTED],
  [
    "MAL-NON-ASCII-HEADER-NAME",
    "9110 5.6.2",
    "UTF-8 in a name",
    get("/", `${HOST}X-\xc3\xa9: a\r\n`),
    REJECTED,
  ],
  [
    "MAL-NUL-IN-HEADER-VALUE",
    "9110 5.5",
    "NUL in a value",
    get("/", `${HOST}X: a\0b\r\n`),
    REJECTED,
  ],
  [
    "MAL-CONTROL-CHARS-HEADER",
    "9110 5.5",
    "control characters in a value",
    get("/", `${HOST}X: a\x07\x08\x0bb\r\n`),
    REJECTED,
  ],
  [
    "SMUG-BARE-CR-HEADER-VALUE",
    "9112 2.2",
    "CR in a value",
    post("Content-Length: 5\r\nX: a\rb\r\n", "hello"),
    REJECTED,
  ],
  [
    "llhttp-invalid-headers-CR",
    "9112 2.2",
    "fields that CR separates",
    `GET / HTTP/1.1\r\n${HOST}X: a\rY: b\r\n\r\n`,
    REJECTED,
  ],
  [
    "llhttp-sample-255-ascii",
    "9110 5.5",
    "bytes above 127 in a value, which are obs-text",
    get("/", `${HOST}X: \xe2\x82\xac\r\n`),
    [ok()],
  ],
  [
    "h1spec-edge-cases",
    "9110 5.6.3",
    "odd case, a tab and an empty value",
    get("/", "hoSt:\tlocalhost\r\nempty:\r\n"),
    [ok()],
  ],
  // Host
  ["RFC9112-7.1-MISSING-HOST", "9112 3.2", "no Host", get("/", ""), BAD_REQUEST],
  [
    "RFC9110-5.4-DUPLICATE-HOST",
    "9112 3.2",
    "two different Hosts",
    get("/", `${HOST}Host: other\r\n`),
    BAD_REQUEST,
  ],
  [
    "COMP-DUPLICATE-HOST-SAME",
    "9112 3.2",
    "the same Host twice",
    get("/", HOST + HOST),
    BAD_REQUEST,
  ],
  ["COMP-HOST-WITH-USERINFO", "9112 3.2", "a@b", get("/", "Host: a@b\r\n"), REJECTED],
  ["COMP-HOST-WITH-PATH", "9112 3.2", "a Host with a path", get("/", "Host: a/b\r\n"), REJECTED],
  [
    "SMUG-MULTIPLE-HOST-COMMA",
    "9112 3.2",
    "two Hosts in one value",
    get("/", "Host: a, b\r\n"),
    REJECTED,
  ],
  // Content-Length
  ["COMP-POST-CL-BODY", "9112 6.2", "a body", post("Content-Length: 5\r\n", "hello"), [bytes(5)]],
  ["COMP-POST-CL-ZERO", "9112 6.2", "a length of 0", post("Content-Length: 0\r\n"), [bytes(0)]],
  ["COMP-POST-NO-CL-NO-TE", "9112 6.3", "no length", post(""), [bytes(0)]],
  [
    "COMP-POST-CL-UNDERSEND",
    "9112 6.3",
    "5 of 10 bytes",
    post("Content-Length: 10\r\n", "hello"),
    INCOMPLETE,
  ],
  [
    "RFC9112-6.1-CL-NON-NUMERIC",
    "9112 6.3",
    "abc",
    post("Content-Length: abc\r\n"),
    REJECTED,
  ],
  [
    "RFC9112-6.1-CL-PLUS-SIGN",
    "9112 6.3",
    "+5",
    post("Content-Length: +5\r\n", "hello"),
    REJECTED,
  ],
  ["SMUG-CL-NEGATIVE", "9112 6.3", "-1", post("Content-Length: -1\r\n"), REJECTED],
  ["SMUG-CL-NEGATIVE-ZERO", "9112 6.3", "-0", post("Content-Length: -0\r\n"), REJECTED],
  [
    "SMUG-CL-UNDERSCORE",
    "9112 6.3",
    "1_0",
    post("Content-Length: 1_0\r\n", "helloworld"),
    REJECTED,
  ],
  ["SMUG-CL-OCTAL", "9112 6.3", "0o5", post("Content-Length: 0o5\r\n", "hello"), REJECTED],
  ["SMUG-CL-HEX-PREFIX", "9112 6.3", "0x5", post("Content-Length: 0x5\r\n", "hello"), REJECTED],
  [
    "SMUG-CL-INTERNAL-SPACE",
    "9112 6.3",
    "1 0",
    post("Content-Length: 1 0\r\n", "hello12345"),
    REJECTED,
  ],
  [
    "SMUG-CL-COMMA-DIFFERENT",
    "9112 6.3",
    "5, 10",
    post("Content-Length: 5, 10\r\n", "hello"),
    REJECTED,
  ],
  [
    "SMUG-DUPLICATE-CL",
    "9112 6.3",
    "two different lengths",
    post("Content-Length: 5\r\nContent-Length: 10\r\n", "helloworld"),
    REJECTED,
  ],
  [
    "SMUG-DUPLICATE-CL-SMUGGLED-GET",
    "9112 6.3",
    "two different lengths, and a request behind the shorter body",
    post("Content-Length: 5\r\nContent-Length: 60\r\n", `hello${SMUGGLED}`),
    REJECTED,
  ],
  [
    "MAL-CL-OVERFLOW",
    "9110 8.6",
    "2^66",
    post("Content-Length: 99999999999999999999\r\n"),
    REJECTED,
  ],
  ["MAL-CL-EMPTY", "9110 8.6", "an empty length", post("Content-Length: \r\n"), REJECTED],
  [
    "MAL-POST-CL-HUGE-NO-BODY",
    "9112 6.3",
    "a length of 999,999,999 and no body",
    post("Content-Length: 999999999\r\n"),
    [...INCOMPLETE, { status: "413" }],
  ],
  [
    "NORM-SP-BEFORE-COLON-CL",
    "9112 5.1",
    "a space before the colon of a length",
    post("Content-Length : 5\r\n", "hello"),
    BAD_REQUEST,
  ],
  [
    "NORM-UNDERSCORE-CL",
    "9110 5.1",
    "Content_Length, which is another name",
    post("Content-Length: 5\r\nContent_Length: 99\r\n", "hello"),
    [...REJECTED, bytes(5)],
  ],
  [
    "llhttp-cl-whitespace-around",
    "9112 5",
    "white space around a length",
    post("Content-Length:\t 5 \t\r\n", "hello"),
    [bytes(5)],
  ],
  [
    "llhttp-cl-CR-for-dash",
    "9112 2.2",
    "CR in place of the dash of Content-Length",
    post("Content\rLength: 5\r\n", "hello"),
    REJECTED,
  ],
  // Transfer-Encoding
  ["COMP-CHUNKED-BODY", "9112 7.1", "a chunk", chunked("5\r\nhello\r\n0\r\n\r\n"), [bytes(5)]],
  [
    "COMP-CHUNKED-MULTI",
    "9112 7.1",
    "two chunks",
    chunked("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"),
    [bytes(11)],
  ],
  ["COMP-CHUNKED-EMPTY", "9112 7.1", "no chunk", chunked("0\r\n\r\n"), [bytes(0)]],
  [
    "COMP-CHUNKED-HEX-UPPERCASE",
    "9112 7.1",
    "a size of A",
    chunked("A\r\nhelloworld\r\n0\r\n\r\n"),
    [bytes(10)],
  ],
  [
    "llhttp-te-triple-zero",
    "9112 7.1",
    "000 as the last chunk",
    chunked("5\r\nhello\r\n000\r\n\r\n"),
    [bytes(5)],
  ],
  [
    "COMP-CHUNKED-TRAILER-VALID",
    "9112 7.1.2",
    "a trailer",
    chunked("5\r\nhello\r\n0\r\nX: a\r\n\r\n"),
    [bytes(5)],
  ],
  [
    "COMP-CHUNKED-EXTENSION",
    "9112 7.1.1",
    "a chunk extension",
    chunked("5;a=b\r\nhello\r\n0\r\n\r\n"),
    [bytes(5)],
  ],
  [
    "llhttp-te-extension-quoted",
    "9112 7.1.1",
    "a quoted chunk extension",
    chunked('5;a="b c"\r\nhello\r\n0\r\n\r\n'),
    [bytes(5)],
  ],
  [
    "COMP-CHUNKED-NO-FINAL",
    "9112 7.1",
    "no last chunk",
    chunked("5\r\nhello\r\n"),
    INCOMPLETE,
  ],
  [
    "COMP-UNKNOWN-TE-501",
    "9112 6.1",
    "a coding that is not known",
    post("Transfer-Encoding: gzip\r\n"),
    REFUSED_CODING,
  ],
  [
    "SMUG-TE-NOT-FINAL-CHUNKED",
    "9112 6.3",
    "chunked, but not last",
    post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n"),
    REFUSED_CODING,
  ],
  [
    "llhttp-te-chunkedchunked",
    "9112 6.1",
    "chunkedchunked",
    post("Transfer-Encoding: chunkedchunked\r\n", "0\r\n\r\n"),
    REFUSED_CODING,
  ],
  [
    "llhttp-te-pigeons",
    "9112 6.1",
    "pigeons",
    post("Transfer-Encoding: pigeons\r\n"),
    REFUSED_CODING,
  ],
  [
    "SMUG-TE-SP-BEFORE-COLON",
    "9112 5.1",
    "a space before the colon of a coding",
    post("Transfer-Encoding : chunked\r\nContent-Length: 5\r\n", "hello"),
    BAD_REQUEST,
  ],
  ...[
    ["SMUG-TE-XCHUNKED", "xchunked"],
    ["SMUG-TE-IDENTITY", "identity"],
    ["SMUG-TE-EMPTY-VALUE", ""],
    ["SMUG-TE-VTAB", "\x0bchunked"],
    ["SMUG-TE-FORMFEED", "\x0cchunked"],
    ["SMUG-TE-NULL", "chunked\0"],
    ["SMUG-CHUNKED-WITH-PARAMS", "chunked;a=b"],
  ].map(([id = "", coding]): Row => [
    id,
    "9112 6.1",
    `the coding ${JSON.stringify(coding)} and a length`,
    post(`Transfer-Encoding: ${coding}\r\nContent-Length: 5\r\n`, "hello"),
    REFUSED_CODING,
  ]),
  [
    "SMUG-TE-OBS-FOLD",
    "9112 5.2",
    "a folded coding and a length",
    post("Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n", "hello"),
    CLOSED_AFTER,
  ],
  [
    "SMUG-TE-HTTP10",
    "9112 6.1",
    "a coding in HTTP/1.0",
    `POST /upload HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    CLOSED_AFTER,
  ],
  [
    "SMUG-TE-DUPLICATE-HEADERS",
    "9112 6.1",
    "two codings and a length",
    post(
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n",
      "hello",
    ),
    REFUSED_CODING,
  ],
  [
    "NORM-UNDERSCORE-TE",
    "9110 5.1",
    "Transfer_Encoding, which is another name",
    post("Content-Length: 5\r\nTransfer_Encoding: chunked\r\n", "hello"),
    [...REJECTED, bytes(5)],
  ],
  // Both lengths
  [
    "SMUG-CLTE-CONN-CLOSE",
    "9112 6.1",
    "a length, then chunks: no response to a second request",
    post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${SMUGGLED}`),
    CLOSED_AFTER,
  ],
  [
    "SMUG-TECL-CONN-CLOSE",
    "9112 6.1",
    "chunks, then a length: no response to a second request",
    post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${SMUGGLED}`),
    CLOSED_AFTER,
  ],
  [
    "SMUG-CLTE-DESYNC",
    "9112 6.1",
    "a length of one byte more than the chunks",
    post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nX"),
    CLOSED_AFTER,
  ],
  [
    "SMUG-TECL-SMUGGLED-GET",
    "9112 6.1",
    "a length that ends within the chunk",
    post(
      "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
      `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
    ),
    CLOSED_AFTER,
  ],
  [
    "SMUG-CLTE-SMUGGLED-GET-CL-PLUS",
    "9112 6.1",
    "chunks, a length of +5 and a second request",
    post("Content-Length: +5\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${SMUGGLED}`),
    CLOSED_AFTER,
  ],
  [
    "SMUG-CLTE-SMUGGLED-GET-TE-CASE-MISMATCH",
    "9112 6.1",
    "Chunked with a capital, a length and a second request",
    post("Content-Length: 5\r\nTransfer-Encoding: Chunked\r\n", `0\r\n\r\n${SMUGGLED}`),
    CLOSED_AFTER,
  ],
  [
    "SMUG-CLTE-SMUGGLED-GET-TE-LEADING-COMMA",
    "9112 6.1",
    '", chunked", a length and a second request',
    post("Content-Length: 5\r\nTransfer-Encoding: , chunked\r\n", `0\r\n\r\n${SMUGGLED}`),
    CLOSED_AFTER,
  ],
  // Chunks
  ...([
    ["SMUG-CHUNK-BARE-SEMICOLON", "7.1.1", "5;\r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-EXT-INVALID-TOKEN", "7.1.1", "5;a[=b\r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-EXT-CTRL", "7.1.1", "5;a\0\r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-EXT-CR", "2.2", "5;a\rb\r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-HEX-PREFIX", "7.1", "0x5\r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-SIZE-PLUS", "7.1", "+5\r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-NEGATIVE", "7.1", "-1\r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-UNDERSCORE", "7.1", "1_0\r\nhello world 1234\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-LEADING-SP", "7.1", " 5\r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-SIZE-TRAILING-OWS", "7.1", "5 \r\nhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-MISSING-TRAILING-CRLF", "7.1", "5\r\nhello0\r\n\r\n"],
    ["SMUG-CHUNK-SPILL", "7.1", "5\r\nhello!!\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-BARE-CR-TERM", "2.2", "5\rhello\r\n0\r\n\r\n"],
    ["SMUG-CHUNK-INVALID-SIZE-DESYNC", "7.1", `+0\r\n\r\n${SMUGGLED}`],
    ["MAL-CHUNK-SIZE-OVERFLOW", "7.1", "FFFFFFFFFFFFFFFF0\r\nhello\r\n0\r\n\r\n"],
    ["llhttp-te-no-semicolon", "7.1.1", "2 erfrferferf\r\naa\r\n0\r\n\r\n"],
    ["llhttp-te-unbalanced-quotes", "7.1.1", '5;a="b\r\nhello\r\n0\r\n\r\n'],
    ["llhttp-te-size-not-hex", "7.1", "5z\r\nhello\r\n0\r\n\r\n"],
  ] as const).map(([id, section, body]): Row => [
    id,
    `9112 ${section}`,
    `the chunks ${JSON.stringify(body.slice(0, 24))}`,
    chunked(body),
    REJECTED,
  ]),
  // Trailers must not act as header fields
  ...["Content-Length: 50", "Transfer-Encoding: gzip", "Host: other", "Authorization: a"].map(
    (field): Row => [
      `SMUG-TRAILER-${{ C: "CL", T: "TE", H: "HOST", A: "AUTH" }[field[0] ?? ""]}`,
      "9110 6.5.1",
      `${field.split(":")[0]} as a trailer changes nothing`,
      chunked(`5\r\nhello\r\n0\r\n${field}\r\n\r\n`),
      [...REJECTED, bytes(5)],
    ],
  ),
  // Bodies must not be read as requests
  [
    "SMUG-GET-CL-BODY-DESYNC",
    "9112 6",
    "the body of a GET is no request",
    get("/", `${HOST}Content-Length: ${SMUGGLED.length}\r\n`) + SMUGGLED,
    [...REJECTED, { status: "2xx", lacks: /ts/ }],
  ],
  [
    "SMUG-HEAD-CL-BODY",
    "9112 6",
    "the body of a HEAD is no request",
    `HEAD / HTTP/1.1\r\n${HOST}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    [...REJECTED, { status: "2xx", lacks: /ts/ }],
  ],
  // Methods and responses
  [
    "COMP-HEAD-NO-BODY",
    "9110 9.3.2",
    "HEAD has no body",
    `HEAD / HTTP/1.1\r\n${HOST}\r\n`,
    [{ status: "2xx", has: /\r\n\r\n$/ }],
  ],
  [
    "COMP-405-ALLOW",
    "9110 15.5.6",
    "405 names the methods",
    `DELETE / HTTP/1.1\r\n${HOST}\r\n`,
    [{ status: "405", has: /\r\nallow: [A-Z]/i }],
  ],
  [
    "COMP-DATE-HEADER",
    "9110 6.6.1",
    "a Date in the format of IMF-fixdate (COMP-DATE-FORMAT)",
    get("/"),
    [ok(
      /\r\ndate: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/i,
    )],
  ],
  [
    "COMP-NO-1XX-HTTP10",
    "9110 15.2",
    "HTTP/1.0 gets no 100",
    `POST /upload HTTP/1.0\r\n${HOST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\nhello`,
    [{ status: "2xx", lacks: /HTTP\/1\.\d 1\d\d/ }],
  ],
  [
    "SMUG-EXPECT-100-CL",
    "9110 10.1.1",
    "100 before the body that waits for it",
    [post("Expect: 100-continue\r\nContent-Length: 5\r\n"), "hello"],
    [ok(/^HTTP\/1\.1 100 [^]*"bytes":5,/)],
  ],
  [
    "COMP-RANGE-POST",
    "9110 14.2",
    "a Range is for GET alone",
    post("Content-Length: 5\r\nRange: bytes=0-1\r\n", "hello"),
    [{ status: "200" }],
  ],
  // Connections and upgrades
  [
    "COMP-CONNECTION-CLOSE",
    "9112 9.6",
    "closed when asked to",
    get("/", `${HOST}Connection: close\r\n`),
    [{ status: "2xx", closes: true }],
  ],
  [
    "llhttp-connection-keep-alive",
    "9112 9.3",
    "kept open otherwise",
    get("/"),
    [{ status: "2xx", closes: false }],
  ],
  [
    "COMP-UPGRADE-POST",
    "6455 4.1",
    "a WebSocket by POST",
    `POST /echo HTTP/1.1\r\n${HOST}${upgrade()}Content-Length: 0\r\n\r\n`,
    [{ status: "4xx" }],
  ],
  [
    "COMP-UPGRADE-MISSING-CONN",
    "9110 7.8",
    "an Upgrade without Connection",
    get("/echo", HOST + upgrade().replace("Connection: Upgrade\r\n", "")),
    [{ status: "4xx" }],
  ],
  [
    "COMP-UPGRADE-UNKNOWN",
    "9110 7.8",
    "an Upgrade to what is not known",
    get("/", `${HOST}Connection: Upgrade\r\nUpgrade: fish/1.0\r\n`),
    [ok()],
  ],
  [
    "COMP-UPGRADE-INVALID-VER",
    "6455 4.4",
    "version 99 of WebSocket",
    get("/echo", HOST + upgrade().replace("13", "99")),
    [{ status: "426", has: /\r\nsec-websocket-version: *13\r\n/i }, { status: "400" }],
  ],
  [
    "COMP-UPGRADE-HTTP10",
    "9110 7.8",
    "an Upgrade in HTTP/1.0",
    `GET /echo HTTP/1.0\r\n${HOST}${upgrade()}\r\n`,
    [{ status: "4xx" }],
  ],
  // Sizes
  [
    "MAL-LONG-HEADER-VALUE",
    "9110 5.4",
    "a value of 100 KiB",
    get("/", `${HOST}X: ${"a".repeat(HUGE)}\r\n`),
    TOO_LARGE,
  ],
  [
    "MAL-LONG-HEADER-NAME",
    "9110 5.4",
    "a name of 100 KiB",
    get("/", `${HOST}${"a".repeat(HUGE)}: b\r\n`),
    TOO_LARGE,
  ],
  [
    "MAL-MANY-HEADERS",
    "9110 5.4",
    "10,000 fields",
    get("/", HOST + "a: b\r\n".repeat(10_000)),
    TOO_LARGE,
  ],
  // Requests that arrive in two parts
  ...[
    ...["G", "GET ", "GET /", "GET / ", "GET / HTTP", "GET / HTTP/1.1", "GET / HTTP/1.1\r"],
    ...["", "Hos", "Host:", "Host: ", "Host: localhost", "Host: localhost\r", HOST, `${HOST}\r`]
      .map((head) => `GET / HTTP/1.1\r\n${head}`),
  ].map((piece, i): Row => [
    `h1spec-fragment-${i + 1}`,
    "9112 2.2",
    `${JSON.stringify(piece.slice(-20))}, then the rest`,
    [piece, get("/").slice(piece.length)],
    [ok()],
  ]),
];

const SHOULD: readonly Row[] = [
  [
    "RFC9112-3-MULTI-SP-REQUEST-LINE",
    "9112 3",
    "two spaces in the request line",
    `GET  / HTTP/1.1\r\n${HOST}\r\n`,
    REJECTED,
  ],
  ["COMP-REQUEST-LINE-TAB", "9112 3", "a tab", `GET\t/ HTTP/1.1\r\n${HOST}\r\n`, REJECTED],
  ["RFC9112-3.2-FRAGMENT-IN-TARGET", "9112 3.2", "a fragment", get("/#a"), REJECTED],
  ["RFC9112-2.3-HTTP09-REQUEST", "9112 2.3", "HTTP/0.9", "GET /\r\n", INCOMPLETE],
  [
    "RFC9112-2.3-INVALID-VERSION",
    "9112 2.3",
    "HTTP/9.9",
    `GET / HTTP/9.9\r\n${HOST}\r\n`,
    [...REJECTED, { status: "505" }],
  ],
  ["COMP-LEADING-CRLF", "9112 2.2", "an empty line before the request", `\r\n${get("/")}`, [ok()]],
  [
    "COMP-METHOD-CASE",
    "9110 9.1",
    "get is not GET",
    `get / HTTP/1.1\r\n${HOST}\r\n`,
    [{ status: "4xx" }, { status: "501" }],
  ],
  [
    "COMP-UNKNOWN-METHOD",
    "9110 9.1",
    "a method that is not known",
    `FISH / HTTP/1.1\r\n${HOST}\r\n`,
    [{ status: "501" }, { status: "405" }],
  ],
  [
    "COMP-METHOD-CONNECT",
    "9110 9.3.6",
    "CONNECT to an origin server",
    "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
    [{ status: "4xx" }, { status: "501" }],
  ],
  [
    "COMP-METHOD-TRACE",
    "9110 9.3.8",
    "TRACE",
    `TRACE / HTTP/1.1\r\n${HOST}\r\n`,
    [{ status: "405" }, { status: "501" }],
  ],
  [
    "COMP-TRACE-WITH-BODY",
    "9110 9.3.8",
    "TRACE with a body",
    `TRACE / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`,
    [{ status: "4xx" }, { status: "501" }],
  ],
  [
    "COMP-HTTP10-DEFAULT-CLOSE",
    "9112 9.3",
    "HTTP/1.0 is closed unless it asks otherwise",
    `GET / HTTP/1.0\r\n${HOST}\r\n`,
    [{ status: "2xx", closes: true }],
  ],
  ["COMP-CONTENT-TYPE", "9110 8.3", "a Content-Type", get("/"), [ok(/\r\ncontent-type: /i)]],
  ["COMP-LONG-URL-OK", "9112 3", "a target of 7,900 bytes", get(`/?${"a".repeat(7900)}`), [ok()]],
  ["MAL-LONG-URL", "9112 3", "a target of 100 KiB", get(`/${"a".repeat(HUGE)}`), TOO_LARGE],
  [
    "MAL-LONG-METHOD",
    "9112 3",
    "a method of 100 KiB",
    `${"A".repeat(HUGE)} / HTTP/1.1\r\n${HOST}\r\n`,
    [...REJECTED, { status: "501" }],
  ],
  [
    "MAL-BINARY-GARBAGE",
    "9112 2.2",
    "bytes that mean nothing",
    "\x00\xff\x80\r\n\x01\r\n\r\n",
    INCOMPLETE,
  ],
  ["MAL-WHITESPACE-ONLY-LINE", "9112 2.2", "white space alone", "   \r\n\r\n", INCOMPLETE],
  [
    "MAL-CHUNK-EXT-64K",
    "9112 7.1.1",
    "a chunk extension of 64 KiB",
    chunked(`5;${"a".repeat(64 * KIB)}\r\nhello\r\n0\r\n\r\n`),
    [...TOO_LARGE],
  ],
  [
    "COMP-HOST-EMPTY-VALUE",
    "9110 7.2",
    "an empty Host for a target that has an authority",
    get("http://localhost/", "Host:\r\n"),
    [...BAD_REQUEST, ok()],
  ],
];

/** All cases. */
export const HTTP1_CASES: readonly Http1Case[] = [
  ...MUST.map((row) => toCase("must", row)),
  ...SHOULD.map((row) => toCase("should", row)),
];

function toCase(level: Level, [id, rfc, what, sends, right]: Row): Http1Case {
  return { id, rfc, level, what, sends: typeof sends === "string" ? [sends] : sends, right };
}

/** Returns the header fields of a WebSocket handshake. */
function upgrade(): string {
  return "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
}
