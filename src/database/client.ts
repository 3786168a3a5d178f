import pg from "pg";
import { Failure, messageOf } from "../model/errors.ts";
import { pause } from "../process/pause.ts";
import type { DatabaseAddress } from "./address.ts";

/** A connection to the database. Disposing it succeeds even if the server has closed it. */
export interface DatabaseClient extends AsyncDisposable {
  /** Runs SQL and returns its rows. If the connection has ended, it opens a new one. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Time limit for opening a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5000;
/**
 * Maximum wait for a server that is starting or restarting, in milliseconds. PostgreSQL restarts if
 * one of its processes was killed.
 */
const RECOVERY_MS = 10_000;
/** Pause between two attempts to connect, in milliseconds. */
const RETRY_MS = 50;

/**
 * Connects to a database, and waits while the server is starting.
 *
 * @throws {Failure} if the server cannot be reached or rejects the login.
 */
export async function connect(address: DatabaseAddress): Promise<DatabaseClient> {
  let connection: pg.Client | null = null;
  const take = (client: pg.Client): pg.Client => {
    // A failed client accepts no more queries, even before it has ended
    for (const event of ["error", "end"] as const) {
      client.on(event, () => {
        if (connection === client) connection = null;
        if (event === "error") client.end().catch(() => {});
      });
    }
    return connection = client;
  };
  take(await open(address, isStarting, RECOVERY_MS));
  let timeoutMs = RECOVERY_MS; // used once per restart
  const reopened = async (): Promise<pg.Client> => {
    const opening = open(address, isRecovering, timeoutMs);
    timeoutMs = 0;
    const client = take(await opening);
    timeoutMs = RECOVERY_MS;
    return client;
  };
  return {
    query: async (sql, values) => {
      const client = connection ?? await reopened();
      return (await client.query(sql, values && [...values])).rows;
    },
    [Symbol.asyncDispose]: async () => await connection?.end().catch(() => {}),
  };
}

/** Opens a connection. While the error may be temporary, it tries again for `timeoutMs` ms. */
async function open(
  { url, label }: DatabaseAddress,
  isTemporary: (error: unknown) => boolean,
  timeoutMs: number,
): Promise<pg.Client> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    client.on("error", () => {}); // the next query reports the error
    try {
      await client.connect();
      return client;
    } catch (cause) {
      if (!isTemporary(cause) || performance.now() > untilMs) {
        const message = `Cannot connect to the database ${label}: ${messageOf(cause)}`;
        throw new Failure(message, null, { cause });
      }
      await pause(RETRY_MS);
    }
  }
}

/**
 * Returns whether an error shows that the server is still starting.
 *
 * https://www.postgresql.org/docs/18/errcodes-appendix.html: 57P03, cannot_connect_now
 */
function isStarting(error: unknown): boolean {
  return (error as { readonly code?: string }).code === "57P03";
}

/** Returns whether a server is restarting: it refuses or closes new connections. */
function isRecovering(error: unknown): boolean {
  const { code = "" } = error as { readonly code?: string };
  return isStarting(error) || ["ECONNRESET", "ECONNREFUSED"].includes(code) ||
    /terminated unexpectedly/.test(messageOf(error));
}
