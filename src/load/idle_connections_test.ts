import { rejects, strictEqual } from "node:assert/strict";
import { IdleConnections } from "./idle_connections.ts";

const signal = new AbortController().signal;

Deno.test("idle connections are open until they are reset", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const connections = new IdleConnections(`http://127.0.0.1:${port}`);
  await connections.open(2, signal);
  await connections.open(3, signal);
  strictEqual(connections.count, 3);
  const accepted = await Promise.all([1, 2, 3].map(() => listener.accept()));
  connections[Symbol.dispose]();
  for (const one of accepted) {
    await rejects(one.read(new Uint8Array(1)), Deno.errors.ConnectionReset);
    one.close();
  }
  listener.close();
});

Deno.test("a server that accepts no more is a failure that counts", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  using connections = new IdleConnections(`http://127.0.0.1:${port}`);
  await rejects(connections.open(5, signal), /^Failure: It accepted 0 of 5 idle connections/);
});

Deno.test("a server that accepts nothing is a failure after two seconds", async () => {
  // Beyond its queue of one, Linux lets connections wait
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 1 });
  using connections = new IdleConnections(`http://127.0.0.1:${listener.addr.port}`);
  await rejects(connections.open(50, signal), /^Failure: It accepted \d of 50 idle .*not in 2 s/);
});

Deno.test("connections that are being opened end with the signal", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 1 });
  using connections = new IdleConnections(`http://127.0.0.1:${listener.addr.port}`);
  const stop = AbortSignal.timeout(300);
  await rejects(connections.open(50, stop), { name: "TimeoutError" });
});
