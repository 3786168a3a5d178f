/**
 * A server that answers the same bytes to all that comes, without parsing it: the least that a load
 * generator can be asked to wait for. Reads the answer as one line, base64; says its port as one line.
 * With a number as its argument it computes for so many microseconds before each answer, one at a time.
 *
 * A request is what one read brings: right for a generator that waits for each answer before it sends
 * the next request, and whose requests fit into one segment of the loopback interface.
 */
import { TextLineStream } from "../process/lines.ts";

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
const { value: line = "" } = await lines.getReader().read();
const answer = Uint8Array.fromBase64(line);
const serviceMs = Number(Deno.args[0] ?? 0) / 1000;

/** By the clock, so that each takes equally long. */
function compute(): void {
  const endMs = performance.now() + serviceMs;
  while (performance.now() < endMs);
}

async function serve(connection: Deno.TcpConn): Promise<void> {
  const request = new Uint8Array(64 * 1024);
  try {
    connection.setNoDelay(true);
    while (await connection.read(request) !== null) {
      if (serviceMs > 0) compute();
      for (let sent = 0; sent < answer.length;) {
        sent += await connection.write(answer.subarray(sent));
      }
    }
  } catch {
    // The generator has gone.
  } finally {
    connection.close();
  }
}

const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
// deno-lint-ignore no-console -- its standard output is its answer
console.log(listener.addr.port);
for await (const connection of listener) serve(connection);
