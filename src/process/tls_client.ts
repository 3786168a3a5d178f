/** TLS settings of this process. They are global, because many unrelated functions connect. */
import { join } from "node:path";
import { readInputFile } from "../model/input_file.ts";
import type { Alpn } from "../model/server.ts";

/** TLS settings of the servers that Stampede starts: PEM texts, and the paths of their files. */
interface TlsInUse {
  readonly alpn: Alpn;
  readonly cert: string;
  readonly key: string;
  readonly certPath: string;
  readonly keyPath: string;
  /** Path of the file with all certificates to trust in addition to the system's. */
  readonly trustPath: string;
}

let inUse: TlsInUse | null = null;

/** Returns the current TLS settings; null: without TLS. */
export function tlsInUse(): TlsInUse | null {
  return inUse;
}

/** Switches TLS on for servers that start before the disposal. Writes a certificate to `folder`. */
export async function useTls(alpn: Alpn, folder: string): Promise<TlsInUse & Disposable> {
  const { cert, key } = await makeCertificate();
  const [certPath, keyPath, trustPath] = ["cert.pem", "key.pem", "trust.pem"]
    .map((name) => join(folder, name)) as [string, string, string];
  const others = Deno.env.get("DENO_CERT");
  const trusted = others === undefined ? "" : await readInputFile(others, "certificate");
  await Deno.writeTextFile(certPath, cert);
  await Deno.writeTextFile(keyPath, key, { mode: 0o600 });
  await Deno.writeTextFile(trustPath, cert + trusted);
  inUse = { alpn, cert, key, certPath, keyPath, trustPath };
  return { ...inUse, [Symbol.dispose]: () => void (inUse = null) };
}

/** Returns a client for `fetch` that trusts Stampede's servers and uses the load's HTTP version. */
export function httpClient(options: { poolMaxIdlePerHost?: number } = {}): Deno.HttpClient {
  if (inUse === null) return Deno.createHttpClient(options);
  const isH2 = inUse.alpn === "h2";
  return Deno.createHttpClient({ ...options, caCerts: [inUse.cert], http1: !isH2, http2: isH2 });
}

const HOUR_MS = 3_600_000;
/** Validity in milliseconds: longer than any run. A leaked key is useless after that. */
const VALID_MS = 7 * 24 * HOUR_MS;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }; // as most certificates

/** Makes a self-signed certificate for servers on this machine, and its key, as PEM texts. */
export async function makeCertificate(): Promise<Pick<TlsInUse, "cert" | "key">> {
  await import("reflect-metadata"); // loading both takes 0.1 s and is rarely needed
  const { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } = await import(
    "@peculiar/x509"
  );
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const nowMs = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // A unique name: with a shared one, a client would report a wrong signature instead of an unknown
    // issuer
    name: `CN=Stampede ${crypto.randomUUID()}`,
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(nowMs - HOUR_MS), // clocks may differ
    notAfter: new Date(nowMs + VALID_MS),
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
        { type: "ip", value: "::1" },
      ]),
    ],
  });
  const key = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  return {
    cert: `${certificate.toString("pem")}\n`,
    key: `${PemConverter.encode(key, "PRIVATE KEY")}\n`,
  };
}
