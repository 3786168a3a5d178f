import type { KnownFailure } from "./suite.ts";

/** Deno's HTTP/1.1 parser; `Deno.serve` has used it since Deno 2.8.3. */
const DENO_HTTP = "https://github.com/denoland/deno/blob/main/libs/http_h1";

/** Returns the ids of a group from one number to another. */
function numbered(group: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_id, i) => `${group}.${first + i}`);
}

/** Known failures, each with the reason and the project that would have to change. */
export const KNOWN: readonly KnownFailure[] = [
  {
    suite: "http1",
    cases: ["RFC9112-7.1-MISSING-HOST"],
    owner: "Deno",
    why: "Deno accepts HTTP/1.1 requests that have neither a body nor Host",
    link: "https://github.com/denoland/deno/issues/26554",
  },
  {
    suite: "http1",
    cases: ["COMP-HOST-WITH-USERINFO", "COMP-HOST-WITH-PATH", "SMUG-MULTIPLE-HOST-COMMA"],
    owner: "Deno",
    why: "Deno does not validate the value of Host",
    link: "https://github.com/denoland/deno/pull/36481",
  },
  {
    suite: "http1",
    cases: ["SMUG-CHUNK-LEADING-SP", "SMUG-CHUNK-SIZE-TRAILING-OWS"],
    owner: "Deno",
    why: "Deno ignores white space around a chunk size",
    link: `${DENO_HTTP}/protocol.rs`,
  },
  {
    suite: "http1",
    cases: [
      "SMUG-CHUNK-BARE-SEMICOLON",
      "SMUG-CHUNK-EXT-INVALID-TOKEN",
      "llhttp-te-unbalanced-quotes",
    ],
    owner: "Deno",
    why: "Deno refuses only control characters in chunk extensions",
    link: `${DENO_HTTP}/protocol.rs`,
  },
  {
    suite: "http1",
    cases: ["MAL-NON-ASCII-URL", "RFC9112-3.2-FRAGMENT-IN-TARGET"],
    owner: "Deno",
    why: "Deno checks only the first character of a target, and the router then returns 404",
    link: `${DENO_HTTP}/parse.rs`,
  },
  {
    suite: "http1",
    cases: ["COMP-NO-1XX-HTTP10"],
    owner: "Deno",
    why: "Deno sends 100 Continue in HTTP/1.0 too",
    link: `${DENO_HTTP}/parse.rs`,
  },
  {
    suite: "http1",
    cases: ["COMP-OPTIONS-STAR"],
    owner: "Stampede",
    why: "OPTIONS * returns 404, because it is not a route",
  },
  {
    suite: "http1",
    cases: ["COMP-UPGRADE-HTTP10"],
    owner: "Deno",
    why: "Deno upgrades HTTP/1.0 requests, and a Request does not contain its version",
    link: "https://github.com/denoland/deno/pull/34446",
  },
  {
    suite: "autobahn",
    cases: ["7.3.6"],
    owner: "Deno",
    why: "Deno refuses pings above 125 bytes, but not close frames",
    link: "https://github.com/denoland/fastwebsockets/blob/main/src/lib.rs",
  },
  {
    suite: "autobahn",
    cases: [
      ...numbered("9.1", 2, 6),
      ...numbered("9.2", 2, 6),
      ...numbered("9.3", 1, 9),
      ...numbered("9.4", 1, 9),
      ...numbered("9.5", 1, 6),
      ...numbered("9.6", 1, 6),
    ],
    owner: "Stampede",
    why: "by the contract of /echo, a message above 64 KiB causes 1009",
    problem: /closed with 1009$/,
  },
  {
    suite: "tls",
    cases: ["version-alert"],
    owner: "Deno",
    why: "rustls requires signature_algorithms before it checks the version: handshake_failure",
    link: "https://github.com/rustls/rustls/issues/1364",
  },
  {
    suite: "sslyze",
    cases: ["mozilla/certificate_path_validation"],
    owner: "Stampede",
    why: "the certificate is self-signed: it is made for one run",
  },
];
