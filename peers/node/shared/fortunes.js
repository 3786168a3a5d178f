import { fileURLToPath } from "node:url";
import { pool } from "./pool.js";

/** The template, for EJS. */
export const VIEWS = fileURLToPath(new URL(".", import.meta.url));
export const VIEW = "fortunes.ejs";

const ADDED = { id: 0, message: "Brewed for this very request." };

/** The database's rows and one more, sorted. */
export async function fortunes() {
  const { rows } = await pool.query({ name: "fortunes", text: "SELECT id, message FROM fortune" });
  return [...rows, ADDED].sort((a, b) => a.message < b.message ? -1 : 1);
}
