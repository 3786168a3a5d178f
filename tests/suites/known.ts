import type { KnownFailure } from "./suite.ts";

/** Deno's own parser of HTTP/1.1, which `Deno.serve` uses since Deno 2.8.3. */
const DENO_HTTP = "https://github.com/denoland/deno/blob/main/libs/http_h1";

/** Cases that fail, each with the project that would have to change and the reason. */
export const KNOWN: readonly KnownFailure[] = [
  {
    suite: "http1",
    cases: ["RFC9112-7.1-MISSING-HOST"],
    owner: "Deno",
    why: "a request without a body needs no Host",
    link: "https://github.com/denoland/deno/issues/26554",
  },
  {
    suite: "http1",
    cases: ["COMP-HOST-WITH-USERINFO", "COMP-HOST-WITH-PATH", "SMUG-MULTIPLE-HOST-COMMA"],
    owner: "Deno",
    why: "the value of Host is not checked",
    link: "https://github.com/denoland/deno/pull/36481",
  },
  {
    suite: "http1",
    cases: ["SMUG-CHUNK-LEADING-SP", "SMUG-CHUNK-SIZE-TRAILING-OWS"],
    owner: "Deno",
    why: "white space around the size of a chunk is removed",
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
    why: "chunk extensions are skipped unread, but for control characters",
    link: `${DENO_HTTP}/protocol.rs`,
  },
  {
    suite: "http1",
    cases: ["MAL-NON-ASCII-URL", "RFC9112-3.2-FRAGMENT-IN-TARGET"],
    owner: "Deno",
    why: "of a target, the first character alone is checked, so that it gets 404",
    link: `${DENO_HTTP}/parse.rs`,
  },
  {
    suite: "http1",
    cases: ["COMP-NO-1XX-HTTP10"],
    owner: "Deno",
    why: "Expect is obeyed in HTTP/1.0 too",
    link: `${DENO_HTTP}/parse.rs`,
  },
  {
    suite: "http1",
    cases: ["COMP-OPTIONS-STAR"],
    owner: "Stampede",
    why: "the server has no options beyond those of its routes, so that OPTIONS * gets 404",
  },
  {
    suite: "http1",
    cases: ["COMP-UPGRADE-MISSING-CONN", "COMP-UPGRADE-INVALID-VER", "COMP-UPGRADE-HTTP10"],
    owner: "Stampede",
    why: "of a handshake, the route checks Upgrade alone",
  },
  {
    suite: "autobahn",
    cases: ["7.3.6"],
    owner: "Deno",
    why: "only pings are refused above 125 bytes, not the frame that closes",
    link: "https://github.com/denoland/fastwebsockets/blob/main/src/lib.rs",
  },
  {
    suite: "tls",
    cases: ["version-alert"],
    owner: "Deno",
    why:
      "rustls misses signature_algorithms in old handshakes before it looks at the version, and sends the alert handshake_failure",
    link: "https://github.com/rustls/rustls/issues/1364",
  },
  {
    suite: "sslyze",
    cases: ["mozilla/certificate_path_validation"],
    owner: "Stampede",
    why: "the certificate is made for one run, and signs itself",
  },
];
