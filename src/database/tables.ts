import { Failure, messageOf, Mismatch } from "../model/errors.ts";
import type { DatabaseActivity } from "../model/raw.ts";
import type { Facts } from "../model/scenario.ts";
import { type DatabaseClient, SCHEMA } from "./client.ts";

/** Number of rows of `users`. */
const USERS = 200_000;
/** Number of rows of `world`, and of `cached_world`. */
const WORLDS = 10_000;

/** Beginning of the comment on Stampede's schema. Stampede recognises its schema by it. */
const OURS = "Made by Stampede";
/** The comment on Stampede's schema: its maker, and the version of its rows. */
const TABLE_COMMENT = `${OURS} (rows version 2)`;
/** Names of Stampede's tables. */
const TABLES = ["users", "books", "world", "cached_world", "fortune"] as const;
/** Suffix of the original tables while changed copies have their names. */
const KEPT = "_kept";

const CREATE = `
CREATE SCHEMA ${SCHEMA};
COMMENT ON SCHEMA ${SCHEMA} IS '${TABLE_COMMENT}';
CREATE TABLE ${SCHEMA}.users (id integer PRIMARY KEY, full_name text NOT NULL, email text NOT NULL);
CREATE TABLE ${SCHEMA}.books (
  id integer PRIMARY KEY, title text NOT NULL, author text NOT NULL, isbn text NOT NULL,
  language text NOT NULL, year integer NOT NULL, pages integer NOT NULL
);
CREATE TABLE ${SCHEMA}.world (id integer PRIMARY KEY, random_number integer NOT NULL);
CREATE TABLE ${SCHEMA}.cached_world (id integer PRIMARY KEY, random_number integer NOT NULL);
CREATE TABLE ${SCHEMA}.fortune (id integer PRIMARY KEY, message text NOT NULL);
INSERT INTO ${SCHEMA}.users
SELECT id, first || ' ' || last, lower(first || '.' || last) || '.' || id || '@example.com'
FROM (
  SELECT id,
    (ARRAY['Ada','Alan','Barbara','Claude','Dennis','Edsger','Frances','Grace','Hedy','John',
      'Katherine','Ken','Linus','Margaret','Niklaus','Radia','Tim','Yukihiro','Annie','Donald'
    ])[1 + id % 20] AS first,
    (ARRAY['Allen','Berners','Dijkstra','Easley','Hamilton','Hopper','Johnson','Knuth','Lamarr',
      'Liskov','Lovelace','Matsumoto','Perlman','Ritchie','Shannon','Thompson','Torvalds','Turing',
      'Wirth'])[1 + id % 19] AS last
  FROM generate_series(1, ${USERS}) AS id
) AS people;
INSERT INTO ${SCHEMA}.books VALUES
  (1, 'Pride and Prejudice', 'Jane Austen', '9780141439518', 'en', 1813, 480),
  (2, 'Frankenstein', 'Mary Shelley', '9780141439471', 'en', 1818, 273),
  (3, 'Jane Eyre', 'Charlotte Bronte', '9780141441146', 'en', 1847, 624),
  (4, 'Moby-Dick', 'Herman Melville', '9780142437247', 'en', 1851, 720),
  (5, 'Great Expectations', 'Charles Dickens', '9780141439563', 'en', 1861, 544),
  (6, 'Crime and Punishment', 'Fyodor Dostoevsky', '9780140449136', 'ru', 1866, 720),
  (7, 'Middlemarch', 'George Eliot', '9780141439549', 'en', 1871, 880),
  (8, 'Anna Karenina', 'Leo Tolstoy', '9780143035008', 'ru', 1878, 864),
  (9, 'Dracula', 'Bram Stoker', '9780141439846', 'en', 1897, 512),
  (10, 'Kim', 'Rudyard Kipling', '9780141442372', 'en', 1901, 432);
INSERT INTO ${SCHEMA}.world SELECT id, 1 + (id * 7919) % ${WORLDS} FROM generate_series(1, ${WORLDS}) AS id;
INSERT INTO ${SCHEMA}.cached_world
SELECT id, 1 + (id * 6007) % ${WORLDS} FROM generate_series(1, ${WORLDS}) AS id;
INSERT INTO ${SCHEMA}.fortune VALUES
  (1, 'Measure first; the slow part is seldom where you look for it.'),
  (2, 'A queue that never ends is a memory leak with manners.'),
  (3, 'Nobody ever regretted a timeout that was set.'),
  (4, 'Every cache begins as an answer and ends as a question.'),
  (5, 'Latency is what users see & throughput is what you tell your manager.'),
  (6, 'Half of all tuning is to take back what was tuned before.'),
  (7, 'Programs that cannot fail do so in ways that nobody has tested.'),
  (8, 'When in doubt, count "allocations" rather than lines.'),
  (9, 'It worked in the demo: that is what demos are for.'),
  (10, 'Do not trust a mean that will not show you its tail.'),
  (11, '<script>alert("A table row is no place for a program.");</script>'),
  (12, 'ベンチマークは嘘をつかない');
`;

/** Creates Stampede's schema and its rows, unless the schema has this version already. */
export async function createTables(client: DatabaseClient): Promise<void> {
  const version = await schemaVersion(client);
  if (version === TABLE_COMMENT) return;
  if (version !== null) await dropTables(client);
  await client.query(`BEGIN; ${CREATE} COMMIT;`);
  for (const table of TABLES) await client.query(`VACUUM (ANALYZE) ${SCHEMA}.${table}`);
}

