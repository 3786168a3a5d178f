import "reflect-metadata";
import {
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

const HOUR_MS = 3_600_000;
/** Validity in milliseconds: longer than any run. A leaked key is useless after that. */
const VALID_MS = 7 * 24 * HOUR_MS;
/** The algorithm of most certificates on the web. */
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Makes a self-signed certificate for servers on this machine, and its key, as PEM texts. */
export async function makeCertificate(
  nowMs: number = Date.now(),
): Promise<{ readonly cert: string; readonly key: string }> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
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
