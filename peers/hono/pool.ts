import { env } from "node:process";
import pg from "pg";

export const pool = new pg.Pool({
  connectionString: env.DATABASE_URL,
  max: Number(env.DB_POOL ?? 10),
  pipeline: true,
  idleTimeoutMillis: 0, // by default, connections close after ten idle seconds
});
pool.on("error", console.error);
