/** Queries the database twice for each response instead of once. */
import pg from "pg";

const pool = new pg.Pool({ connectionString: Deno.env.get("DATABASE_URL"), max: 10 });
Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")), onListen: () => {} },
  async () => {
    await pool.query("SELECT 1");
    return Response.json((await pool.query("SELECT now() AS ts")).rows[0]);
  },
);
