/** The server's entry: `deno run src/server/main.ts`, configured by its environment. */
import { createApp } from "./app.ts";
import { configOrExit, exitWith } from "./config.ts";
import { Listener } from "./listener.ts";
import { answerError } from "./router.ts";

/** How long requests under way may take once it is told to stop. */
const DEADLINE_MS = 10_000;

const config = configOrExit();
const app = createApp(config);
const listener = listen();

function listen(): Listener {
  const { host, port, tls } = config;
  try {
    return new Listener({ hostname: host, port, ...tls, onError: answerError }, app.fetch);
  } catch (error) {
    exitWith(1, new Error(`Cannot listen on ${host}:${port}: ${(error as Error).message}`));
  }
}

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => Deno.exit(0), DEADLINE_MS);
  await listener.close();
  await app.close();
  Deno.exit(0);
}
Deno.addSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
