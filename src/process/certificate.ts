import "reflect-metadata";
import {
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** A certificate and its key, as texts in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const HOUR_MS = 3_600_000;
/** Longer than any run; beyond that a key that has got out is of no use. */
const VALID_MS = 7 * 24 * HOUR_MS;
/** As most certificates of the web have now. */
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Makes a certificate for servers on this machine, which signs itself. */
export async function makeCertificate(nowMs: number = Date.now()): Promise<Certificate> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // One that others have too would look like a broken signature
    name: `CN=Stampede ${crypto.randomUUID()}`,
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(nowMs - HOUR_MS), // clocks are not all the same
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
