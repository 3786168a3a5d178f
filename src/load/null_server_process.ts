/**
 * A server that sends the same bytes in response to everything: the smallest possible work.
 *
 * It reads the response as one line from standard input, and prints its port as one line. Its
 * arguments are a number of microseconds to compute before each response, one at a time, and its
 * address, which is the loopback interface's by default.
 *
 * It takes each read as one request. Two conditions make that correct: a generator waits for each
 * response, and a request fits into one segment of the interface. If the variable `ALPN`
 * is `h2`, frames have to be parsed, so Deno's own server answers.
 */
import { TextLineStream } from "../process/child.ts";

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
const { value: line = "" } = await lines.getReader().read();
/** The response; its header fields include none of the framing. */
type Canned = { readonly status: number; headers: [string, string][]; readonly text: string };
const { status, headers, text }: Canned = JSON.parse(line);
const head = [
  `HTTP/1.1 ${status} OK`,
  ...headers.map(([name, value]) => `${name}: ${value}`),
  `content-length: ${new TextEncoder().encode(text).length}`,
  "connection: keep-alive", // without it, ab speaks HTTP/1.0 and waits for the connection to close
];
const response = new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${text}`);
const serviceMs = Number(Deno.args[0] ?? 0) / 1000;

/** Spins by the clock, so that every request takes the same time. */
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
    // The generator has closed the connection.
  } finally {
    connection.close();
  }
}

// deno-lint-ignore no-console -- standard output is its interface
const tell = ({ port }: Deno.NetAddr): void => console.log(port);

const place = { hostname: Deno.args[1] ?? "127.0.0.1", port: 0 };
const [cert, key] = ["TLS_CERT", "TLS_KEY"].map((name) => Deno.env.get(name));
const tls = cert && key && { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };
if (tls && Deno.env.get("ALPN") === "h2") {
  Deno.serve({ ...place, ...tls, onListen: tell }, () => {
    if (serviceMs > 0) compute();
    return new Response(text, { status, headers });
  });
} else {
  const listener = tls ? Deno.listenTls({ ...place, ...tls }) : Deno.listen(place);
  tell(listener.addr);
  for await (const connection of listener) serve(connection);
}