/**
 * Removes Stampede's schema if it exists.
 *
 * @returns whether the schema existed.
 * @throws {Error} if other objects depend on the tables.
 */
export async function dropTables(client: DatabaseClient): Promise<boolean> {
  if (await schemaVersion(client) === null) return false;
  const named = (end: string): string => TABLES.map((t) => `${SCHEMA}.${t}${end}`).join();
  const drop = `DROP TABLE ${named("")}; DROP TABLE IF EXISTS ${named(KEPT)}`;
  await client.query(`BEGIN; ${drop}; DROP SCHEMA ${SCHEMA}; COMMIT;`);
  return true;
}

/**
 * Returns the comment of the schema; null if there is no schema.
 *
 * @throws {Failure} if Stampede did not make the schema.
 */
async function schemaVersion(client: DatabaseClient): Promise<string | null> {
  const [row] = await client.query<{ mark: string | null }>(
    "SELECT obj_description(oid, 'pg_namespace') AS mark FROM pg_namespace WHERE nspname = $1",
    [SCHEMA],
  );
  if (row === undefined) return null;
  if (!row.mark?.startsWith(OURS)) {
    throw new Failure(
      `The database has a schema "${SCHEMA}" that Stampede did not make: rename it or use another database`,
    );
  }
  return row.mark;
}

/** Maximum wait for a lock on a table, in ms: far longer than queries; then a transaction is open. */
const LOCK_MS = 2000;

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
export async function withChangedRows(
  query: Facts["rows"],
  check: () => Promise<void>,
): Promise<void> {
  try {
    await transact(query, changing(crypto.randomUUID().slice(0, 8)));
  } catch (error) {
    // lock_not_available: https://www.postgresql.org/docs/18/errcodes-appendix.html
    if ((error as { code?: unknown }).code !== "55P03") throw error;
    const seconds = LOCK_MS / 1000;
    throw new Mismatch(
      "the tables to be unlocked after the responses",
      `a table that is still locked after ${seconds} s: the server has left a transaction open`,
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
  const columns: Readonly<Record<typeof TABLES[number], string>> = {
    users: `id, full_name || ' ${token}', '${token}.' || email`,
    books: `id, title || ' ${token}', author, isbn, language, year, pages`,
    world: `id, 1 + (random_number + 1) % ${WORLDS}`,
    "cached_world": "*",
    fortune: `id, message || ' (${token})'`,
  };
  return [
    comment(`${OURS} (rows changed for a check)`),
    ...TABLES.flatMap((table) => [
      `ALTER TABLE ${SCHEMA}.${table} RENAME TO ${table}${KEPT}`,
      `CREATE TABLE ${SCHEMA}.${table} (LIKE ${SCHEMA}.${table}${KEPT} INCLUDING ALL)`,
      `INSERT INTO ${SCHEMA}.${table} SELECT ${columns[table]} FROM ${SCHEMA}.${table}${KEPT}`,
    ]),
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

async function transact(query: Facts["rows"], statements: readonly string[]): Promise<void> {
  const limit = `SET LOCAL lock_timeout = ${LOCK_MS}`;
  try {
    for (const statement of ["BEGIN", limit, ...statements, "COMMIT"]) await query(statement);
  } catch (error) {
    await query("ROLLBACK").catch(() => {}); // a lost connection has rolled back already
    throw error;
  }
}

/** Runs `during` while all queries of Stampede's tables wait. */
export async function withLockedTables(
  query: Facts["rows"],
  during: () => Promise<void>,
): Promise<void> {
  const tables = TABLES.map((table) => `${SCHEMA}.${table}`).join();
  await query("BEGIN");
  try {
    await query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    await query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
    await during();
  } finally {
    await query("ROLLBACK");
  }
}

/** Reads the counts of all statements except itself. */
const COUNTS = `
  SELECT concat_ws(' ', userid, queryid, toplevel) AS id, left(query, 200) AS query,
         calls::float8 AS calls,
         CASE WHEN query ~* '\\m(UPDATE|INSERT|MERGE|DELETE)\\M' AND query !~* '^\\s*SELECT'
              THEN rows::float8 END AS changed
    FROM public.pg_stat_statements
   WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND query NOT LIKE '%pg_stat_statements%'`;

/**
 * Counts the executions of each statement in this database by pg_stat_statements, until the result
 * is called. It returns the most frequent statements first, each with its first 200 characters.
 *
 * https://www.postgresql.org/docs/18/pgstatstatements.html
 */
export async function countStatements(
  client: DatabaseClient,
): Promise<() => Promise<DatabaseActivity>> {
  const read = () =>
    client.query<DatabaseActivity["statements"][number] & { readonly id: string }>(COUNTS);
  const earlier = new Map((await read()).map((one) => [one.id, one]));
  return async () => {
    const statements = (await read())
      .map(({ id, query, calls, changed }) => ({
        query,
        calls: calls - (earlier.get(id)?.calls ?? 0),
        changed: changed === null ? null : changed - (earlier.get(id)?.changed ?? 0),
      }))
      .filter(({ calls }) => calls > 0)
      .toSorted((a, b) => b.calls - a.calls);
    return { statements };
  };
}
