import {
  deepStrictEqual,
  match,
  notDeepStrictEqual,
  rejects,
  strictEqual,
} from "node:assert/strict";
import { connect, type DatabaseClient } from "../database/client.ts";
import { startEmbedded } from "../database/embedded.ts";
import { createTables, dropTables, TABLES } from "../database/tables.ts";
import type { Facts } from "../model/scenario.ts";
import { ProcessScope } from "../process/scope.ts";
import {
  type Behaviour,
  HELLO,
  JSON_TYPE,
  problemOf,
  server as serverOf,
} from "./conformance_testdata.ts";
import { withChangedRows } from "./rows.ts";

const SQL2 = "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1";
const LAST = 199_990;

/** Starts a server with these functions as its routes. */
function site(
  page: () => Promise<readonly unknown[]>,
  books: () => Promise<readonly unknown[]> = () => Promise.resolve([]),
): Behaviour {
  return {
    respond: async ({ path }) => ({
      headers: JSON_TYPE,
      body: JSON.stringify(
        path === "/sql2" ? await page() : { from: "test", data: await books() },
      ),
    }),
  };
}

function anywhere(): number {
  return Math.floor(Math.random() * (LAST + 1));
}

Deno.test("the checks of rows, with a real PostgreSQL", async (t) => {
  await using scope = new ProcessScope();
  const { address } = await startEmbedded(scope, 5, null);
  await using client = await connect(address);
  await using server = await connect(address);
  await createTables(client);
  const facts: Facts = { helloHtml: HELLO, rows: (sql, values) => client.query(sql, values) };
  const page = (offset: number, from: DatabaseClient = server): Promise<unknown[]> =>
    from.query(SQL2, [offset]);
  const books = (): Promise<unknown[]> => server.query("SELECT * FROM books");
  const ask = (id: string, behaviour: Behaviour, scenarios = ["sql2", "books"]) =>
    problemOf(id, behaviour, serverOf(scenarios), facts);

  await t.step("no-cache: rows as they are now", async () => {
    strictEqual(await ask("no-cache", site(() => page(anywhere()), books)), null);
    strictEqual(await ask("random-offsets", site(() => page(anywhere()))), null);
  });

  await t.step("no-cache: a server that keeps the books", async () => {
    const kept = await books();
    const keeping = site(() => page(anywhere()), () => Promise.resolve(kept));
    match(
      await ask("no-cache", keeping) ?? "",
      /^expected "Pride and Prejudice [0-9a-f]{8}".* once every row was changed, got "Pride and Prejudice",/,
    );
    strictEqual(await ask("no-cache", keeping, ["sql2"]), null);
  });

  await t.step("no-cache: a server that keeps the users", async () => {
    const all = await server.query("SELECT id, full_name, email FROM users");
    const slice = (offset: number): unknown[] => all.slice(offset, offset + 10);
    const keeping = site(() => Promise.resolve(slice(anywhere())), books);
    match(await ask("no-cache", keeping) ?? "", /^expected .* once every row was changed, got /);
  });

  await t.step("no-cache: a server whose transaction stays open", async () => {
    await using other = await connect(address);
    await other.query("BEGIN");
    const open = site(() => page(anywhere(), other), books);
    match(await ask("no-cache", open) ?? "", /: the server has left a transaction open$/);
  });

  await t.step("random-offsets: offsets that are not all over the table", async () => {
    const problem = (offset: () => number): Promise<string | null> =>
      ask("random-offsets", site(() => page(offset())));
    strictEqual(
      await problem(() => 777),
      "expected 60 pages at random offsets, got only 1 different",
    );
    const few = /^expected 60 pages at random offsets, got only \d+ different$/;
    match(await problem(() => anywhere() % 50) ?? "", few);
    const narrow = /^expected 60 offsets all over 200000 rows, got offsets from \d+ to \d+ only$/;
    match(await problem(() => Math.floor(anywhere() / 2)) ?? "", narrow);
    match(await problem(() => LAST - Math.floor(anywhere() / 2)) ?? "", narrow);
    let next = 0;
    match(await problem(() => next += 10) ?? "", narrow);
  });
});

