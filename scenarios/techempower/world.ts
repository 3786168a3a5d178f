/** TechEmpower's scenarios that return rows of a table with 10,000 random numbers. */

import { Mismatch } from "../../src/model/errors.ts";
import type { Check, Facts, HttpResponse, Scenario } from "../../src/model/scenario.ts";
import { check, expectEqual, expectNamed, get, json } from "../expect.ts";
import { OF_DATABASE, USUAL } from "../usual.ts";

/** A row of the table `world` in a response. */
interface World {
  readonly id: number;
  readonly randomNumber: number;
}
type Table = "world" | "cached_world";

/** Returns the rows of a response. Throws a `Mismatch` unless their number is `count`. */
type Verify = (response: HttpResponse, count: number, facts: Facts) => World[] | Promise<World[]>;

/** Number of rows in the table, and the largest `randomNumber`. */
const SIZE = 10_000;
/** Maximum number of rows in one response, by TechEmpower's rules. */
const MOST = 500;
/** Number of rows under load, and of responses with one row that a check requests. */
const ROWS = 20;
/**
 * Maximum number of repeated rows in a response. Among 20 random rows out of 10,000, more than five
 * are equal in less than one of 10^12 responses.
 */
const MAY_REPEAT = 5;

/** Pattern of a row in a response under load, with its keys in any order. */
const ROW = String
  .raw`\{\s*("id":\s*\d+\s*,\s*"randomNumber":\s*\d+|"randomNumber":\s*\d+\s*,\s*"id":\s*\d+)\s*\}`;

/** One random row of 10,000. */
export const db: Scenario = {
  ...OF_DATABASE,
  id: "db",
  title: "one random row of 10,000",
  request: get("/db"),
  checks: [{
    name: "returns random rows of the database",
    async run(ask, facts): Promise<void> {
      const rows = await Array.fromAsync({ length: ROWS }, () => ask(get("/db")));
      expectRandom(await expectOfTable("world", rows.map(expectOne), facts));
    },
  }],
  expect: expectOne,
  underLoad: new RegExp(String.raw`^\s*${ROW}\s*$`),
  isDefault: false,
};

/** Random rows, each read by a separate query. */
export const queries: Scenario = {
  ...OF_DATABASE,
  ...severalRows("/queries", readFrom("world")),
  id: "queries",
  title: `${ROWS} random rows of 10,000, each by its own query`,
  queries: ROWS,
};

/** Random rows, each read by a separate query. The server changes and writes them. */
export const updates: Scenario = {
  ...OF_DATABASE,
  ...severalRows("/updates", {
    name: "writes the rows that it returns",
    verify: expectWritten,
    verifyNumber: expectWritten,
  }),
  id: "updates",
  title: `${ROWS} random rows of 10,000, read, changed and written`,
  queries: ROWS + 1,
  // One statement may write all rows, or each row may have one. BEGIN and COMMIT do not count
  moreQueries: ROWS - 1,
  writes: ROWS,
};

/** Random rows of a cache that the server fills once from the database. */
export const cached: Scenario = {
  ...USUAL,
  ...severalRows("/cached", readFrom("cached_world")),
  id: "cached",
  title: `${ROWS} random rows from the server's cache of 10,000`,
  readsAhead: true,
};

/** The first check of a scenario with several rows, and the check of their number. */
interface RowChecks {
  readonly name: string;
  readonly verify: Verify;
  readonly verifyNumber: Verify;
}

function severalRows(
  path: string,
  { name, verify, verifyNumber }: RowChecks,
): Pick<Scenario, "request" | "checks" | "expect" | "underLoad" | "isDefault"> {
  const request = get(`${path}?queries=${ROWS}`);
  return {
    request,
    checks: [
      check(name, request, async (response, facts) => {
        expectRandom(await verify(response, ROWS, facts));
      }),
      clamps(path, verifyNumber),
    ],
    expect: (response) => void expectSeveral(response, ROWS),
    underLoad: new RegExp(String.raw`^\s*\[(\s*${ROW}\s*,){${ROWS - 1}}\s*${ROW}\s*\]\s*$`),
    isDefault: false,
  };
}

function readFrom(table: Table): RowChecks {
  return {
    name: "returns random rows of the database",
    verify: (response, count, facts) => expectOfTable(table, expectSeveral(response, count), facts),
    verifyNumber: expectSeveral,
  };
}

/** Returns a check of the parameter `queries`, for which the route uses 1 if it is not a number. */
function clamps(path: string, verify: Verify): Check {
  const cases: readonly (readonly [string, number])[] = [
    ["", 1],
    ["?queries=", 1],
    ["?queries=many", 1],
    ["?queries=0", 1],
    ["?queries=-3", 1],
    ["?queries=%2B7", 1],
    ["?queries=7", 7],
    [`?queries=${MOST + 1}`, MOST],
    ["?queries=99999999999", MOST],
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

function expectOne(response: HttpResponse): World {
  expectNamed(response);
  return expectWorld(json(response));
}

function expectSeveral(response: HttpResponse, count: number): World[] {
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
    const isRight = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= SIZE;
    if (!isRight) {
      throw new Mismatch(`${name} from 1 to ${SIZE}`, JSON.stringify(value) ?? "nothing");
    }
  }
  return { id: Number(id), randomNumber: Number(randomNumber) };
}

async function expectOfTable(table: Table, rows: World[], facts: Facts): Promise<World[]> {
  const found = await rowsOf(table, rows, facts);
  expectEqual(rows, rows.map(({ id }) => found.get(id)));
  return rows;
}

/** Checks that the rows in the response are in the table. No other client writes during the checks. */
async function expectWritten(
  response: HttpResponse,
  count: number,
  facts: Facts,
): Promise<World[]> {
  const rows = expectSeveral(response, count);
  const table = await rowsOf("world", rows, facts);
  // If a row was drawn twice, either number may have been written last
  const isWritten = ({ id }: World): boolean =>
    rows.some((row) => row.id === id && row.randomNumber === table.get(id)?.randomNumber);
  const lost = rows.find((row) => !isWritten(row));
  if (lost === undefined) return rows;
  throw new Mismatch(
    `${JSON.stringify(lost)} to be written`,
    `${JSON.stringify(table.get(lost.id))} in the table`,
  );
}

/** Returns the rows of a table that have the ids of the given rows, by id. */
async function rowsOf(
  table: Table,
  rows: readonly World[],
  facts: Facts,
): Promise<ReadonlyMap<number, World>> {
  const found = await facts.rows(
    `SELECT id, random_number AS "randomNumber" FROM ${table} WHERE id = ANY($1)`,
    [rows.map(({ id }) => id)],
  ) as World[];
  return new Map(found.map((row) => [row.id, row]));
}

/** Checks that at most {@linkcode MAY_REPEAT} rows repeat others, as if they were random. */
function expectRandom(rows: readonly World[]): void {
  const distinct = new Set(rows.map(({ id }) => id)).size;
  if (distinct < rows.length - MAY_REPEAT) {
    throw new Mismatch(`${rows.length} random rows`, `only ${distinct} different ones`);
  }
}
