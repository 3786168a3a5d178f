import {
  deepStrictEqual,
  match,
  notDeepStrictEqual,
  rejects,
  strictEqual,
} from "node:assert/strict";
import { createDatabase } from "../../tests/cluster.ts";
import { address, connect } from "./client.ts";
import { createTables, dropTables, withChangedRows } from "./tables.ts";

/** Everything about the tables that can influence a measurement: rows, their positions, and files. */
const STATE = `
  SELECT relname, pg_relation_filepath(oid) AS file, pg_relation_size(oid)::int AS size,
         relallvisible, reltuples, obj_description(relnamespace, 'pg_namespace') AS mark
    FROM pg_class WHERE relnamespace = 'stampede'::regnamespace ORDER BY relname`;
const BOOKS = "SELECT ctid, * FROM books";
const USERS = "SELECT md5(string_agg(ctid || full_name || email, '' ORDER BY ctid)) FROM users";
const TITLE = "SELECT title FROM books WHERE id = 10";

Deno.test("withChangedRows on a real PostgreSQL", async (t) => {
  await using database = await createDatabase();
  const place = address(new URL(database.url));
  await using client = await connect(place);
  await using server = await connect(place);
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
    const names = ["books", "cached_world", "fortune", "users", "world"].flatMap((
      table,
    ) => [table, `${table}_pkey`]).sort();
    deepStrictEqual(relations.map(({ relname }) => relname), names);
    strictEqual(await dropTables(client), true);
    deepStrictEqual(await query("SELECT FROM pg_namespace WHERE nspname = 'stampede'"), []);
  });
});
