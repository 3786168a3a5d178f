/**
 * The server's entry: `deno run src/server/main.ts`, configured by environment variables. It listens
 * again after an error: `Deno.serve` closes all connections and ends if it cannot accept one, for
 * example because the process has too many open files.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createApp } from "./app.ts";
import { configOrExit, exitWith } from "./config.ts";
import { errorResponse, surviveRejections } from "./http.ts";
import { LIMITS } from "./limits.ts";

const config = configOrExit();
const app = createApp(config);
let isStopping = false;
let connections: AbortController;
/** Null while it does not listen. */
let server: Deno.HttpServer | null = null;
try {
  server = listen();
} catch (error) {
  const { host, port } = config;
  exitWith(1, new Error(`Cannot listen on ${host}:${port}: ${(error as Error).message}`));
}

Deno.unrefTimer(setInterval(watchMemory, LIMITS.MEMORY_PAUSE_MS));
surviveRejections();
Deno.addSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);

function listen(): Deno.HttpServer {
  connections = new AbortController();
  const { host: hostname, port, tls } = config;
  const { signal } = connections;
  const options = { hostname, port, ...tls, signal, onListen: () => {}, onError: errorResponse };
  const listening = Deno.serve(options, app.fetch);
  listening.finished.catch(async (error) => {
    if (server !== listening) return;
    server = null;
    const why = error.message.replace(/^Error: /, "");
    // deno-lint-ignore no-console -- the server's own log
    console.error(`Cannot accept connections, trying again: ${why}`);
    await pause(LIMITS.LISTEN_PAUSE_MS);
    await listenAgain();
  });
  return listening;
}

async function listenAgain(): Promise<void> {
  while (!isStopping) {
    try {
      server = listen();
      return;
    } catch {
      await pause(LIMITS.LISTEN_PAUSE_MS); // the port or too many files are still in use
    }
  }
}

/**
 * Closes all connections if memory outside the heaps of this thread and the workers is too large.
 * It is data from clients that no handler has received, so no handler knows the connection.
 */
async function watchMemory(): Promise<void> {
  const { rss, heapTotal, external } = Deno.memoryUsage();
  const native = rss - heapTotal - external;
  const limit = LIMITS.MAX_NATIVE_BYTES + config.cpuWorkers * LIMITS.WORKER_BYTES;
  if (native <= limit || server === null || isStopping) return;
  const { finished } = server;
  server = null;
  const what = `Clients have sent ${Math.round(native / 1e6)} MB that no handler has received`;
  // deno-lint-ignore no-console -- the server's own log
  console.error(`${what}: closing all connections`);
  connections.abort();
  await Promise.race([finished, pause(LIMITS.LISTEN_PAUSE_MS)]);
  await listenAgain();
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => Deno.exit(0), LIMITS.STOP_MS);
  await server?.shutdown();
  await app.close();
  Deno.exit(0);
}
