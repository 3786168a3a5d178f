import { books } from "../../scenarios/books.ts";
import { expectRows, sql2 } from "../../scenarios/sql2.ts";
import { db } from "../../scenarios/techempower/db.ts";
import { fortunes } from "../../scenarios/techempower/fortunes.ts";
import { queries } from "../../scenarios/techempower/queries.ts";
import { withChangedRows } from "../database/changed_rows.ts";
import { Mismatch } from "../model/errors.ts";
import { type ConformanceCheck, type Context, implementing } from "./check.ts";

/** Scenarios whose responses are rows as they are in the database at that time. */
const OF_ROWS = [sql2, books, db, queries, fortunes];

const noCache: ConformanceCheck = {
  id: "no-cache",
  name: "answers rows as they are now",
  level: "must",
  applies: implementing(...OF_ROWS.map(({ id }) => id)),
  async run(context): Promise<void> {
    await expectRowsOfDatabase(context); // a server that keeps responses has them now
    await withChangedRows(
      (sql, values) => context.facts.rows(sql, values),
      () => expectRowsOfDatabase(context).catch(sayWhen),
    );
  },
};

function sayWhen(error: unknown): never {
  if (!(error instanceof Mismatch)) throw error;
  throw new Mismatch(`${error.expected} once every row was changed`, error.got);
}

/** The scenarios' own checks compare with the database. */
async function expectRowsOfDatabase({ server, ask, facts, origin }: Context): Promise<void> {
  for (const { id, checks } of OF_ROWS) {
    if (!(id in server.scenarios)) continue;
    for (const check of checks) await check.run(ask, facts, origin);
  }
}

/**
 * How many responses of `/sql2` are looked at. A server that is right misses a quarter of the table's
 * offsets with all of them by 0.75^60 = 3.2e-8, either end by 6.4e-8. Among 200,000 offsets, 60 make
 * C(60, 2) / 200,000 = 0.0089 pairs of equal ones, and three by 0.0089^3 / 3! = 1.2e-7. Together, one in
 * five million right servers is called wrong.
 */
const RESPONSES = 60;
const MAY_REPEAT = 2;

const randomOffsets: ConformanceCheck = {
  id: "random-offsets",
  name: "answers rows from all over the table",
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

/** Where rows lie in the table as PostgreSQL reads it without an ORDER BY, and how many there are. */
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

/** What the contract says of the database's rows. */
export const ROW_CHECKS: readonly ConformanceCheck[] = [noCache, randomOffsets];