/** Everything about the tables that can influence a measurement: rows, their positions, and files. */
const STATE = `
  SELECT relname, pg_relation_filepath(oid) AS file, pg_relation_size(oid)::int AS size,
         relallvisible, reltuples, obj_description(relnamespace, 'pg_namespace') AS mark
    FROM pg_class WHERE relnamespace = 'stampede'::regnamespace ORDER BY relname`;
const BOOKS = "SELECT ctid, * FROM books";
const USERS = "SELECT md5(string_agg(ctid || full_name || email, '' ORDER BY ctid)) FROM users";
const TITLE = "SELECT title FROM books WHERE id = 10";

Deno.test("withChangedRows on a real PostgreSQL", async (t) => {
  await using scope = new ProcessScope();
  const { address } = await startEmbedded(scope, 5, null);
  await using client = await connect(address);
  await using server = await connect(address);
  await createTables(client);
  const query = client.query;
  const state = async (): Promise<unknown> => [
    await query(STATE),
    await query(BOOKS),
    await query(USERS),
  ];
  const original = await state();

  await t.step(
    "shows other rows, each of them changed, and brings the same tables back",
    async () => {
      const [books, users] = [await server.query(BOOKS), await server.query("TABLE users")];
      await withChangedRows(query, async () => {
        const changed = await server.query<{ id: number }>(BOOKS);
        changed.forEach((book, i) => notDeepStrictEqual(book, books[i]));
        deepStrictEqual(changed.map(({ id }) => id), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        const others = await server.query<object>("TABLE users");
        const same = others.filter((user, i) =>
          Object.values(user).join() === Object.values(users[i] ?? {}).join()
        );
        deepStrictEqual([others.length, same.length], [200_000, 0]);
      });
      deepStrictEqual(await state(), original);
    },
  );

  await t.step("a statement that was prepared before sees them", async () => {
    await server.query("PREPARE kim AS SELECT * FROM books WHERE id = 10");
    const kim = async (): Promise<string> =>
      (await server.query<{ title: string }>("EXECUTE kim"))[0]?.title ?? "";
    strictEqual(await kim(), "Kim");
    await withChangedRows(query, async () => match(await kim(), /^Kim [0-9a-f]{8}$/));
    strictEqual(await kim(), "Kim");
  });

  await t.step("brings them back after a failure", async () => {
    const failure = new Error("no");
    await rejects(withChangedRows(query, () => Promise.reject(failure)), failure);
    deepStrictEqual(await state(), original);
  });

  await t.step("does not wait for a transaction that was left open", async () => {
    await server.query("BEGIN; SELECT 1 FROM books");
    await rejects(withChangedRows(query, () => Promise.reject(new Error("not reached"))), {
      name: "Mismatch",
      message: /^expected the tables to be unlocked .*: the server has left a transaction/,
    });
    await server.query("ROLLBACK");
    deepStrictEqual(await state(), original);
  });

  await t.step("the next run makes the tables anew if they were not brought back", async () => {
    await rejects(
      withChangedRows(query, async () => {
        await server.query("BEGIN; SELECT 1 FROM books"); // a state as after a killed run
      }),
      { name: "Failure", message: /^Cannot restore the tables .*The next run recreates them$/ },
    );
    await server.query("ROLLBACK");
    match((await query<{ title: string }>(TITLE))[0]?.title ?? "", /^Kim [0-9a-f]{8}$/);
    await createTables(client);
    const [relations, ...rows] = await state() as [{ relname: string }[], ...unknown[]];
    deepStrictEqual(rows, (original as unknown[]).slice(1));
    const names = TABLES.flatMap((table) => [table, `${table}_pkey`]).sort();
    deepStrictEqual(relations.map(({ relname }) => relname), names);
    strictEqual(await dropTables(client), true);
    deepStrictEqual(await query("SELECT FROM pg_namespace WHERE nspname = 'stampede'"), []);
  });
});
