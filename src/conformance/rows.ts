import { books } from "../../scenarios/books.ts";
import { expectRows, sql2 } from "../../scenarios/sql2.ts";
import { db } from "../../scenarios/techempower/db.ts";
import { fortunes } from "../../scenarios/techempower/fortunes.ts";
import { queries } from "../../scenarios/techempower/queries.ts";
import { withChangedRows } from "../database/changed_rows.ts";
import { Mismatch } from "../model/errors.ts";
import { type ConformanceCheck, type Context, implementing } from "./check.ts";

/** Scenarios with responses that contain current rows of the database. */
const ROW_SCENARIOS = [sql2, books, db, queries, fortunes];

const noCache: ConformanceCheck = {
  id: "no-cache",
  name: "returns current rows, not cached ones",
  level: "must",
  applies: implementing(...ROW_SCENARIOS.map(({ id }) => id)),
  async run(context): Promise<void> {
    await expectRowsOfDatabase(context); // a server with a cache fills it now
    await withChangedRows(
      (sql, values) => context.facts.rows(sql, values),
      () => expectRowsOfDatabase(context).catch(addChange),
    );
  },
};

function addChange(error: unknown): never {
  if (!(error instanceof Mismatch)) throw error;
  throw new Mismatch(`${error.expected} once every row was changed`, error.got);
}

/** Runs the checks of the scenarios with current rows. They compare responses with the database. */
async function expectRowsOfDatabase({ server, ask, facts, origin }: Context): Promise<void> {
  for (const { id, checks } of ROW_SCENARIOS) {
    if (!(id in server.scenarios)) continue;
    for (const check of checks) await check.run(ask, facts, origin);
  }
}

/**
 * Number of responses of `/sql2` that are checked.
 *
 * The check rarely fails a correct server by chance. All 60 random offsets miss the first quarter
 * of the table with a probability of 0.75^60 = 3.2e-8. They miss the first or the last quarter with
 * a probability of 6.4e-8.
 *
 * On average, C(60, 2) / 200,000 = 0.0089 pairs of the 60 offsets are equal if the table has
 * 200,000 rows. Three pairs are equal with a probability of 0.0089^3 / 3! = 1.2e-7. In total, about
 * one of five million correct servers fails.
 */
const RESPONSES = 60;
/**
 * Maximum number of repeated pages. {@linkcode RESPONSES} explains how rarely a correct server
 * exceeds it.
 */
const MAY_REPEAT = 2;

const randomOffsets: ConformanceCheck = {
  id: "random-offsets",
  name: "returns rows from the whole table",
  level: "must",
  applies: implementing(sql2.id),
  async run({ ask, facts }): Promise<void> {
    const firstIds: number[] = [];
    for (let i = 0; i < RESPONSES; i++) firstIds.push(expectRows(await ask(sql2.request))[0] ?? 0);
    const distinct = new Set(firstIds).size;
    if (distinct < RESPONSES - MAY_REPEAT) {
      throw new Mismatch(`${RESPONSES} pages at random offsets`, `only ${distinct} different`);
    }
    const { offsets, rows } = await placesOf(firstIds, facts);
    const [least, most] = [Math.min(...offsets), Math.max(...offsets)];
    if (least < rows / 4 && most >= rows * 3 / 4) return;
    throw new Mismatch(
      `${RESPONSES} offsets all over ${rows} rows`,
      `offsets from ${least} to ${most} only`,
    );
  },
};

/**
 * Returns the positions of rows in the order in which PostgreSQL reads the table without ORDER BY, and
 * the number of rows.
 */
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

/** The checks of database rows in the contract of the servers (docs/contract.md). */
export const ROW_CHECKS: readonly ConformanceCheck[] = [noCache, randomOffsets];
