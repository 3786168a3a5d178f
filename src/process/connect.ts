/** Addresses, ports and connections. */
import { Failure } from "../model/errors.ts";
import { tlsInUse } from "./tls_client.ts";

/** The address of a server, and whether it uses TLS. */
interface Address {
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Parses an origin such as `http://127.0.0.1:8000`. */
export function addressOf(origin: string): Address {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  return {
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || (isTls ? 443 : 80)),
    isTls,
  };
}

/** Default time limit for opening a connection, in milliseconds: that of a response. */
export const OPENING_MS = 10_000;

/**
 * Opens a connection that sends each write at once. Throws a `Failure` for an untrusted certificate, or if the
 * TLS handshake takes longer than `limitMs` milliseconds.
 */
export async function connect(
  { hostname, port, isTls }: Address,
  limitMs = OPENING_MS,
): Promise<Deno.Conn> {
  const socket = await Deno.connect({ hostname, port });
  // Otherwise the end of a handshake waits 40 ms for a delayed acknowledgement
  socket.setNoDelay(true);
  if (!isTls) return socket;
  const tls = tlsInUse();
  const trust = tls === null ? {} : { caCerts: [tls.cert] };
  const connection = await Deno.startTls(socket, { hostname, ...trust });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    connection.close(); // ends the handshake
  }, limitMs);
  try {
    await connection.handshake();
    return connection;
  } catch (error) {
    if (isLate) {
      throw new Failure(
        `${hostname}:${port} did not finish the TLS handshake within ${limitMs / 1000} s`,
      );
    }
    connection.close();
    const { message } = error as Error;
    if (!message.includes("certificate")) throw error;
    throw new Failure(
      `The certificate of ${hostname}:${port} is not trusted (${message}): set DENO_CERT to the file of its certificate authority`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * First and last port for servers. Linux, macOS and Windows do not use them for outgoing
 * connections by default. One of the thousands of a load could otherwise take the server's port.
 * https://docs.kernel.org/networking/ip-sysctl.html (ip_local_port_range)
 */
const [FIRST, LAST] = [20_000, 32_767];
const RANDOM_TRIES = 100;
/** Ports of earlier calls. Servers that start together do not listen yet, and must not get the same one. */
const taken = new Set<number>();

/**
 * Returns a TCP port that is free now, and that none of thousands of earlier calls returned. If no port of the
 * range is free, the system chooses one.
 */
export function freePort(): number {
  const hostname = "127.0.0.1";
  if (taken.size > (LAST - FIRST) / 2) taken.clear();
  for (let i = 0; i < RANDOM_TRIES; i++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (taken.has(port)) continue;
    try {
      Deno.listen({ hostname, port }).close();
      taken.add(port);
      return port;
    } catch {
      // The port is taken or reserved
    }
  }
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
