import { Eta } from "eta";
import type { ServerDatabase, Statement } from "../database.ts";
import { isoTime } from "../iso_time.ts";
import { MAX_QUERIES } from "../limits.ts";
import { parameter } from "../problem.ts";
import type { RouteHandler } from "../router.ts";
import { NAMED } from "./plain.ts";

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

/** Returns the handler of `GET /sql1`: it sends the database's time, the cheapest possible query. */
export function now(database: ServerDatabase): RouteHandler {
  return async (request) => {
    const [row] = await database.query(NOW, [], request) as [{ readonly ts: Date }];
    // `JSON.stringify` would call the Date's `toJSON`, which takes ten times as long
    return Response.json({ ts: isoTime(row.ts.getTime()) });
  };
}

/** Returns the handler of `GET /sql2`: ten users from a random offset; PostgreSQL scans up to it. */
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

/** A row of the table `world` or `cached_world`, as in a response. */
type World = { readonly id: number; randomNumber: number };

/** Number of rows in each of the tables `world` and `cached_world`, and the largest `randomNumber`. */
const ROWS = 10_000;
/** Maximum number of rows in one response, by TechEmpower's rules. */
const MOST = 500;
const COLUMNS = `SELECT id, random_number AS "randomNumber"`;
const ONE: Statement = { name: "world", text: `${COLUMNS} FROM world WHERE id = $1` };
const ALL_CACHED: Statement = { name: "cached_world", text: `${COLUMNS} FROM cached_world` };
const UPDATE: Statement = {
  name: "update_world",
  text: `UPDATE world SET random_number = changed.number
         FROM unnest($1::int[], $2::int[]) AS changed (id, number)
         WHERE world.id = changed.id`,
};
const INIT = { headers: NAMED };

/** Returns the handler of `GET /db`: it sends a random row. */
export function db(database: ServerDatabase): RouteHandler {
  return async (request) => Response.json(await randomRow(database, request), INIT);
}

/** Returns the handler of `GET /queries`: it sends random rows, each read by a separate query. */
export function queries(database: ServerDatabase): RouteHandler {
  return async (request, url) =>
    Response.json(await randomRows(database, request, countOf(url)), INIT);
}

/** Returns the handler of `GET /updates`: it reads rows one by one, and writes them together. */
export function updates(database: ServerDatabase): RouteHandler {
  return async (request, url) => {
    const rows = await randomRows(database, request, countOf(url));
    for (const row of rows) row.randomNumber = random();
    // The same order in all transactions, so that two updates cannot deadlock
    const changed = rows.toSorted((a, b) => a.id - b.id);
    const values = [changed.map(({ id }) => id), changed.map(({ randomNumber }) => randomNumber)];
    await database.query(UPDATE, values, request);
    return Response.json(rows, INIT);
  };
}

/** Returns the handler of `GET /cached`: random rows from a cache that the first request fills. */
export function cached(database: ServerDatabase): RouteHandler {
  let filling: Promise<ReadonlyMap<number, World>> | null = null;
  const fill = async (request: Request): Promise<ReadonlyMap<number, World>> => {
    const rows = await database.query(ALL_CACHED, [], request) as World[];
    return new Map(rows.map((row) => [row.id, row]));
  };
  return async (request, url) => {
    filling ??= fill(request).catch((error) => {
      filling = null;
      throw error;
    });
    const cache = await filling;
    return Response.json(Array.from({ length: countOf(url) }, () => cache.get(random())), INIT);
  };
}

async function randomRow(database: ServerDatabase, request: Request): Promise<World> {
  const [row] = await database.query(ONE, [random()], request) as [World];
  return row;
}

/** Reads rows with one query each. It stops if one query fails or the client disconnects. */
async function randomRows(
  database: ServerDatabase,
  request: Request,
  count: number,
): Promise<World[]> {
  const { signal } = request;
  const rows: World[] = [];
  let left = count;
  const readRows = async (): Promise<void> => {
    while (left-- > 0) {
      signal.throwIfAborted();
      rows.push(await randomRow(database, request));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(count, MAX_QUERIES) }, readRows));
  } finally {
    left = 0;
  }
  return rows;
}

function random(): number {
  return 1 + Math.floor(ROWS * Math.random());
}

/** Returns the number of rows that `?queries=` requests, from 1 to `MOST`; 1 if it is not decimal. */
function countOf(url: string): number {
  const text = parameter(url, "queries") ?? "";
  return /^\d+$/.test(text) ? Math.min(MOST, Math.max(1, Number(text))) : 1;
}

type Fortune = Readonly<{ id: number; message: string }>;

const ALL_FORTUNES: Statement = { name: "fortunes", text: "SELECT id, message FROM fortune" };
/** The row that each response adds, by TechEmpower's rules. */
const ADDED: Fortune = { id: 0, message: "Brewed for this very request." };
const HTML = { headers: { "content-type": "text/html;charset=utf-8", ...NAMED } };
const TEMPLATE = `<!DOCTYPE html>
<html>
<head><title>Fortunes</title></head>
<body>
<table>
<tr><th>id</th><th>message</th></tr>
<% for (const { id, message } of it) { %>
<tr><td><%= id %></td><td><%= message %></td></tr>
<% } %>
</table>
</body>
</html>
`;

/** Returns the handler of `GET /fortunes`: a page of sorted rows with one more, and escaped text. */
export function fortunes(database: ServerDatabase): RouteHandler {
  const eta = new Eta();
  const page = eta.compile(TEMPLATE);
  return async (request) => {
    const rows = await database.query(ALL_FORTUNES, [], request) as Fortune[];
    const sorted = [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
    return new Response(eta.render(page, sorted), HTML);
  };
}
