/** Implements `text`, `sql1` and `books`. The variable UNEQUAL names its difference from other servers. */
import pg from "pg";

const { DATABASE_URL, DB_POOL, PORT, UNEQUAL } = Deno.env.toObject();
const max = Number(DB_POOL) + (UNEQUAL === "large-pool" ? 2 : 0);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max });

async function respond(path: string): Promise<Response> {
  if (path === "/sql1") {
    if (UNEQUAL === "two-statements") await pool.query("SELECT 1");
    const { rows } = await pool.query("SELECT now() AS ts");
    return Response.json(rows[0]);
  }
  if (path === "/books") {
    const { rows } = await pool.query("SELECT * FROM books");
    return Response.json({ from: "unequal", data: rows });
  }
  const headers = new Headers({ "content-type": "text/plain;charset=UTF-8" });
  if (UNEQUAL === "header") headers.set("x-powered-by", "curiosity");
  if (UNEQUAL !== "compressed") return new Response("Hello world", { headers });
  headers.set("content-encoding", "gzip");
  const body = new Response("Hello world").body?.pipeThrough(new CompressionStream("gzip"));
  return new Response(body, { headers });
}

Deno.serve(
  { hostname: "127.0.0.1", port: Number(PORT), onListen: (): void => {} },
  ({ url }) => respond(new URL(url).pathname),
);
