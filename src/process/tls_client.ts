/**
 * TLS settings of this process: the protocol, and the trusted certificates. They are global,
 * because many unrelated functions open connections.
 */
import { join } from "node:path";
import { Failure } from "../model/errors.ts";
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

/** Switches TLS on, for servers that start from now on, until the result is disposed. */
export function useTls(tls: TlsInUse): Disposable {
  inUse = tls;
  return { [Symbol.dispose]: () => void (inUse = null) };
}

/** Makes a certificate and its files in a folder. */
export async function prepareTls(alpn: Alpn, folder: string): Promise<TlsInUse> {
  const { makeCertificate } = await import("./certificate.ts"); // loading it takes 0.1 s and is rarely needed
  const { cert, key } = await makeCertificate();
  const [certPath, keyPath, trustPath] = ["cert.pem", "key.pem", "trust.pem"]
    .map((name) => join(folder, name)) as [string, string, string];
  const others = Deno.env.get("DENO_CERT");
  const trusted = others === undefined ? "" : await readInputFile(others, "certificate");
  await Deno.writeTextFile(certPath, cert);
  await Deno.writeTextFile(keyPath, key, { mode: 0o600 });
  await Deno.writeTextFile(trustPath, cert + trusted);
  return { alpn, cert, key, certPath, keyPath, trustPath };
}

/** Returns the current TLS settings; null: without TLS. */
export function tlsInUse(): TlsInUse | null {
  return inUse;
}

/** Returns a client for `fetch` that trusts Stampede's servers and uses the load's HTTP version. */
export function httpClient(options: { poolMaxIdlePerHost?: number } = {}): Deno.HttpClient {
  if (inUse === null) return Deno.createHttpClient(options);
  const isH2 = inUse.alpn === "h2";
  return Deno.createHttpClient({ ...options, caCerts: [inUse.cert], http1: !isH2, http2: isH2 });
}

/** Opens a TLS connection for HTTP/1.1. Throws a `Failure` if the certificate is not trusted. */
export async function connectTls(
  address: { readonly hostname: string; readonly port: number },
): Promise<Deno.TlsConn> {
  const trust = inUse === null ? {} : { caCerts: [inUse.cert] };
  const socket = await Deno.connect(address);
  // Otherwise the end of the handshake waits 40 ms for a delayed acknowledgement
  socket.setNoDelay(true);
  try {
    const connection = await Deno.startTls(socket, { hostname: address.hostname, ...trust });
    await connection.handshake();
    return connection;
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes("certificate")) throw error;
    throw new Failure(
      `The certificate of ${address.hostname}:${address.port} is not trusted (${message}): set DENO_CERT to the file of its certificate authority`,
    );
  }
}

/** Returns the variables that make another Deno process trust the servers that Stampede starts. */
export function trustingEnv(): Record<string, string> {
  return inUse === null ? {} : { DENO_CERT: inUse.trustPath };
}
