import { deepStrictEqual, ok } from "node:assert/strict";
import type { DatabaseActivity } from "../model/raw.ts";
import { ProcessScope } from "../process/scope.ts";
import { connect } from "./client.ts";
import { startEmbedded } from "./provide.ts";
import { countStatements } from "./tables.ts";

const NUMBER = "SELECT $1::int AS number";
const LENGTH = "SELECT length($1::text) AS length";

Deno.test("statements are counted between two readings of a real PostgreSQL", async (t) => {
  await using scope = new ProcessScope();
  const { address } = await startEmbedded(scope, { connections: 5 });
  await using reader = await connect(address);
  await using client = await connect(address);

  /** Returns the statements that run during `work`. */
  async function count(work: () => Promise<unknown>): Promise<DatabaseActivity> {
    const counted = await countStatements(reader);
    await work();
    return await counted();
  }

  async function times(count: number, sql: string, from = client): Promise<void> {
    for (let i = 0; i < count; i++) await from.query(sql, [i]);
  }

  await t.step("exactly, the most frequent first, and none from before", async () => {
    const counted = await countStatements(reader);
    await times(5, LENGTH);
    const { statements } = await count(async () => {
      await times(10, LENGTH);
      await times(30, NUMBER);
    });
    deepStrictEqual(statements, [
      { query: NUMBER, calls: 30, changed: null },
      { query: LENGTH, calls: 10, changed: null },
    ]);
    // Without the earlier reading, the earlier calls would count.
    const all = await counted();
    deepStrictEqual(all.statements.find(({ query }) => query === LENGTH)?.calls, 15);
  });

  await t.step("none where nothing was executed: a reading does not count itself", async () => {
    deepStrictEqual(await count(() => Promise.resolve()), { statements: [] });
    const { statements } = await count(async () => {
      for (let i = 0; i < 5; i++) await countStatements(client);
    });
    deepStrictEqual(statements, []);
  });

  await t.step("without BEGIN and COMMIT", async () => {
    await client.query("CREATE TEMPORARY TABLE t (n int)");
    const { statements } = await count(async () => {
      for (const n of [1, 2, 3]) {
        await client.query("BEGIN");
        await client.query(`INSERT INTO t VALUES (${n})`);
        await client.query("COMMIT");
      }
    });
    const insert = { query: "INSERT INTO t VALUES ($1)", calls: 3, changed: 3 };
    deepStrictEqual(statements, [insert]);
  });

  await t.step("with the rows that they change, but not those that they read", async () => {
    const { statements } = await count(async () => {
      await client.query("SELECT n AS update FROM t");
      await client.query("UPDATE t SET n = n + 1 WHERE n > $1", [1]);
      await client.query("WITH less AS (SELECT 1 AS n) UPDATE t SET n = t.n - less.n FROM less");
    });
    const changed = statements.map(({ query, changed }) => `${query.slice(0, 6)} ${changed}`);
    deepStrictEqual(changed.sort(), ["SELECT null", "UPDATE 2", "WITH l 3"]);
  });

  await t.step("of all connections together", async () => {
    await using other = await connect(address);
    const work = (): Promise<unknown> => Promise.all([times(4, NUMBER), times(3, NUMBER, other)]);
    deepStrictEqual(await count(work), {
      statements: [{ query: NUMBER, calls: 7, changed: null }],
    });
  });

  await t.step("a long statement by its beginning", async () => {
    const long = `SELECT ${"1 + ".repeat(100)}$1::int AS long`;
    const { statements } = await count(() => times(2, long));
    const [{ query, calls } = { query: "", calls: 0 }] = statements;
    ok(query.startsWith("SELECT ") && query.length === 200);
    deepStrictEqual([calls, statements.length], [2, 1]);
  });
});
