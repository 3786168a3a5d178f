/** The server's entry: `deno run src/server/main.ts`, configured by its environment. */
import { createApp } from "./app.ts";
import { configOrExit, exitWith } from "./config.ts";
import { answerError } from "./router.ts";

const config = configOrExit();
const app = createApp(config);
const server = listen();

function listen(): Deno.HttpServer {
  const { host, port } = config;
  const options = { hostname: host, port, onListen: () => {}, onError: answerError };
  try {
    return Deno.serve(options, app.fetch);
  } catch (error) {
    exitWith(1, new Error(`Cannot listen on ${host}:${port}: ${(error as Error).message}`));
  }
}

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await server.shutdown();
  await app.close();
  Deno.exit(0);
}
Deno.addSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
