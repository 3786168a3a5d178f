import { Failure, FINE, Interrupted, UsageError } from "../../model/errors.ts";
import { alpnOf, DEFAULT_SERVER, serverEnv, type TlsOptions } from "../../experiment/options.ts";
import { LocalTestbed } from "../../engine/local_testbed.ts";
import type { Server } from "../../model/server.ts";
import type { Child } from "../../process/child.ts";
import { readCatalog } from "../../target/catalog.ts";
import { describeDatabase } from "../../view/progress_notes.ts";
import type { Io } from "../io.ts";
import { type TestbedOptions, testbedOptions } from "../run_settings.ts";

/** Options of `serve`. */
interface ServeOptions extends TestbedOptions, TlsOptions {
  readonly host: string;
  readonly port: number;
}

/** Default number of database connections of a server outside a measurement. */
export const DEFAULT_DB_POOL = 10;

/**
 * Time until a stopping server is killed, in milliseconds: longer than the ten seconds that the server
 * gives its requests.
 */
const GRACE_MS = 12_000;
/** Time after the signal to stop until a message explains the delay, in milliseconds. */
const SILENT_MS = 2000;

/**
 * Runs `serve`: starts a database and Stampede's own server, until a signal stops them.
 *
 * @returns the exit code
 * @throws {Failure} if the address is in use, or the server crashes
 */
export async function serve(options: ServeOptions, io: Io): Promise<number> {
  const { stop } = io;
  const { host, port } = options;
  assertFree(host, port);
  const systemUnderTest = (await readCatalog()).get(DEFAULT_SERVER) as Server;
  const env = serverEnv(options, DEFAULT_DB_POOL);
  const needs = {
    database: true,
    databaseConnections: Number(env.DB_POOL),
    pins: false,
    tls: alpnOf(options),
  };
  let database = "";
  await using testbed = await new LocalTestbed(testbedOptions(options, io)).open(needs, (event) => {
    if (event.kind !== "note" || event.note.kind !== "database") return;
    database = describeDatabase(event.note);
    if (!event.note.isEmbedded) io.out(`Using ${database}`);
  });
  const log = (text: string): void => io.err(text.trimEnd());
  await using server = await testbed.launch(systemUnderTest, env, { host, port }, log);
  io.out(`Serving ${server.origin}/ with ${database}`);

  const stopped = new Promise<null>((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener("abort", () => resolve(null));
  });
  const own = server.process as Child;
  const ended = Promise.race([stopped, own.ended]);
  const postgres = testbed.database?.process;
  if (
    postgres && await Promise.race([ended, postgres.ended.then(() => "postgres")]) === "postgres"
  ) {
    io.err(`PostgreSQL ${postgres.howItEnded}: routes that need it answer 503 from now on`);
  }
  if (await ended !== null) throw new Failure(`The server ${own.howItEnded}`);
  const words = setTimeout(
    () => io.err("Waiting up to ten seconds for requests in flight"),
    SILENT_MS,
  );
  await own.stop(GRACE_MS);
  clearTimeout(words);
  if (!(stop.reason instanceof Interrupted)) throw stop.reason;
  return FINE;
}

/**
 * Checks that the server can listen on an address.
 *
 * @throws {Failure} if another program listens on the address
 * @throws {UsageError} if this machine cannot listen on it for another reason
 */
function assertFree(hostname: string, port: number): void {
  try {
    Deno.listen({ hostname, port }).close();
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      throw new Failure(
        `Cannot listen on ${hostname}:${port}: another program already listens there; stop it, or choose another --port`,
      );
    }
    throw new UsageError(
      `Cannot listen on ${hostname}:${port}: ${
        (error as Error).message
      }; choose another --host or --port`,
    );
  }
}
