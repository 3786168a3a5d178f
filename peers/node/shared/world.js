import { pool } from "./pool.js";

const ROWS = 10_000;
const MOST = 500;
const COLUMNS = 'SELECT id, random_number AS "randomNumber"';

/** How many rows the parameter `queries` asks for. */
export function countOf(text) {
  return /^\d+$/.test(text) ? Math.min(MOST, Math.max(1, Number(text))) : 1;
}

export async function randomRow(client = pool) {
  const { rows } = await client.query({
    name: "world",
    text: `${COLUMNS} FROM world WHERE id = $1`,
    values: [random()],
  });
  return rows[0];
}

/** Queries on one connection, sent together: https://node-postgres.com/features/pipelining */
export async function randomRows(count) {
  const client = await pool.connect();
  try {
    return await Promise.all(Array.from({ length: count }, () => randomRow(client)));
  } finally {
    client.release();
  }
}

export async function updatedRows(count) {
  const rows = await randomRows(count);
  for (const row of rows) row.randomNumber = random();
  // In one order everywhere, or else two updates may wait for each other
  const changed = rows.toSorted((a, b) => a.id - b.id);
  await pool.query({
    name: "update_world",
    text: `UPDATE world SET random_number = changed.number
           FROM unnest($1::int[], $2::int[]) AS changed (id, number)
           WHERE world.id = changed.id`,
    values: [changed.map(({ id }) => id), changed.map(({ randomNumber }) => randomNumber)],
  });
  return rows;
}

let cache = null;

/** Rows of a cache that the first request fills. */
export async function cachedRows(count) {
  cache ??= readAll().catch((error) => {
    cache = null;
    throw error;
  });
  const rows = await cache;
  return Array.from({ length: count }, () => rows.get(random()));
}

async function readAll() {
  const { rows } = await pool.query(`${COLUMNS} FROM cached_world`);
  return new Map(rows.map((row) => [row.id, row]));
}

function random() {
  return 1 + Math.floor(ROWS * Math.random());
}
