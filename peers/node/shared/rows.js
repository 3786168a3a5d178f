import { pool } from "./pool.js";

/** The database's time. Each query has a name, so that a connection prepares it only once. */
export async function now() {
  const { rows } = await pool.query({ name: "now", text: "SELECT now() AS ts" });
  return rows[0];
}

/** Ten users at a random offset. */
export async function users() {
  const { rows } = await pool.query({
    name: "users",
    text: "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1",
    values: [Math.floor(Math.random() * 199_991)],
  });
  return rows;
}

/** All books. */
export async function books() {
  const { rows } = await pool.query({ name: "books", text: "SELECT * FROM books" });
  return rows;
}
