import pg from "pg";
import { Failure, messageOf } from "../model/errors.ts";
import type { DatabaseAddress } from "./address.ts";

/** A connection to the database that closes itself at the end of its scope. */
export interface DatabaseClient extends AsyncDisposable {
  /** Runs SQL and returns its rows. After a connection that has ended, it opens another. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Closes the connection; one that the server has closed is fine. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
/** How long a server may take that is starting, or comes back after one of its processes was killed. */
const RECOVERY_MS = 10_000;
const RETRY_MS = 50;

/**
 * Connects to a database, which may say that it is starting.
 *
 * @throws {Failure} if it cannot be reached or does not let us in.
 */
export async function connect(address: DatabaseAddress): Promise<DatabaseClient> {
  let connection: pg.Client | null = null;
  const take = (client: pg.Client): pg.Client => {
    // What has failed takes no more queries, before it has ended
    for (const event of ["error", "end"] as const) {
      client.on(event, () => {
        if (connection === client) connection = null;
        if (event === "error") client.end().catch(() => {});
      });
    }
    return connection = client;
  };
  take(await openWhen(address, isStarting, RECOVERY_MS));
  let timeoutMs = RECOVERY_MS; // once for each time that it goes away
  const reopened = async (): Promise<pg.Client> => {
    const client = openWhen(address, isRecovering, timeoutMs);
    timeoutMs = 0;
    take(await client);
    timeoutMs = RECOVERY_MS;
    return await client;
  };
  const close = async (): Promise<void> => await connection?.end().catch(() => {});
  return {
    query: async (sql, values) => {
      const client = connection ?? await reopened();
      return (await client.query(sql, values && [...values])).rows;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Opens a connection, and tries again as long as it is worth waiting. */
async function openWhen(
  address: DatabaseAddress,
  isWorthWaiting: (error: unknown) => boolean,
  timeoutMs: number,
): Promise<pg.Client> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await open(address);
    } catch (error) {
      if (!isWorthWaiting(error) || performance.now() > untilMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function open(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: address.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => {}); // the query that runs into it reports it
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new Failure(
      `Cannot connect to the database ${address.label}: ${messageOf(error)}`,
      null,
      { cause: error },
    );
  }
}

/**
 * Whether a server says that it will soon take connections.
 * https://www.postgresql.org/docs/18/errcodes-appendix.html: 57P03, cannot_connect_now
 */
function isStarting(error: unknown): boolean {
  return codeOf(error) === "57P03";
}

/** Whether a server that was there will soon be again: it starts, restarts, or ends what is opened. */
function isRecovering(error: unknown): boolean {
  return isStarting(error) || ["ECONNRESET", "ECONNREFUSED"].includes(codeOf(error)) ||
    /terminated unexpectedly/.test(messageOf((error as Error).cause));
}

function codeOf(error: unknown): string {
  return (error as { readonly cause?: { readonly code?: string } }).cause?.code ?? "";
}
