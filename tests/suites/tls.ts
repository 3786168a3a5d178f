import { type Printed, runProgram } from "./program.ts";
import type { CaseResult, Outcome, Subject, Suite, Tools } from "./suite.ts";

/** Timeout of one connection, in seconds. */
const TIMEOUT_S = 20;
/** Ciphers of a client that allows old versions and weak ciphers; OpenSSL's default does not. */
const WEAK = "ALL:COMPLEMENTOFALL:@SECLEVEL=0";
/** Output of `s_client` if the handshake failed. */
const NO_CIPHER = /Cipher is \(NONE\)/;
/** Output of `s_client` if the handshake succeeded. */
const SHAKEN = /New, TLSv1\.[23], Cipher is/;

/** A request that makes the server close the connection; messages after the handshake come before that. */
const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/** One case: options of OpenSSL's client, and its expected output. */
interface TlsCase {
  readonly id: string;
  /** Number and section of the RFC. */
  readonly rfc: string;
  readonly what: string;
  /** Options of `openssl s_client`. */
  readonly options: readonly string[];
  /** Standard input of the client. */
  readonly input?: string;
  readonly has: readonly RegExp[];
  readonly lacks?: readonly RegExp[];
}

const CASES: readonly TlsCase[] = [
  {
    id: "version-1.3",
    rfc: "8446 4.2.1",
    what: "TLS 1.3",
    options: ["-tls1_3"],
    has: [/New, TLSv1\.3/],
  },
  {
    id: "version-1.2",
    rfc: "5246 7.4.1",
    what: "TLS 1.2",
    options: ["-tls1_2"],
    has: [/New, TLSv1\.2/],
  },
  {
    id: "version-highest",
    rfc: "8446 4.1.3",
    what: "a client that speaks 1.2 and 1.3 gets 1.3",
    options: ["-min_protocol", "TLSv1.2"],
    has: [/New, TLSv1\.3/],
  },
  ...["1", "1_1"].map((version): TlsCase => ({
    id: `version-1.${version.slice(2) || 0}-refused`,
    rfc: "8996 4",
    what: `TLS 1.${version.slice(2) || 0} is refused`,
    options: [`-tls${version}`, "-cipher", WEAK],
    has: [NO_CIPHER, /alert/],
  })),
  {
    id: "version-alert",
    rfc: "5246 E.1",
    what: "an old version is refused with the alert protocol_version",
    options: ["-tls1_1", "-cipher", WEAK],
    has: [/alert protocol version/],
  },
  {
    id: "fallback-scsv",
    rfc: "7507 3",
    what: "a client that fell back to 1.2 gets the alert inappropriate_fallback",
    options: ["-tls1_2", "-fallback_scsv"],
    has: [/inappropriate fallback/],
  },
  ...["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map((cipher): TlsCase => ({
    id: `cipher-${cipher}`,
    rfc: "9325 4.2",
    what: `TLS 1.2 with ECDHE-ECDSA-${cipher}`,
    options: ["-tls1_2", "-cipher", `ECDHE-ECDSA-${cipher}`],
    has: [new RegExp(`Cipher is ECDHE-ECDSA-${cipher}`)],
  })),
  ...["AES_128_GCM_SHA256", "AES_256_GCM_SHA384", "CHACHA20_POLY1305_SHA256"].map((
    cipher,
  ): TlsCase => ({
    id: `cipher-TLS_${cipher}`,
    rfc: "8446 9.1",
    what: `TLS 1.3 with TLS_${cipher}`,
    options: ["-tls1_3", "-ciphersuites", `TLS_${cipher}`],
    has: [new RegExp(`Cipher is TLS_${cipher}`)],
  })),
  ...[
    ["null", "NULL", "without encryption"],
    ["anonymous", "aNULL", "without a certificate"],
    ["rsa", "kRSA", "without forward secrecy"],
    ["cbc", "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384", "in CBC mode"],
    ["ccm8", "ECDHE-ECDSA-AES128-CCM8", "with a short tag"],
  ].map(([id = "", ciphers = "", what = ""]): TlsCase => ({
    id: `cipher-${id}-refused`,
    rfc: "9325 4.1",
    what: `ciphers ${what} are refused`,
    options: ["-tls1_2", "-cipher", `${ciphers}:@SECLEVEL=0`],
    has: [NO_CIPHER, /alert handshake failure/],
  })),
  ...["X25519", "P-256", "P-384"].map((group): TlsCase => ({
    id: `group-${group}`,
    rfc: "8446 9.1",
    what: `a key exchange by ${group}`,
    options: ["-tls1_3", "-groups", group],
    has: [SHAKEN],
  })),
  {
    id: "group-weak-refused",
    rfc: "9325 4.3",
    what: "a key exchange by secp224r1 is refused",
    options: ["-tls1_2", "-groups", "secp224r1", "-cipher", "ALL:@SECLEVEL=0"],
    has: [NO_CIPHER, /alert handshake failure/],
  },
  {
    id: "compression",
    rfc: "9325 3.3",
    what: "no compression",
    options: ["-tls1_2", "-comp"],
    has: [SHAKEN, /Compression: NONE/],
  },
  {
    id: "renegotiation-secure",
    rfc: "5746 3.6",
    what: "TLS 1.2 offers renegotiation_info",
    options: ["-tls1_2"],
    has: [/Secure Renegotiation IS supported/],
  },
  {
    id: "renegotiation-by-client",
    rfc: "9325 3.5",
    what: "a client cannot renegotiate",
    options: ["-tls1_2"],
    input: "R\n",
    has: [/RENEGOTIATING/, /no renegotiation|alert|unexpected eof/],
  },
  {
    id: "extended-master-secret",
    rfc: "7627 5.1",
    what: "TLS 1.2 has an extended master secret",
    options: ["-tls1_2"],
    has: [/Extended master secret: yes/],
  },
  {
    id: "heartbeat",
    rfc: "6520 2",
    what: "no heartbeat is offered",
    options: ["-tls1_2", "-tlsextdebug"],
    has: [SHAKEN],
    lacks: [/heartbeat/i],
  },
  {
    id: "early-data",
    rfc: "8446 8",
    what: "no early data is accepted, which could be replayed",
    options: ["-tls1_3"],
    input: REQUEST,
    has: [SHAKEN],
    lacks: [/Max Early Data: [1-9]/],
  },
  ...["h2", "http/1.1"].map((protocol): TlsCase => ({
    id: `alpn-${protocol}`,
    rfc: "7301 3.2",
    what: `ALPN selects ${protocol}`,
    options: ["-alpn", protocol],
    has: [new RegExp(`ALPN protocol: ${protocol}`)],
  })),
  {
    id: "alpn-preference",
    rfc: "7301 3.2",
    what: "of http/1.1 and h2, ALPN selects h2",
    options: ["-alpn", "http/1.1,h2"],
    has: [/ALPN protocol: h2/],
  },
  {
    id: "alpn-unknown",
    rfc: "7301 3.2",
    what: "an unknown protocol gets the alert no_application_protocol",
    options: ["-alpn", "fish"],
    has: [/alert no application protocol/],
  },
  {
    id: "alpn-none",
    rfc: "9112 9.7",
    what: "HTTP/1.1 without ALPN",
    options: ["-tls1_3"],
    input: REQUEST,
    has: [/HTTP\/1\.1 200/],
  },
  {
    id: "certificate",
    rfc: "8446 4.4.2",
    what: "the certificate is the one that was given, for 127.0.0.1",
    options: ["-verify_return_error", "-verify_ip", "127.0.0.1"],
    has: [/Verification: OK/],
  },
];

