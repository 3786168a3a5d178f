import { sql } from "./sql.ts";

export interface World {
  id: number;
  randomNumber: number;
}

const ROWS = 10_000;
const MOST = 500;

/** Returns the number of rows in the parameter `queries`. */
export function countOf(text = ""): number {
  return /^\d+$/.test(text) ? Math.min(MOST, Math.max(1, Number(text))) : 1;
}

export async function randomRow(): Promise<World> {
  const [row] = await sql`
    SELECT id, random_number AS "randomNumber" FROM world WHERE id = ${random()}
  `;
  return row;
}

export function randomRows(count: number): Promise<World[]> {
  return Promise.all(Array.from({ length: count }, randomRow));
}

export async function updatedRows(count: number): Promise<World[]> {
  const rows = await randomRows(count);
  for (const row of rows) row.randomNumber = random();
  // The same order in all transactions, so that two updates cannot deadlock
  const changed = rows.toSorted((a, b) => a.id - b.id);
  const ids = sql.array(changed.map(({ id }) => id), "INT");
  const numbers = sql.array(changed.map(({ randomNumber }) => randomNumber), "INT");
  await sql`
    UPDATE world SET random_number = changed.number
    FROM unnest(${ids}, ${numbers}) AS changed (id, number)
    WHERE world.id = changed.id
  `;
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
  const rows: World[] = await sql`SELECT id, random_number AS "randomNumber" FROM cached_world`;
  return new Map(rows.map((row) => [row.id, row]));
}

function random(): number {
  return 1 + Math.floor(ROWS * Math.random());
}
