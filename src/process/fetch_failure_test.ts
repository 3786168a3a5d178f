import { match, strictEqual } from "node:assert/strict";
import { explainFetchFailure } from "./fetch_failure.ts";

/**
 * Real outputs: no network, an unreachable proxy, an unknown certificate authority, or a registry that
 * refuses.
 */
const OUTPUTS: readonly (readonly [output: string, explanation: RegExp])[] = [
  [
    `npm error code EAI_AGAIN
npm error syscall getaddrinfo
npm error errno EAI_AGAIN
npm error request to https://registry.example.org/zod failed, reason: getaddrinfo EAI_AGAIN registry.example.org
npm error A complete log of this run can be found in: /home/a/.npm/_logs/debug-0.log`,
    /^npm could not fetch zod from registry\.example\.org: getaddrinfo EAI_AGAIN.*HTTPS_PROXY.*NODE_EXTRA_CA_CERTS.*npm_config_registry$/,
  ],
  [
    `npm error FetchError: request to https://registry.example.org/@fastify%2fstatic failed, reason: connect ECONNREFUSED 127.0.0.1:9`,
    /^npm could not fetch @fastify\/static from registry\.example\.org: connect ECONNREFUSED 127\.0\.0\.1:9\. /,
  ],
  [
    `Download https://registry.example.org/hono
error: Failed caching npm package 'hono@4.13.19'

Caused by:
    0: error sending request for url (https://registry.example.org/hono/-/hono-4.13.19.tgz): client error (Connect): dns error: failed to lookup address information: Temporary failure in name resolution
    1: client error (Connect)`,
    /^Deno could not fetch hono@4\.13\.19 from registry\.example\.org: dns error.*DENO_CERT.*NPM_CONFIG_REGISTRY$/,
  ],
  [
    `error: Failed caching npm package 'xtend@4.0.2'

Caused by:
    0: error sending request for url (https://registry.example.org/xtend/-/xtend-4.0.2.tgz): client error (Connect): invalid peer certificate: UnknownIssuer`,
    /^Deno could not fetch xtend@4\.0\.2 from registry\.example\.org: invalid peer certificate: UnknownIssuer\. /,
  ],
  [
    `Download http://127.0.0.1:9/one
error: error sending request for url (http://127.0.0.1:9/one): client error (Connect): tcp connect error: Connection refused (os error 111)`,
    /^Deno could not fetch one from 127\.0\.0\.1:9: tcp connect error: /,
  ],
  [
    `Download https://me:s3cret@registry.example.org/one
error: Failed caching npm package 'one@1.0.0'

Caused by:
    Bad response: 401`,
    /^Deno could not fetch one@1\.0\.0 from registry\.example\.org: Bad response: 401\. /,
  ],
  [
    `WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f175e267d90>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/annotated-types/
ERROR: Could not find a version that satisfies the requirement annotated-types==0.8.0 (from versions: none)
ERROR: No matching distribution found for annotated-types==0.8.0`,
    /^pip could not fetch annotated-types==0\.8\.0 from its registry: Failed to establish a new connection: \[Errno -3\] Temporary failure in name resolution\. .*PIP_CERT.*PIP_INDEX_URL$/,
  ],
  [
    `WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)'))': /simple/flask/
ERROR: No matching distribution found for flask==3.1.3`,
    /^pip could not fetch flask==3\.1\.3 from its registry: \[SSL: CERTIFICATE_VERIFY_FAILED\] .*\(_ssl\.c:1006\)\. /,
  ],
  [
    `go: downloading github.com/gin-gonic/gin v1.12.0
gin/handlers.go:7:2: github.com/gin-gonic/gin@v1.12.0: Get "https://proxy.example.org/github.com/gin-gonic/gin/@v/v1.12.0.zip": proxyconnect tcp: dial tcp 127.0.0.1:9: connect: connection refused`,
    /^Go could not fetch github\.com\/gin-gonic\/gin@v1\.12\.0 from proxy\.example\.org: proxyconnect tcp: .*GOPROXY$/,
  ],
  [
    `warning: spurious network error (1 try remaining): [6] Could not resolve hostname (Could not resolve host: index.example.org)
error: failed to get \`askama\` as a dependency of package \`shared v0.1.0 (/tmp/shared)\`

Caused by:
  failed to download from \`https://index.example.org/config.json\`

Caused by:
  [6] Could not resolve hostname (Could not resolve host: index.example.org)`,
    /^Cargo could not fetch askama from index\.example\.org: \[6\] Could not resolve hostname.*CARGO_HTTP_CAINFO.*config\.toml$/,
  ],
  [
    `[ERROR] Non-resolvable import POM: Could not transfer artifact org.springframework.boot:spring-boot-dependencies:pom:4.1.2 from/to central (https://repo.example.org/maven2): transfer failed for https://repo.example.org/maven2/org/a.pom @ line 13, column 19`,
    /^Maven could not fetch org\.springframework\.boot:spring-boot-dependencies:pom:4\.1\.2 from repo\.example\.org: transfer failed for .*settings\.xml.*trustStore/,
  ],
];

Deno.test("a failed download names package, registry, cause and settings", () => {
  for (const [output, explanation] of OUTPUTS) {
    match(explainFetchFailure(output) ?? "", explanation);
  }
});

Deno.test("a failure that is no download is not explained as one", () => {
  strictEqual(explainFetchFailure("main.ts:3: error: unexpected token"), null);
  strictEqual(explainFetchFailure(""), null);
});
