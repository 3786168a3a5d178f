import { Failure, messageOf, Mismatch } from "../model/errors.ts";
import { SCHEMA } from "./address.ts";
import { KEPT, OURS, TABLE_COMMENT, TABLES, WORLDS } from "./tables.ts";

/** Runs SQL on one connection to the servers' database, and returns the rows. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<unknown>;

/**
 * Maximum wait for a lock on a table, in milliseconds. The servers' queries take only milliseconds, so a
 * longer lock is an open transaction.
 */
const LOCK_MS = 2000;
/**
 * PostgreSQL's error code for a lock that was not available in time.
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Runs `check` while all rows have changed values. A server that caches rows then fails the check.
 *
 * The original tables are renamed, and changed copies take their names. Afterwards the original tables
 * return, byte for byte the same: without dead rows, in the same order. Dead rows or another order would
 * change the measurements.
 *
 * While the copies exist, the comment of the schema differs. If a run is killed, the next run sees that
 * comment and recreates the tables.
 *
 * @throws {Mismatch} if a server keeps a table locked.
 * @throws {Failure} if the tables cannot be restored.
 */
export async function withChangedRows(query: Query, check: () => Promise<void>): Promise<void> {
  try {
    await transact(query, changing(crypto.randomUUID().slice(0, 8)));
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Mismatch(
      "the tables to be unlocked after the responses",
      `a table that is still locked after ${
        LOCK_MS / 1000
      } s: the server has left a transaction open`,
    );
  }
  try {
    await check();
  } finally {
    await transact(query, restoring()).catch((error) => {
      throw new Failure(
        `Cannot restore the tables after the check with changed rows: ${
          messageOf(error)
        }. The next run recreates them`,
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

function comment(text: string): string {
  return `COMMENT ON SCHEMA ${SCHEMA} IS '${text}'`;
}

async function transact(query: Query, statements: readonly string[]): Promise<void> {
  try {
    await query("BEGIN");
    await query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    for (const statement of statements) await query(statement);
    await query("COMMIT");
  } catch (error) {
    await query("ROLLBACK").catch(() => {}); // a lost connection has rolled back already
    throw error;
  }
}
