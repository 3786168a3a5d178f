/** Checks of database rows. */
import { books } from "../../scenarios/books.ts";
import { expectRows, sql2 } from "../../scenarios/sql2.ts";
import { fortunes } from "../../scenarios/techempower/fortunes.ts";
import { db, queries } from "../../scenarios/techempower/world.ts";
import { SCHEMA } from "../database/address.ts";
import { KEPT, OURS, TABLE_COMMENT, TABLES, WORLDS } from "../database/tables.ts";
import { Failure, messageOf, Mismatch } from "../model/errors.ts";
import type { ConformanceCheck, Context } from "./http.ts";

/** Scenarios with responses that contain current rows of the database. */
const ROW_SCENARIOS = [sql2, books, db, queries, fortunes];

/**
 * Number of responses of `/sql2` that are checked. About one of five million correct servers fails:
 * 60 random offsets miss the first or last quarter of the table with a probability of 2 * 0.75^60 =
 * 6.4e-8.
 */
const RESPONSES = 60;
/**
 * Maximum number of repeated pages. On average, C(60, 2) / 200,000 = 0.0089 pairs of offsets are
 * equal, and three pairs with a probability of 0.0089^3 / 3! = 1.2e-7.
 */
const MAY_REPEAT = 2;

/** The checks of database rows in the contract of the servers (docs/contract.md). */
export const ROW_CHECKS: readonly ConformanceCheck[] = [
  {
    id: "no-cache",
    name: "returns current rows, not cached ones",
    scenarios: ROW_SCENARIOS.map(({ id }) => id),
    async run(context): Promise<void> {
      await expectRowsOfDatabase(context); // a server with a cache fills it now
      await withChangedRows((sql, values) => context.facts.rows(sql, values), async () => {
        try {
          await expectRowsOfDatabase(context);
        } catch (error) {
          if (!(error instanceof Mismatch)) throw error;
          throw new Mismatch(`${error.expected} once every row was changed`, error.got);
        }
      });
    },
  },
  {
    id: "random-offsets",
    name: "returns rows from the whole table",
    scenarios: [sql2.id],
    async run({ ask, facts }): Promise<void> {
      const ids: number[] = [];
      for (let i = 0; i < RESPONSES; i++) ids.push(expectRows(await ask(sql2.request))[0] ?? 0);
      const distinct = new Set(ids).size;
      if (distinct < RESPONSES - MAY_REPEAT) {
        throw new Mismatch(`${RESPONSES} pages at random offsets`, `only ${distinct} different`);
      }
      const { offsets, rows } = await placesOf(ids, facts);
      const [least, most] = [Math.min(...offsets), Math.max(...offsets)];
      if (least < rows / 4 && most >= rows * 3 / 4) return;
      throw new Mismatch(
        `${RESPONSES} offsets all over ${rows} rows`,
        `offsets from ${least} to ${most} only`,
      );
    },
  },
];

/** Runs the checks of the scenarios with current rows. They compare responses with the database. */
async function expectRowsOfDatabase({ server, ask, facts, origin }: Context): Promise<void> {
  for (const { id, checks } of ROW_SCENARIOS) {
    if (!(id in server.scenarios)) continue;
    for (const check of checks) await check.run(ask, facts, origin);
  }
}

/** Returns the positions of rows where PostgreSQL reads them without ORDER BY, and their number. */
async function placesOf(
  ids: readonly number[],
  facts: Context["facts"],
): Promise<{ offsets: number[]; rows: number }> {
  const found = await facts.rows(
    `SELECT place, rows FROM (
       SELECT id, (row_number() OVER (ORDER BY ctid) - 1)::int AS place,
              (count(*) OVER ())::int AS rows
         FROM users
     ) AS places WHERE id = ANY($1)`,
    [ids],
  ) as { place: number; rows: number }[];
  return { offsets: found.map(({ place }) => place), rows: found[0]?.rows ?? 0 };
}

/** Runs SQL on one connection to the servers' database, and returns the rows. */
type Query = (sql: string, values?: readonly unknown[]) => Promise<unknown>;

/** Maximum wait for a lock on a table, in ms: far longer than queries; then a transaction is open. */
const LOCK_MS = 2000;
/** A lock was not available in time. https://www.postgresql.org/docs/18/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Runs `check` while all rows have changed values. A server that caches rows then fails the check.
 *
 * The original tables are renamed, and changed copies take their names. Afterwards the original
 * tables return, byte for byte the same: dead rows or another order would change the measurements.
 * While the copies exist, the comment of the schema differs: if a run is killed, the next run sees
 * that comment and recreates the tables.
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
    await transact(query, RESTORING).catch((error) => {
      const what = "Cannot restore the tables after the check with changed rows";
      throw new Failure(`${what}: ${messageOf(error)}. The next run recreates them`);
    });
  }
}

/** Returns the statements that change all rows but those of `cached_world`; `token` marks texts. */
function changing(token: string): string[] {
  const columns: Readonly<Record<string, string>> = {
    users: `id, full_name || ' ${token}', '${token}.' || email`,
    books: `id, title || ' ${token}', author, isbn, language, year, pages`,
    world: `id, 1 + (random_number + 1) % ${WORLDS}`,
    fortune: `id, message || ' (${token})'`,
  };
  return [
    comment(`${OURS} (rows changed for a check)`),
    ...TABLES.flatMap((table) => [
      `ALTER TABLE ${SCHEMA}.${table} RENAME TO ${table}${KEPT}`,
      `CREATE TABLE ${SCHEMA}.${table} (LIKE ${SCHEMA}.${table}${KEPT} INCLUDING ALL)`,
    ]),
    ...TABLES.map((table) =>
      `INSERT INTO ${SCHEMA}.${table} SELECT ${
        columns[table] ?? "*"
      } FROM ${SCHEMA}.${table}${KEPT}`
    ),
  ];
}

const RESTORING = [
  ...TABLES.flatMap((table) => [
    `DROP TABLE ${SCHEMA}.${table}`,
    `ALTER TABLE ${SCHEMA}.${table}${KEPT} RENAME TO ${table}`,
  ]),
  comment(TABLE_COMMENT),
];

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
