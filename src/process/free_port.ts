/**
 * Ports that Linux, macOS and Windows do not take for the outgoing end of a connection, unless they are told
 * to: there a port that was free a moment ago may be anybody's in the next one, while a load opens thousands
 * of connections. https://docs.kernel.org/networking/ip-sysctl.html (ip_local_port_range)
 */
const FIRST = 20_000;
const LAST = 32_767;
const TRIES = 100;

/** A TCP port that was free a moment ago. */
export function freePort(hostname = "127.0.0.1"): number {
  for (let i = 0; i < TRIES; i++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    try {
      Deno.listen({ hostname, port }).close();
      return port;
    } catch {
      // It is taken, or reserved
    }
  }
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
