import { rejects, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Server } from "../model/server.ts";
import { ProcessScope } from "../process/scope.ts";
import { findListener } from "../process/tree.ts";
import { attach, launch } from "./launch.ts";

const folder = fileURLToPath(new URL("./testdata/", import.meta.url));
const BARE = { env: {} };

function server(how: string, change: Partial<Server> = {}): Server {
  return {
    name: "Test",
    prepare: [],
    start: ["deno", "run", "--quiet", "-A", "server.ts", how],
    env: {},
    ready: { path: "/", timeoutS: 10 },
    folder,
    ...change,
  } as Server;
}

Deno.test("launch waits until the server answers, and stops it", async () => {
  await using scope = new ProcessScope();
  let origin: string;
  {
    await using running = await launch(scope, server("slowly"), BARE);
    origin = running.origin;
    strictEqual(await (await fetch(origin)).text(), "HOST,PORT");
  }
  await rejects(fetch(origin), TypeError);
});

Deno.test("launch says that something took the port before the server could", async () => {
  await using scope = new ProcessScope();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const at = { host: "127.0.0.1", port: taken.addr.port };
  await rejects(launch(scope, server("slowly"), { ...BARE, at }), {
    name: "Failure",
    message: /^Test ended with exit code 1 before it answered:[^]*(AddrInUse|in use)/,
  });
});

Deno.test("launch takes another port if the one that it chose is taken", async () => {
  await using scope = new ProcessScope();
  const env = { MARK: `${await scope.makeFolder()}/mark` };
  await using running = await launch(scope, server("busy-once"), { env });
  strictEqual(await (await fetch(running.origin)).text(), "HOST,PORT");
});

Deno.test("launch says what went wrong", async () => {
  await using scope = new ProcessScope();
  await rejects(launch(scope, server("end"), BARE), {
    name: "Failure",
    message: "Test ended with exit code 5 before it answered:\nno licence",
  });
  const hasty = server("never", { ready: { path: "/", timeoutS: 0.5 } });
  await rejects(launch(scope, hasty, BARE), /did not answer GET .* within 0.5 s/);
  await rejects(launch(scope, server("", { start: ["no-such-program"] }), BARE), {
    name: "Failure",
    message: /Cannot start Test: no-such-program/,
  });
});

Deno.test("launch and attach end early if they are aborted", async () => {
  await using scope = new ProcessScope();
  const abort = new AbortController();
  const reason = new Error("Interrupted by SIGINT");
  setTimeout(() => abort.abort(reason), 300);
  // Otherwise the start would end after ten minutes
  const patient = server("never", { ready: { path: "/", timeoutS: 600 } });
  await rejects(
    launch(scope, patient, { ...BARE, abort: abort.signal }),
    (error) => error === reason,
  );
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const origin = `http://127.0.0.1:${listener.addr.port}`;
  const attaching = attach({ origin, pid: null }, abort.signal);
  await rejects(attaching, (error) => error === reason);
});

Deno.test({
  name: "attach takes the proxy of a container for no server",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    const proxy = `${await scope.makeFolder()}/docker-proxy`;
    await Deno.symlink(Deno.execPath(), proxy);
    const start = [proxy, "run", "--quiet", "-A", "server.ts", "slowly"];
    await using running = await launch(scope, server("slowly", { start }), BARE);
    strictEqual(findListener(Number(new URL(running.origin).port)), running.pid);
    const { origin } = running;
    strictEqual((await attach({ origin, pid: null })).pid, null);
    strictEqual((await attach({ origin, pid: running.pid })).pid, running.pid, "as the user says");
  },
});
