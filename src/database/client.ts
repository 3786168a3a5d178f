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
/** How long a server may take that comes back after one of its processes was killed. */
const RECOVERY_MS = 10_000;
const RETRY_MS = 50;

/**
 * Connects to a database.
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
  take(await open(address));
  const reopened = async (): Promise<pg.Client> => {
    const untilMs = performance.now() + RECOVERY_MS;
    for (;;) {
      try {
        return take(await open(address));
      } catch (error) {
        if (!isRecovering(error) || performance.now() > untilMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
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
 * Whether a server is there and will soon take connections: it says so (57P03, cannot_connect_now), or ends
 * them while they are opened.
 */
function isRecovering(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return ["57P03", "ECONNRESET"].includes(cause?.code ?? "") ||
    /terminated unexpectedly/.test(messageOf(cause));
}
