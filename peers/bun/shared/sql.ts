import { SQL } from "bun";
import { env } from "node:process";

export const sql = new SQL({ url: env.DATABASE_URL, max: Number(env.DB_POOL ?? 10) });
