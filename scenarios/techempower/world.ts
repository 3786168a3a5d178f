import { Mismatch } from "../../src/model/errors.ts";
import type { Check, Facts, HttpRequest, HttpResponse } from "../../src/model/scenario.ts";
import { expectEqual, get, json } from "../expect.ts";
import { expectNamed } from "./head.ts";

/** A row of the table `world`, as servers answer it. */
export interface World {
  readonly id: number;
  readonly randomNumber: number;
}

/** Rows of the table, and the most that a number in it may be. */
const ROWS = 10_000;
/** What one response takes of rows at most. */
const MOST = 500;
/** Of 20 random rows out of 10,000, more than five equal ones come less often than once in 10^12 answers. */
const MAY_REPEAT = 5;

/** A row as a body under load has it, with its keys in any order. */
const ROW = String
  .raw`\{\s*("id":\s*\d+\s*,\s*"randomNumber":\s*\d+|"randomNumber":\s*\d+\s*,\s*"id":\s*\d+)\s*\}`;
/** A body of one row. */
export const ONE_ROW = new RegExp(String.raw`^\s*${ROW}\s*$`);

/** A body of so many rows. */
export function severalRows(count: number): RegExp {
  return new RegExp(String.raw`^\s*\[(\s*${ROW}\s*,){${count - 1}}\s*${ROW}\s*\]\s*$`);
}

/** The row of a response; fails if it has none. */
export function expectOne(response: HttpResponse): World {
  expectNamed(response);
  return expectWorld(json(response));
}

/** So many rows of a response; fails if it has others. */
export function expectSeveral(response: HttpResponse, count: number): World[] {
  expectNamed(response);
  const rows = json(response);
  if (!Array.isArray(rows)) throw new Mismatch(`a list of ${count} rows`, "no list");
  if (rows.length !== count) throw new Mismatch(`${count} rows`, `${rows.length} rows`);
  return rows.map(expectWorld);
}

function expectWorld(row: unknown): World {
  const { id, randomNumber, ...rest } = Object(row) as Record<string, unknown>;
  expectEqual(rest, {});
  for (const [name, value] of Object.entries({ id, randomNumber })) {
    const isRight = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= ROWS;
    if (!isRight) {
      throw new Mismatch(`${name} from 1 to ${ROWS}`, JSON.stringify(value) ?? "nothing");
    }
  }
  return { id: Number(id), randomNumber: Number(randomNumber) };
}

/** Fails unless the rows are those of a table of the database. */
export async function expectOfTable(
  rows: readonly World[],
  table: "world" | "cached_world",
  facts: Facts,
): Promise<void> {
  const found = await rowsOf(table, rows, facts);
  expectEqual(rows, rows.map(({ id }) => found.get(id)));
}

/** The rows of a table that have the ids of these. */
export async function rowsOf(
  table: "world" | "cached_world",
  rows: readonly World[],
  facts: Facts,
): Promise<ReadonlyMap<number, World>> {
  const found = await facts.rows(
    `SELECT id, random_number AS "randomNumber" FROM ${table} WHERE id = ANY($1)`,
    [rows.map(({ id }) => id)],
  ) as World[];
  return new Map(found.map((row) => [row.id, row]));
}

/** Fails unless the rows are as different as random ones. */
export function expectRandom(rows: readonly World[]): void {
  const distinct = new Set(rows.map(({ id }) => id)).size;
  if (distinct < rows.length - MAY_REPEAT) {
    throw new Mismatch(`${rows.length} random rows`, `only ${distinct} different ones`);
  }
}

/**
 * A check that a route keeps the parameter `queries` between 1 and 500, and takes 1 for what is no number.
 *
 * @param look fails unless a response has so many right rows
 */
export function clamps(
  path: string,
  look: (response: HttpResponse, count: number, facts: Facts) => void | Promise<void>,
): Check {
  const cases: readonly (readonly [string, number])[] = [
    ["", 1],
    ["?queries=", 1],
    ["?queries=many", 1],
    ["?queries=0", 1],
    ["?queries=-3", 1],
    ["?queries=7", 7],
    [`?queries=${MOST + 1}`, MOST],
  ];
  return {
    name: `keeps the number of rows between 1 and ${MOST}`,
    async run(ask, facts): Promise<void> {
      for (const [query, count] of cases) {
        try {
          await look(await ask(get(path + query)), count, facts);
        } catch (error) {
          if (!(error instanceof Mismatch)) throw error;
          throw new Mismatch(`${error.expected} for "${query}"`, error.got);
        }
      }
    },
  };
}

/** Asks several times, and returns the responses. */
export async function askedOften(
  ask: (request: HttpRequest) => Promise<HttpResponse>,
  request: HttpRequest,
  times: number,
): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let i = 0; i < times; i++) responses.push(await ask(request));
  return responses;
}
