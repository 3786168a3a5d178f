import { match, ok, strictEqual } from "node:assert/strict";

const MAIN = new URL("./main.ts", import.meta.url).pathname;
/** Limit of open files of the server: fewer than the test opens connections. */
const MAX_FILES = 64;

/** Returns a port on which nothing listens. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/**
 * Repeats a request until it is answered.
 *
 * @returns the text.
 */
async function answered(url: string): Promise<string> {
  for (;;) {
    try {
      return await (await fetch(url)).text();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

Deno.test({
  name: "a server with more connections than it may have open files goes on",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    const port = freePort();
    const server = new Deno.Command("sh", {
      args: ["-c", `ulimit -n ${MAX_FILES}; exec "$0" run -A "$1"`, Deno.execPath(), MAIN],
      env: { PORT: String(port), CPU_WORKERS: "1" },
      stderr: "piped",
    }).spawn();
    const url = `http://127.0.0.1:${port}/`;
    strictEqual(await answered(url), "Hello world");
    const connections: Deno.Conn[] = [];
    try {
      while (connections.length < 2 * MAX_FILES) {
        connections.push(await Deno.connect({ hostname: "127.0.0.1", port }));
      }
    } catch {
      // The server does not listen for a moment.
    }
    for (const connection of connections) connection.close();
    ok(connections.length > 10);
    strictEqual(await answered(url), "Hello world");
    server.kill("SIGTERM");
    const { code, stderr } = await server.output();
    strictEqual(code, 0);
    match(
      new TextDecoder().decode(stderr),
      /^Cannot accept connections, trying again: Too many open files/m,
    );
  },
});
