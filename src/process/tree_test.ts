import { strictEqual } from "node:assert/strict";
import { attach } from "../target/launch.ts";
import { findListener } from "./tree.ts";

/** Prints the port that it listens on. */
const SERVER = `Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(port),
}, () => new Response("hi"))`;
const ignore = Deno.build.os !== "linux";

/**
 * Starts a process that listens on a port.
 *
 * @returns the process and the port.
 */
async function listening(): Promise<{ child: Deno.ChildProcess; port: number }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", SERVER],
    stdout: "piped",
  }).spawn();
  const { value } = await child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    .next();
  return { child, port: Number(value) };
}

Deno.test({
  name: "findListener finds the process that listens, and nobody where none does",
  ignore,
  sanitizeResources: false,
  async fn(): Promise<void> {
    const { child, port } = await listening();
    try {
      strictEqual(findListener(port), child.pid);
      const own = await attach({ origin: `http://127.0.0.1:${port}`, pid: null });
      strictEqual(own.pid, child.pid, "a URL needs no --pid");
    } finally {
      child.kill();
      await child.status;
    }
    strictEqual(findListener(port), null);
  },
});

Deno.test({
  name: "findListener takes connections for no listeners",
  ignore,
  async fn(): Promise<void> {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    strictEqual(findListener(port), Deno.pid);
    const own = await attach({ origin: `http://127.0.0.1:${port}`, pid: null });
    strictEqual(own.pid, null, "what has started Stampede is not the server");
    strictEqual(findListener((connection.localAddr as Deno.NetAddr).port), null);
    (await listener.accept()).close();
  },
});
