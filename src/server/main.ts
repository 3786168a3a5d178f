/** The server's entry: `deno run src/server/main.ts`, configured by environment variables. */
import { createApp } from "./app.ts";
import { configOrExit, exitWith } from "./config.ts";
import { LIMITS } from "./limits.ts";
import { Listener } from "./listener.ts";
import { surviveRejections } from "./problem.ts";
import { errorResponse } from "./router.ts";

const config = configOrExit();
const app = createApp(config);
const listener = listen();

function listen(): Listener {
  const { host, port, tls } = config;
  try {
    return new Listener({ hostname: host, port, ...tls, onError: errorResponse }, app.fetch);
  } catch (error) {
    exitWith(1, new Error(`Cannot listen on ${host}:${port}: ${(error as Error).message}`));
  }
}

/**
 * Data from clients that no handler has received are outside the heaps of this thread and the
 * workers. No handler knows their connection, so all connections are closed.
 */
function watchMemory(): void {
  const { rss, heapTotal, external } = Deno.memoryUsage();
  const native = rss - heapTotal - external;
  if (native <= LIMITS.MAX_NATIVE_BYTES + config.cpuWorkers * LIMITS.WORKER_BYTES) return;
  const what = `Clients have sent ${Math.round(native / 1e6)} MB that no handler has received`;
  listener.reset(`${what}: closing all connections`);
}
Deno.unrefTimer(setInterval(watchMemory, LIMITS.MEMORY_PAUSE_MS));
surviveRejections();

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => Deno.exit(0), LIMITS.STOP_MS);
  await listener.close();
  await app.close();
  Deno.exit(0);
}
Deno.addSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
