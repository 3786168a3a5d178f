/** A TCP port that was free a moment ago. */
export function freePort(hostname = "127.0.0.1"): number {
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