/** Cases of TLS by OpenSSL's client. */
export const TLS: Suite = { id: "tls", name: "TLS: cases for OpenSSL's client", run };

async function run(subject: Subject, { makeFolder }: Tools): Promise<Outcome> {
  try {
    await runProgram(["openssl", "version"], { timeoutS: TIMEOUT_S });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { kind: "missing", why: "openssl not found (install OpenSSL 3, https://openssl.org)" };
  }
  const results: CaseResult[] = [];
  for (const one of CASES) results.push(await runCase(subject, one));
  const folder = await makeFolder();
  for (const version of ["1.2", "1.3"]) results.push(await resume(subject, version, folder));
  return { kind: "ran", results };
}

function connect(
  { https, certificate }: Subject,
  options: readonly string[],
  input = "",
): Promise<Printed> {
  const at = `${new URL(https).hostname}:${new URL(https).port}`;
  // Otherwise the end of its input closes the connection before the response
  const stays = input === REQUEST ? ["-ign_eof"] : [];
  return runProgram(
    ["openssl", "s_client", "-connect", at, "-CAfile", certificate, ...stays, ...options],
    { input, timeoutS: TIMEOUT_S },
  );
}

async function runCase(subject: Subject, one: TlsCase): Promise<CaseResult> {
  const { id, rfc, what, options, input, has, lacks = [] } = one;
  const { stdout, stderr } = await connect(subject, options, input);
  const said = stdout + stderr;
  const absent = has.filter((pattern) => !pattern.test(said));
  const present = lacks.filter((pattern) => pattern.test(said));
  const problem = absent.length + present.length === 0
    ? null
    : `OpenSSL says ${summaryOf(said)}; RFC ${rfc}: ` +
      [...absent, ...present.map((pattern) => `not ${pattern}`)].join(", ");
  return { id, what, problem };
}

/** Checks that a second connection resumes the session of the first one. */
async function resume(subject: Subject, version: string, folder: string): Promise<CaseResult> {
  const session = `${folder}/${version}`;
  const option = `-tls${version.replace(".", "_")}`;
  // Tickets of TLS 1.3 arrive after the handshake
  await connect(subject, [option, "-sess_out", session], REQUEST);
  const { stdout, stderr } = await connect(subject, [option, "-sess_in", session]);
  return {
    id: `session-${version}`,
    what: `a session of TLS ${version} is resumed`,
    problem: /^Reused, TLSv/m.test(stdout)
      ? null
      : `OpenSSL says ${summaryOf(stdout + stderr)}; RFC 8446 2.2`,
  };
}

/** Returns the part of the output that shows how the handshake ended. */
function summaryOf(said: string): string {
  const [alert] = said.match(/(?<=(alert|routines:\w*:))[a-z0-9 ]+(?=:)/) ?? [];
  const [cipher] = said.match(/^(New|Reused), .*$/m) ?? [];
  return `"${alert?.trim() ?? cipher ?? said.slice(0, 60)}"`;
}
