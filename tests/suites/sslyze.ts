import { Failure } from "../../src/model/errors.ts";
import { lastLineOf, runProgram } from "./program.ts";
import { pythonProgram } from "./python.ts";
import type { CaseResult, Outcome, Subject, Suite, Tools } from "./suite.ts";

/** Timeout of the scan, in seconds. */
const TIMEOUT_S = 180;
const SSLYZE_PROGRAM = pythonProgram("sslyze", "3.10");

/** TLS: versions, ciphers, curves and attacks. */
export const SSLYZE: Suite = { id: "sslyze", name: "TLS: SSLyze 6.3.1", run };

async function run({ https }: Subject, { install, makeFolder }: Tools): Promise<Outcome> {
  const installed = await install(SSLYZE_PROGRAM);
  if ("missing" in installed) return { kind: "missing", why: installed.missing };
  const file = `${await makeFolder()}/scan.json`;
  const { hostname, port } = new URL(https);
  const printed = await runProgram(
    [
      ...[`${installed.folder}/.venv/bin/sslyze`, "--json_out", file, "--early_data", "--resum"],
      ...[...STANDARD, "--mozilla_config", "intermediate", `${hostname}:${port}`],
    ],
    { timeoutS: TIMEOUT_S },
  );
  const text = await Deno.readTextFile(file).catch(() => null);
  if (text === null) throw new Failure(`SSLyze wrote no report: ${lastLineOf(printed)}`);
  return { kind: "ran", results: [...readScan(text), ...readMozilla(printed.stdout)] };
}

/** The default scans of SSLyze; naming any other one turns them off. */
const STANDARD = [
  ...["--certinfo", "--sslv2", "--sslv3", "--tlsv1", "--tlsv1_1", "--tlsv1_2", "--tlsv1_3"],
  ...["--compression", "--openssl_ccs", "--fallback", "--heartbleed", "--robot", "--reneg"],
  ...["--elliptic_curves", "--ems"],
];

type Scan = Readonly<
  Record<string, { readonly status: string; readonly result: Record<string, unknown> | null }>
>;

/** Required results, with the names of SSLyze's report. */
const DEMANDS: readonly (readonly [scan: string, what: string, field: string, value: unknown])[] = [
  ["ssl_2_0_cipher_suites", "no SSL 2.0", "is_tls_version_supported", false],
  ["ssl_3_0_cipher_suites", "no SSL 3.0", "is_tls_version_supported", false],
  ["tls_1_0_cipher_suites", "no TLS 1.0", "is_tls_version_supported", false],
  ["tls_1_1_cipher_suites", "no TLS 1.1", "is_tls_version_supported", false],
  ["tls_1_2_cipher_suites", "TLS 1.2", "is_tls_version_supported", true],
  ["tls_1_3_cipher_suites", "TLS 1.3", "is_tls_version_supported", true],
  ["tls_compression", "no compression (CRIME)", "supports_compression", false],
  ["tls_1_3_early_data", "no early data", "supports_early_data", false],
  ["openssl_ccs_injection", "no CCS injection", "is_vulnerable_to_ccs_injection", false],
  ["tls_fallback_scsv", "TLS_FALLBACK_SCSV", "supports_fallback_scsv", true],
  ["heartbleed", "no Heartbleed", "is_vulnerable_to_heartbleed", false],
  ["robot", "no ROBOT", "robot_result", "NOT_VULNERABLE_RSA_NOT_SUPPORTED"],
  ["session_renegotiation", "secure renegotiation", "supports_secure_renegotiation", true],
  [
    "session_renegotiation",
    "no renegotiation by clients",
    "is_vulnerable_to_client_renegotiation_dos",
    false,
  ],
  ["elliptic_curves", "elliptic curves", "supports_ecdh_key_exchange", true],
  ["tls_extended_master_secret", "extended master secret", "supports_ems_extension", true],
  ["session_resumption", "sessions are resumed", "session_id_resumption_result", "FULLY_SUPPORTED"],
];

/** Reads the cases of SSLyze's report. */
export function readScan(json: string): CaseResult[] {
  const { server_scan_results: [server] }: {
    server_scan_results: readonly { scan_result: Scan | null }[];
  } = JSON.parse(json);
  const scan = server?.scan_result ?? {};
  return DEMANDS.map(([name, what, field, value]) => {
    const found = scan[name];
    const has = found?.result?.[field];
    const problem = has === value
      ? null
      : found?.result
      ? `${field} is ${JSON.stringify(has)}`
      : `the scan says ${found?.status ?? "nothing"}`;
    return { id: `${name}/${field}`, what, problem };
  });
}

/** Reads the check against Mozilla's configuration "intermediate": one case per objection. */
export function readMozilla(text: string): CaseResult[] {
  const what = 'Mozilla\'s configuration "intermediate"';
  const [, verdict = ""] = text.split("COMPLIANCE AGAINST TLS CONFIGURATION");
  const objections = [...verdict.matchAll(/^ +\* (\w+): (.*)$/gm)].map((
    [, id = "", problem = ""],
  ) => ({ id: `mozilla/${id}`, what, problem }));
  if (objections.length > 0) return objections;
  const isCompliant = /OK - Compliant/.test(verdict);
  return [{ id: "mozilla", what, problem: isCompliant ? null : "there is no verdict" }];
}
