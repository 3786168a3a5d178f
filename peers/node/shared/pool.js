import pg from "pg";

const { DATABASE_URL, DB_POOL } = process.env;

export const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: Number(DB_POOL ?? 10),
  pipeline: true,
  idleTimeoutMillis: 0, // by default, connections close after ten idle seconds
});
pool.on("error", console.error);
