import { match, strictEqual } from "node:assert/strict";
import { createDatabase } from "../../tests/cluster.ts";
import { address, connect, type DatabaseClient } from "../database/client.ts";
import type { Facts } from "../model/scenario.ts";
import {
  type Behaviour,
  HELLO,
  JSON_TYPE,
  problemOf,
  server as serverOf,
} from "./conformance_testdata.ts";

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
  await using database = await createDatabase();
  const place = address(new URL(database.url));
  await using client = await connect(place);
  await using server = await connect(place);
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
    await using other = await connect(place);
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
