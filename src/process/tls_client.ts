/**
 * What this process speaks over TLS, and whom it trusts: one state for all of it, as in every library of
 * TLS, since what opens connections lies far apart.
 */
import { join } from "node:path";
import { Failure } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import type { Alpn } from "../model/tls.ts";

/** How servers that are started here are spoken to over TLS. */
export interface TlsInUse {
  readonly alpn: Alpn;
  /** The certificate, and its key, as texts in PEM. */
  readonly cert: string;
  readonly key: string;
  /** Their files. */
  readonly certPath: string;
  readonly keyPath: string;
  /** The file of all certificates that are trusted beside the system's. */
  readonly trustPath: string;
}

let inUse: TlsInUse | null = null;

/** Servers are started with TLS, and trusted, until this is disposed. */
export function useTls(tls: TlsInUse): Disposable {
  inUse = tls;
  return { [Symbol.dispose]: () => void (inUse = null) };
}

/** Makes a certificate, with its files in a folder, and what servers are told of it. */
export async function prepareTls(alpn: Alpn, folder: string): Promise<TlsInUse> {
  const { makeCertificate } = await import("./certificate.ts"); // a tenth of a second, seldom needed
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

/** How servers that are started here are spoken to; null: without TLS. */
export function tlsInUse(): TlsInUse | null {
  return inUse;
}

/** A client of `fetch` that trusts those servers, and speaks what the load does. */
export function httpClient(options: { poolMaxIdlePerHost?: number } = {}): Deno.HttpClient {
  if (inUse === null) return Deno.createHttpClient(options);
  const isH2 = inUse.alpn === "h2";
  return Deno.createHttpClient({ ...options, caCerts: [inUse.cert], http1: !isH2, http2: isH2 });
}

/**
 * Opens a connection over TLS for HTTP/1.1, and shakes hands.
 *
 * @throws {Failure} if the certificate is not trusted.
 */
export async function connectTls(
  address: { readonly hostname: string; readonly port: number },
): Promise<Deno.TlsConn> {
  const own = inUse === null ? {} : { caCerts: [inUse.cert] };
  const socket = await Deno.connect(address);
  // Or else the end of the handshake waits 40 ms for a server that is slow to acknowledge
  socket.setNoDelay(true);
  try {
    const connection = await Deno.startTls(socket, { hostname: address.hostname, ...own });
    await connection.handshake();
    return connection;
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes("certificate")) throw error;
    throw new Failure(
      `The certificate of ${address.hostname}:${address.port} is not trusted (${message}): name the file of its authority by DENO_CERT`,
    );
  }
}

/** Variables by which another process of Deno trusts those servers. */
export function trustingEnv(): Record<string, string> {
  return inUse === null ? {} : { DENO_CERT: inUse.trustPath };
}
