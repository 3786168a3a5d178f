/** Certificates of a cluster: https://kubernetes.io/docs/setup/best-practices/certificates/ */
import { join } from "node:path";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
/** Validity in milliseconds: a day is longer than any test. */
const VALID_MS = 24 * 3_600_000;

/** The programs that the API server knows, with the names in their certificates. */
const CLIENTS = {
  "admin": "CN=admin, O=system:masters",
  "kube-controller-manager": "CN=system:kube-controller-manager",
  "kube-scheduler": "CN=system:kube-scheduler",
  "kube-proxy": "CN=system:kube-proxy",
};

/**
 * Writes keys and certificates (`ca.crt`, `apiserver.key`, …) to a folder, and for each client and node a file
 * for kubectl, such as `admin.conf`.
 *
 * @param server address of the API server
 * @param addresses further addresses of the API server
 */
export async function writeKeys(
  folder: string,
  nodes: readonly string[],
  server: string,
  addresses: readonly string[],
): Promise<void> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const notBefore = new Date(Date.now() - VALID_MS);
  const notAfter = new Date(Date.now() + VALID_MS);
  const write = (name: string, text: string): Promise<void> =>
    Deno.writeTextFile(join(folder, name), text, { mode: 0o600 });
  const pairOf = async (name: string): Promise<CryptoKeyPair> => {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const secret = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
    await write(`${name}.key`, x509.PemConverter.encode(secret, "PRIVATE KEY"));
    return keys;
  };
  const ca = await pairOf("ca");
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=cluster",
    keys: ca,
    signingAlgorithm: ALGORITHM,
    notBefore,
    notAfter,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  await write("ca.crt", root.toString("pem"));
  const certify = async (name: string, subject: string, isServer = false): Promise<void> => {
    const keys = await pairOf(name);
    const names = addresses.map((value) => ({ type: "ip" as const, value }));
    const use = x509.ExtendedKeyUsage[isServer ? "serverAuth" : "clientAuth"];
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: root.subject,
      publicKey: keys.publicKey,
      signingKey: ca.privateKey,
      signingAlgorithm: ALGORITHM,
      notBefore,
      notAfter,
      extensions: [
        new x509.ExtendedKeyUsageExtension([use]),
        ...isServer ? [new x509.SubjectAlternativeNameExtension(names)] : [],
      ],
    });
    await write(`${name}.crt`, certificate.toString("pem"));
  };
  await certify("apiserver", "CN=kube-apiserver", true);
  const accounts = await pairOf("service-accounts");
  const readable = await crypto.subtle.exportKey("spki", accounts.publicKey);
  await write("service-accounts.pub", x509.PemConverter.encode(readable, "PUBLIC KEY"));
  const kubelets = nodes.map((node) => [node, `CN=system:node:${node}, O=system:nodes`]);
  for (const [name = "", subject = ""] of [...Object.entries(CLIENTS), ...kubelets]) {
    await certify(name, subject);
    await write(`${name}.conf`, clientFile(folder, name, server));
  }
}

/** Returns a file for kubectl and other clients, as JSON. */
function clientFile(folder: string, name: string, server: string): string {
  const files = (kind: string): string => join(folder, `${name}.${kind}`);
  const user = { "client-certificate": files("crt"), "client-key": files("key") };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{
      name: "cluster",
      cluster: { server, "certificate-authority": join(folder, "ca.crt") },
    }],
    users: [{ name, user }],
    contexts: [{ name: "cluster", context: { cluster: "cluster", user: name } }],
    "current-context": "cluster",
  });
}
