/**
 * A server that answers the same bytes to all that comes, without parsing it: the least that a load
 * generator can be asked to wait for. Reads the response as one line; says its port as one line.
 * With a number as its argument it computes for so many microseconds before each response, one at a time.
 *
 * A request is what one read brings: right for a generator that waits for each response before it sends
 * the next request, and whose requests fit into one segment of the loopback interface. Where `ALPN` says `h2`,
 * frames have to be parsed, which is left to Deno's own server.
 */
import type { CannedResponse } from "./null_server.ts";
import { TextLineStream } from "../process/lines.ts";

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
const { value: line = "" } = await lines.getReader().read();
const canned: CannedResponse = JSON.parse(line);
const response = Uint8Array.fromBase64(canned.bytes);
const serviceMs = Number(Deno.args[0] ?? 0) / 1000;

/** By the clock, so that each takes equally long. */
function compute(): void {
  const endMs = performance.now() + serviceMs;
  while (performance.now() < endMs);
}

async function serve(connection: Deno.Conn): Promise<void> {
  const request = new Uint8Array(64 * 1024);
  try {
    if ("setNoDelay" in connection) (connection as Deno.TcpConn).setNoDelay(true);
    while (await connection.read(request) !== null) {
      if (serviceMs > 0) compute();
      for (let sent = 0; sent < response.length;) {
        sent += await connection.write(response.subarray(sent));
      }
    }
  } catch {
    // The generator has gone.
  } finally {
    connection.close();
  }
}

/** Connections of TCP or TLS, or for HTTP/2 Deno's own server. */
function listen(): number {
  const place = { hostname: "127.0.0.1", port: 0 };
  const [cert, key] = ["TLS_CERT", "TLS_KEY"].map((name) => Deno.env.get(name));
  const tls = cert && key && { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };
  if (tls && Deno.env.get("ALPN") === "h2") {
    const { status, text } = canned;
    const headers = canned.headers.map(([name, value]): [string, string] => [name, value]);
    const served = Deno.serve({ ...place, ...tls, onListen(): void {} }, (): Response => {
      if (serviceMs > 0) compute();
      return new Response(text, { status, headers });
    });
    return served.addr.port;
  }
  const listener = tls ? Deno.listenTls({ ...place, ...tls }) : Deno.listen(place);
  take(listener);
  return listener.addr.port;
}

async function take(listener: AsyncIterable<Deno.Conn>): Promise<void> {
  for await (const connection of listener) serve(connection);
}

// deno-lint-ignore no-console -- its standard output is its response
console.log(listen());
