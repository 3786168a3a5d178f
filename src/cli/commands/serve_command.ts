/** Serves Stampede's own server, and cleans the database that servers use. */
import { SCHEMA } from "../../database/address.ts";
import { connect } from "../../database/client.ts";
import { foreignDatabase } from "../../database/provide.ts";
import { dropTables } from "../../database/tables.ts";
import { Failure, FINE, Interrupted, messageOf, UsageError } from "../../model/errors.ts";
import { alpnOf, DEFAULT_SERVER, serverEnv, type TlsOptions } from "../../experiment/options.ts";
import type { Server } from "../../model/server.ts";
import type { Child } from "../../process/child.ts";
import { readCatalog } from "../../target/catalog.ts";
import type { Io } from "../io.ts";
import { DEFAULT_DB_POOL, openTestbed, type TestbedOptions } from "../run_settings.ts";

/** Options of `serve`. */
interface ServeOptions extends TestbedOptions, TlsOptions {
  readonly host: string;
  readonly port: number;
}

/** Time until a stopping server is killed, in milliseconds: the server gives its requests 10 s. */
const GRACE_MS = 12_000;
/** Time after the signal to stop until a message explains the delay, in milliseconds. */
const SILENT_MS = 2000;

/**
 * Starts a database and Stampede's own server, until a signal stops them.
 *
 * @throws {Failure} if the address is in use, or the server crashes
 */
export async function serve(options: ServeOptions, io: Io): Promise<number> {
  const { stop } = io;
  const { host, port } = options;
  assertFree(host, port);
  const systemUnderTest = (await readCatalog()).get(DEFAULT_SERVER) as Server;
  const env = serverEnv(options, DEFAULT_DB_POOL);
  const needs = { database: true, tls: alpnOf(options), env };
  let database = "";
  await using testbed = await openTestbed(options, needs, io, (description, isEmbedded) => {
    database = description;
    if (!isEmbedded) io.out(`Using ${database}`);
  });
  const log = (text: string): void => io.err(text.trimEnd());
  await using server = await testbed.launch(systemUnderTest, env, { host, port }, log);
  io.out(`Serving ${server.origin}/ with ${database}`);

  const { promise: stopped, resolve } = Promise.withResolvers<null>();
  if (stop.aborted) resolve(null);
  stop.addEventListener("abort", () => resolve(null));
  const own = server.process as Child;
  const ended = Promise.race([stopped, own.ended]);
  const postgres = testbed.database?.process;
  const first = await Promise.race([ended, postgres?.ended.then(() => postgres) ?? ended]);
  if (postgres && first === postgres) {
    io.err(`PostgreSQL ${postgres.howItEnded}: routes that need it answer 503 from now on`);
  }
  if (await ended !== null) throw new Failure(`The server ${own.howItEnded}`);
  const waiting = "Waiting up to ten seconds for requests in flight";
  const timer = setTimeout(() => io.err(waiting), SILENT_MS);
  await own.stop(GRACE_MS);
  clearTimeout(timer);
  if (!(stop.reason instanceof Interrupted)) throw stop.reason;
  return FINE;
}

/**
 * Checks that the server can listen on an address.
 *
 * @throws {Failure} if another program listens there
 * @throws {UsageError} if this machine cannot listen there for another reason
 */
function assertFree(hostname: string, port: number): void {
  try {
    Deno.listen({ hostname, port }).close();
  } catch (error) {
    const problem = `Cannot listen on ${hostname}:${port}`;
    if (error instanceof Deno.errors.AddrInUse) {
      throw new Failure(
        `${problem}: another program already listens there; stop it, or choose another --port`,
      );
    }
    throw new UsageError(`${problem}: ${messageOf(error)}; choose another --host or --port`);
  }
}

/**
 * Removes Stampede's schema from the database that the environment names.
 *
 * @throws {UsageError} if the environment names no database
 */
export async function cleanDatabase(
  { allowRemoteDatabase = false }: { readonly allowRemoteDatabase?: boolean },
  io: Io,
): Promise<number> {
  const address = foreignDatabase({ env: io.env, allowRemote: allowRemoteDatabase });
  if (address === null) {
    throw new UsageError(
      "There is no database to clean: set DATABASE_URL, or PGHOST and so on; an embedded database ends with its run",
    );
  }
  await using client = await connect(address);
  const isDropped = await dropTables(client);
  const what = isDropped ? "Removed the schema" : "There is no schema";
  io.out(`${what} "${SCHEMA}" ${isDropped ? "from" : "in"} ${address.label}`);
  return FINE;
}
