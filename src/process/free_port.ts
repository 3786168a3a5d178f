/**
 * Ports that no system takes for the outgoing end of a connection: there a port that was free a moment ago
 * may be anybody's in the next one, while a load opens thousands of connections.
 * https://www.rfc-editor.org/rfc/rfc6335#section-6, and Linux: 32768 to 60999
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
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
