import { Mismatch } from "../../src/model/errors.ts";
import type { Check, Facts, HttpRequest, HttpResponse } from "../../src/model/scenario.ts";
import { expectEqual, get, json } from "../expect.ts";
import { expectNamed } from "./head.ts";

/** A row of the table `world` in a response. */
export interface World {
  readonly id: number;
  readonly randomNumber: number;
}

/** Number of rows in the table, and the largest `randomNumber`. */
const ROWS = 10_000;
/** Maximum number of rows in one response, by TechEmpower's rules. */
const MOST = 500;
/**
 * Maximum number of repeated rows in a response. Among 20 random rows out of 10,000, more than five
 * are equal in less than one of 10^12 responses.
 */
const MAY_REPEAT = 5;

/** Pattern of a row in a response under load, with its keys in any order. */
const ROW = String
  .raw`\{\s*("id":\s*\d+\s*,\s*"randomNumber":\s*\d+|"randomNumber":\s*\d+\s*,\s*"id":\s*\d+)\s*\}`;
/** Pattern of a body with one row. */
export const ONE_ROW = new RegExp(String.raw`^\s*${ROW}\s*$`);

/** Returns the pattern of a body with this number of rows. */
export function severalRows(count: number): RegExp {
  return new RegExp(String.raw`^\s*\[(\s*${ROW}\s*,){${count - 1}}\s*${ROW}\s*\]\s*$`);
}

/**
 * Returns the only row of a response.
 *
 * @throws {Mismatch} if the response is anything else.
 */
export function expectOne(response: HttpResponse): World {
  expectNamed(response);
  return expectWorld(json(response));
}

/**
 * Returns the rows of a response.
 *
 * @throws {Mismatch} unless their number is `count`.
 */
export function expectSeveral(response: HttpResponse, count: number): World[] {
  expectNamed(response);
  const rows = json(response);
  if (!Array.isArray(rows)) throw new Mismatch(`a list of ${count} rows`, "not a list");
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

/**
 * Checks that the rows are in a table of the database.
 *
 * @throws {Mismatch} if they are not.
 */
export async function expectOfTable(
  rows: readonly World[],
  table: "world" | "cached_world",
  facts: Facts,
): Promise<void> {
  const found = await rowsOf(table, rows, facts);
  expectEqual(rows, rows.map(({ id }) => found.get(id)));
}

/**
 * Reads the rows of a table that have the ids of the given rows.
 *
 * @returns the rows by id
 */
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

/**
 * Checks that at most {@linkcode MAY_REPEAT} rows repeat others, as if they were random.
 *
 * @throws {Mismatch} if more do.
 */
export function expectRandom(rows: readonly World[]): void {
  const distinct = new Set(rows.map(({ id }) => id)).size;
  if (distinct < rows.length - MAY_REPEAT) {
    throw new Mismatch(`${rows.length} random rows`, `only ${distinct} different ones`);
  }
}

/**
 * Returns a check of the parameter `queries`: the route must limit it to 1 to 500, and use 1 if it is
 * not a number.
 *
 * @param verify throws unless a response has this number of correct rows
 */
export function clamps(
  path: string,
  verify: (response: HttpResponse, count: number, facts: Facts) => void | Promise<void>,
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
          await verify(await ask(get(path + query)), count, facts);
        } catch (error) {
          if (!(error instanceof Mismatch)) throw error;
          throw new Mismatch(`${error.expected} for "${query}"`, error.got);
        }
      }
    },
  };
}

/**
 * Sends a request several times.
 *
 * @returns the responses.
 */
export async function askedOften(
  ask: (request: HttpRequest) => Promise<HttpResponse>,
  request: HttpRequest,
  times: number,
): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let i = 0; i < times; i++) responses.push(await ask(request));
  return responses;
}
