import type { ServerDatabase, Statement } from "../database.ts";
import { isoTime } from "../iso_time.ts";
import type { RouteHandler } from "../router.ts";

/** Number of rows in the table `users`. */
const USERS = 200_000;
/** Number of rows in a response to `/sql2`. */
const PAGE = 10;

const NOW: Statement = { name: "now", text: "SELECT now() AS ts" };
const PAGE_OF_USERS: Statement = {
  name: "users",
  text: "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1",
};
const BOOKS: Statement = { name: "books", text: "SELECT * FROM books" };

/**
 * Returns the handler of `GET /sql1`: it sends the time of the database, the cheapest possible query.
 */
export function now(database: ServerDatabase): RouteHandler {
  return async (request) => {
    const [row] = await database.query(NOW, [], request) as [{ readonly ts: Date }];
    // `JSON.stringify` would call the Date's `toJSON`, which takes ten times as long
    return Response.json({ ts: isoTime(row.ts.getTime()) });
  };
}

/**
 * Returns the handler of `GET /sql2`: it sends ten users from a random offset. PostgreSQL has to scan
 * the rows before it.
 */
export function users(database: ServerDatabase): RouteHandler {
  return async (request) => {
    const offset = Math.floor(Math.random() * (USERS - PAGE + 1));
    return Response.json(await database.query(PAGE_OF_USERS, [offset], request));
  };
}

/** Returns the handler of `GET /books`: it sends all rows of a small table. */
export function books(database: ServerDatabase): RouteHandler {
  return async (request) =>
    Response.json({ from: "deno", data: await database.query(BOOKS, [], request) });
}
