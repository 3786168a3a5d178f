/** The server of "deno-http-server-benchmark" (2022) on today's Deno and today's deno-postgres. */
import { Pool } from "@db/postgres";

const { DATABASE_URL, DB_POOL = "10", HOST = "127.0.0.1", PORT = "8000" } = Deno.env.toObject();
const LAST_OFFSET = 200_000 - 10;

// Connections open on demand, because a run without a database has no URL.
const pool = new Pool(DATABASE_URL, Number(DB_POOL), true);

async function rows(sql: string, ...values: unknown[]): Promise<unknown[]> {
  using client = await pool.connect();
  return (await client.queryObject(sql, values)).rows;
}

Deno.serve({ hostname: HOST, port: Number(PORT), onListen: () => {} }, async ({ url }) => {
  switch (new URL(url).pathname) {
    case "/":
      return new Response("Hello world");
    case "/json":
      return Response.json({ message: "Hello world", ts: new Date() });
    case "/sql1":
      return Response.json((await rows("SELECT now() AS ts"))[0]);
    case "/sql2":
      return Response.json(
        await rows(
          "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1",
          Math.floor(Math.random() * (LAST_OFFSET + 1)),
        ),
      );
    default:
      return new Response("Not found", { status: 404 });
  }
});
