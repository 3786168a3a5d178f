import pg from "pg";
import { Failure, messageOf } from "../model/errors.ts";
import type { DatabaseAddress } from "./address.ts";

/** A connection to the database that closes itself at the end of its scope. */
export interface DatabaseClient extends AsyncDisposable {
  /** Runs SQL and returns its rows. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Closes the connection; one that the server has closed is fine. */
  close(): Promise<void>;
}

/**
 * Connects to a database.
 *
 * @throws {Failure} if it cannot be reached or does not let us in.
 */
export async function connect(address: DatabaseAddress): Promise<DatabaseClient> {
  const client = new pg.Client({ connectionString: address.url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {}); // the query that runs into it reports it
  try {
    await client.connect();
  } catch (error) {
    throw new Failure(`Cannot connect to the database ${address.label}: ${messageOf(error)}`);
  }
  const close = (): Promise<void> => client.end().catch(() => {});
  return {
    query: async (sql, values) => (await client.query(sql, values && [...values])).rows,
    close,
    [Symbol.asyncDispose]: close,
  };
}
