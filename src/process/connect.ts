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

/** Opens a connection that sends each write at once. Throws a `Failure` for an untrusted certificate. */
export async function connect({ hostname, port, isTls }: Address): Promise<Deno.Conn> {
  const socket = await Deno.connect({ hostname, port });
  // Otherwise the end of a handshake waits 40 ms for a delayed acknowledgement
  socket.setNoDelay(true);
  if (!isTls) return socket;
  const tls = tlsInUse();
  try {
    const trust = tls === null ? {} : { caCerts: [tls.cert] };
    const connection = await Deno.startTls(socket, { hostname, ...trust });
    await connection.handshake();
    return connection;
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes("certificate")) throw error;
    throw new Failure(
      `The certificate of ${hostname}:${port} is not trusted (${message}): set DENO_CERT to the file of its certificate authority`,
    );
  }
}

/**
 * First and last port for servers. Linux, macOS and Windows do not use them for outgoing
 * connections by default. One of the thousands of a load could otherwise take the server's port.
 * https://docs.kernel.org/networking/ip-sysctl.html (ip_local_port_range)
 */
const [FIRST, LAST] = [20_000, 32_767];
const RANDOM_TRIES = 100;

/** Returns a TCP port that is free now. If no port of the range is free, the system chooses one. */
export function freePort(): number {
  const hostname = "127.0.0.1";
  for (let i = 0; i < RANDOM_TRIES; i++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    try {
      Deno.listen({ hostname, port }).close();
      return port;
    } catch {
      // The port is taken or reserved
    }
  }
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
