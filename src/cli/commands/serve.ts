import { Failure, UsageError } from "../../model/errors.ts";
import type { Server } from "../../model/server.ts";
import { type Child, describeEnd } from "../../process/child.ts";
import { readCatalog } from "../../target/catalog.ts";
import { untilInterrupted } from "../interruption.ts";
import { serverEnv, type ServerOptions, Stage } from "../../engine/live_lab.ts";
import { complain, say } from "../print.ts";

/** Options of `serve`. */
export interface ServeOptions extends ServerOptions {
  readonly host: string;
  readonly port: number;
}

const SERVER = "deno";

/** What the server logs, as it comes. */
function log(text: string): void {
  complain(text.trimEnd());
}

/** `serve`: a database and Stampede's own server, until somebody stops it. */
export async function serve(options: ServeOptions): Promise<number> {
  const interrupted = untilInterrupted();
  const { host, port } = options;
  assertFree(host, port);
  const target = (await readCatalog()).get(SERVER) as Server;
  let database = "";
  await using stage = await Stage.open({
    options,
    needsDatabase: true,
    env: serverEnv(options),
    onDatabase: (label) => {
      database = label;
      if (!label.endsWith("(embedded)")) say(`Using ${label}`);
    },
  });
  await using server = await stage.launch(target, { host, port }, log);
  say(`Serving ${server.origin}/ with ${database}`);

  const stopped = new Promise<null>((resolve) => {
    if (interrupted.aborted) resolve(null);
    interrupted.addEventListener("abort", () => resolve(null));
  });
  const ended = Promise.race([stopped, (server.process as Child).ended]);
  const postgres = stage.database?.process;
  if (
    postgres && await Promise.race([ended, postgres.ended.then(() => "postgres")]) === "postgres"
  ) {
    complain(
      `PostgreSQL ${describeEnd(await postgres.ended)}: what needs it answers 503 from now on`,
    );
  }
  const status = await ended;
  if (status === null) return 0;
  throw new Failure(`The server ${describeEnd(status)}`);
}

/** @throws {Failure} if somebody listens there already. */
function assertFree(hostname: string, port: number): void {
  try {
    Deno.listen({ hostname, port }).close();
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      throw new Failure(
        `Cannot listen on ${hostname}:${port}: something else does; stop it, or choose another --port`,
      );
    }
    throw new UsageError(
      `Cannot listen on ${hostname}:${port}: ${
        (error as Error).message
      }; choose another --host or --port`,
    );
  }
}
