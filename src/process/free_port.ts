/**
 * First port of the range for servers.
 *
 * By default, Linux, macOS and Windows do not use this range for outgoing connections. A load opens
 * thousands of connections. Outside the range, one of them could take the server's port first.
 *
 * https://docs.kernel.org/networking/ip-sysctl.html (ip_local_port_range)
 */
const FIRST = 20_000;
/** Last port of the range for servers. Linux uses the next port for outgoing connections. */
const LAST = 32_767;
/** Number of random ports to try before the system chooses one. */
const TRIES = 100;

/** Returns a TCP port that is free now. If no port of the range is free, the system chooses one. */
export function freePort(hostname = "127.0.0.1"): number {
  for (let i = 0; i < TRIES; i++) {
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
