import type pg from "pg";
import { pool } from "./pool.ts";

export interface World {
  id: number;
  randomNumber: number;
}

const ROWS = 10_000;
const MOST = 500;
const COLUMNS = 'SELECT id, random_number AS "randomNumber"';

/** Returns the number of rows in the parameter `queries`. */
export function countOf(text = ""): number {
  return /^\d+$/.test(text) ? Math.min(MOST, Math.max(1, Number(text))) : 1;
}

export async function randomRow(client: Pick<pg.ClientBase, "query"> = pool): Promise<World> {
  const { rows } = await client.query({
    name: "world",
    text: `${COLUMNS} FROM world WHERE id = $1`,
    values: [random()],
  });
  return rows[0];
}

/** Queries on one connection, sent together: https://node-postgres.com/features/pipelining */
export async function randomRows(count: number): Promise<World[]> {
  const client = await pool.connect();
  try {
    return await Promise.all(Array.from({ length: count }, () => randomRow(client)));
  } finally {
    client.release();
  }
}

export async function updatedRows(count: number): Promise<World[]> {
  const rows = await randomRows(count);
  for (const row of rows) row.randomNumber = random();
  // The same order in all transactions, so that two updates cannot deadlock
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

let cache: Promise<Map<number, World>> | null = null;

/** Returns rows of a cache that the first request fills. */
export async function cachedRows(count: number): Promise<(World | undefined)[]> {
  cache ??= readAll().catch((error) => {
    cache = null;
    throw error;
  });
  const rows = await cache;
  return Array.from({ length: count }, () => rows.get(random()));
}

async function readAll(): Promise<Map<number, World>> {
  const { rows } = await pool.query<World>(`${COLUMNS} FROM cached_world`);
  return new Map(rows.map((row) => [row.id, row]));
}

function random(): number {
  return 1 + Math.floor(ROWS * Math.random());
}
