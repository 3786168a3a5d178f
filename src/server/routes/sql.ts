/** Routes that query the database. */
import { Eta } from "eta";
import type { ServerDatabase, Statement } from "../database.ts";
import { parameter, type Routes } from "../http.ts";
import { isoTime } from "../iso_time.ts";
import { LIMITS } from "../limits.ts";
import { NAMED } from "./plain.ts";

/** Number of rows in the table `users`, and in a response to `/sql2`. */
const [USERS, PAGE] = [200_000, 10];
const NOW: Statement = { name: "now", text: "SELECT now() AS ts" };
const PAGE_OF_USERS: Statement = {
  name: "users",
  text: "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1",
};
const BOOKS: Statement = { name: "books", text: "SELECT * FROM books" };

/** A row of the table `world` or `cached_world`, as in a response. */
type World = { readonly id: number; randomNumber: number };
/** Number of rows in each of these tables, and the largest `randomNumber`. */
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

type Fortune = Readonly<{ id: number; message: string }>;
const FORTUNES: Statement = { name: "fortunes", text: "SELECT id, message FROM fortune" };
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

export function sqlRoutes(database: ServerDatabase): Routes {
  const eta = new Eta();
  const page = eta.compile(TEMPLATE);
  let cache: Promise<ReadonlyMap<number, World>> | null = null;

  const randomRow = async (request: Request): Promise<World> => {
    const [row] = await database.query(ONE, [random()], request) as [World];
    return row;
  };

  /** Reads rows with one query each. It stops if one query fails or the client disconnects. */
  const randomRows = async (request: Request, count: number): Promise<World[]> => {
    const { signal } = request;
    const rows: World[] = [];
    let left = count;
    const readRows = async (): Promise<void> => {
      while (left-- > 0) {
        signal.throwIfAborted();
        rows.push(await randomRow(request));
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(count, LIMITS.MAX_QUERIES) }, readRows));
    } finally {
      left = 0;
    }
    return rows;
  };

  return {
    /** The time of the database: the cheapest possible query. */
    "/sql1": {
      async GET(request): Promise<Response> {
        const [row] = await database.query(NOW, [], request) as [{ readonly ts: Date }];
        // `JSON.stringify` would call the Date's `toJSON`, which takes ten times as long
        return Response.json({ ts: isoTime(row.ts.getTime()) });
      },
    },
    /** Ten users from a random offset. PostgreSQL has to scan the rows before it. */
    "/sql2": {
      async GET(request): Promise<Response> {
        const offset = Math.floor(Math.random() * (USERS - PAGE + 1));
        return Response.json(await database.query(PAGE_OF_USERS, [offset], request));
      },
    },
    "/books": {
      GET: async (request) =>
        Response.json({ from: "deno", data: await database.query(BOOKS, [], request) }),
    },
    "/db": { GET: async (request) => Response.json(await randomRow(request), INIT) },
    "/queries": {
      GET: async (request, url) => Response.json(await randomRows(request, countOf(url)), INIT),
    },
    /** Reads random rows with one query each, and writes all of them with one statement. */
    "/updates": {
      async GET(request, url): Promise<Response> {
        const rows = await randomRows(request, countOf(url));
        for (const row of rows) row.randomNumber = random();
        // The same order in all transactions, so that two updates cannot deadlock
        const changed = rows.toSorted((a, b) => a.id - b.id);
        const numbers = changed.map(({ randomNumber }) => randomNumber);
        await database.query(UPDATE, [changed.map(({ id }) => id), numbers], request);
        return Response.json(rows, INIT);
      },
    },
    /** Random rows from a cache that the first request fills. */
    "/cached": {
      async GET(request, url): Promise<Response> {
        cache ??= database.query(ALL_CACHED, [], request)
          .then((rows) => new Map((rows as World[]).map((row) => [row.id, row])))
          .catch((error) => {
            cache = null;
            throw error;
          });
        const rows = await cache;
        return Response.json(Array.from({ length: countOf(url) }, () => rows.get(random())), INIT);
      },
    },
    /** A page with the rows and one more, sorted, with escaped text. */
    "/fortunes": {
      async GET(request): Promise<Response> {
        const rows = await database.query(FORTUNES, [], request) as Fortune[];
        const sorted = [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
        return new Response(eta.render(page, sorted), HTML);
      },
    },
  };
}

function random(): number {
  return 1 + Math.floor(ROWS * Math.random());
}

/** Returns the number of rows that `?queries=` requests, from 1 to `MOST`; 1 if not decimal. */
function countOf(url: string): number {
  const text = parameter(url, "queries") ?? "";
  return /^\d+$/.test(text) ? Math.min(MOST, Math.max(1, Number(text))) : 1;
}
