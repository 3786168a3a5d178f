/** The server's entry: `deno run src/server/main.ts`, configured by its environment. */
import { createApp } from "./app.ts";
import { answerError } from "./router.ts";
import { readConfig, type ServerConfig } from "./config.ts";

function configOrExit(): ServerConfig {
  try {
    return readConfig((name) => Deno.env.get(name));
  } catch (error) {
    // deno-lint-ignore no-console -- there is no answer to put it into
    console.error((error as Error).message);
    Deno.exit(2);
  }
}

const config = configOrExit();
const app = createApp(config);
const server = Deno.serve(
  { hostname: config.host, port: config.port, onListen: () => {}, onError: answerError },
  app.fetch,
);

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
