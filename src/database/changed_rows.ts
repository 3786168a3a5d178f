import { Failure, messageOf, Mismatch } from "../model/errors.ts";
import { SCHEMA } from "./address.ts";
import { KEPT, OURS, TABLE_COMMENT, TABLES, WORLDS } from "./tables.ts";

/** Runs SQL on the database that the servers use, on one connection, and returns the rows. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<unknown>;

/** How long a server may hold on to a table: its queries take milliseconds. */
const LOCK_MS = 2000;
/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Lets servers see tables of which every row has changed, while `work` is done.
 *
 * Changed copies take the tables' names; the tables themselves are only renamed, so that they come
 * back as they were to the byte: without dead rows and in their order, which figures depend on. As
 * long as there are copies, the schema has another mark: a run that finds it, since the one before was
 * killed, makes the tables anew.
 *
 * @throws {Mismatch} if a server does not let go of a table.
 * @throws {Failure} if the tables cannot be put back.
 */
export async function withChangedRows(query: Query, work: () => Promise<void>): Promise<void> {
  try {
    await transact(query, changing(crypto.randomUUID().slice(0, 8)));
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Mismatch(
      "the tables to be free to change after the responses",
      `one still locked after ${LOCK_MS / 1000} s: the server has left a transaction open`,
    );
  }
  try {
    await work();
  } finally {
    await transact(query, restoring()).catch((error) => {
      throw new Failure(
        `Cannot put the tables back whose rows were changed for a check: ${
          messageOf(error)
        }. The next run makes them anew`,
      );
    });
  }
}

function changing(token: string): string[] {
  return [
    comment(`${OURS} (rows changed for a check)`),
    ...TABLES.flatMap((table) => [
      `ALTER TABLE ${SCHEMA}.${table} RENAME TO ${table}${KEPT}`,
      `CREATE TABLE ${SCHEMA}.${table} (LIKE ${SCHEMA}.${table}${KEPT} INCLUDING ALL)`,
    ]),
    `INSERT INTO ${SCHEMA}.users
     SELECT id, full_name || ' ${token}', '${token}.' || email FROM ${SCHEMA}.users${KEPT}`,
    `INSERT INTO ${SCHEMA}.books
     SELECT id, title || ' ${token}', author, isbn, language, year, pages
     FROM ${SCHEMA}.books${KEPT}`,
    `INSERT INTO ${SCHEMA}.world
     SELECT id, 1 + (random_number + 1) % ${WORLDS} FROM ${SCHEMA}.world${KEPT}`,
    `INSERT INTO ${SCHEMA}.cached_world SELECT * FROM ${SCHEMA}.cached_world${KEPT}`,
    `INSERT INTO ${SCHEMA}.fortune
     SELECT id, message || ' (${token})' FROM ${SCHEMA}.fortune${KEPT}`,
  ];
}

function restoring(): string[] {
  return [
    ...TABLES.flatMap((table) => [
      `DROP TABLE ${SCHEMA}.${table}`,
      `ALTER TABLE ${SCHEMA}.${table}${KEPT} RENAME TO ${table}`,
    ]),
    comment(TABLE_COMMENT),
  ];
}

function comment(mark: string): string {
  return `COMMENT ON SCHEMA ${SCHEMA} IS '${mark}'`;
}

async function transact(query: Query, statements: readonly string[]): Promise<void> {
  try {
    await query("BEGIN");
    await query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    for (const statement of statements) await query(statement);
    await query("COMMIT");
  } catch (error) {
    await query("ROLLBACK").catch(() => {}); // a connection that is lost has rolled back already
    throw error;
  }
}
