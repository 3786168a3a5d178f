import { Mismatch } from "../src/model/errors.ts";
import type { Facts, HttpResponse, Scenario } from "../src/model/scenario.ts";
import { expectEqual, get, json } from "./expect.ts";
import { OF_DATABASE } from "./usual.ts";

const request = get("/sql2");
/** Number of pages that the check requests. */
const PAGES = 5;

/** A page at a random offset. PostgreSQL has to scan the rows before it. */
export const sql2: Scenario = {
  ...OF_DATABASE,
  id: "sql2",
  title: "10 of 200,000 rows at a random offset",
  request,
  checks: [
    {
      name: "returns rows of the database, different ones each time",
      async run(ask, facts): Promise<void> {
        const first = new Set<number>();
        for (let i = 0; i < PAGES; i++) first.add(await expectPage(await ask(request), facts));
        if (first.size < 2) {
          throw new Mismatch(`${PAGES} pages at random offsets`, `the same page ${PAGES} times`);
        }
      },
    },
  ],
  // Ten objects with these three keys, in any order.
  underLoad:
    /^\[\s*(\{\s*(("id":\s*\d+|"full_name":\s*"[^"]+"|"email":\s*"[^"]+")\s*,?\s*){3}\}\s*,?\s*){10}\]\s*$/,
  expect: expectRows,
};

/** Returns the ids of the page's rows; throws a `Mismatch` unless there are ten. */
export function expectRows(response: HttpResponse): number[] {
  const page = json(response) as { id: number }[];
  if (!Array.isArray(page) || page.length !== 10) {
    throw new Mismatch("10 rows", Array.isArray(page) ? `${page.length} rows` : "not a list");
  }
  const ids = page.map(({ id }) => id);
  if (!ids.every(Number.isInteger)) throw new Mismatch("whole ids", JSON.stringify(ids));
  return ids;
}

/** Returns the first id of the page; throws a `Mismatch` if its rows differ from the database. */
async function expectPage(response: HttpResponse, facts: Facts): Promise<number> {
  const ids = expectRows(response);
  const rows = await facts.rows(
    "SELECT id, full_name, email FROM users WHERE id = ANY($1) ORDER BY array_position($1, id)",
    [ids],
  );
  expectEqual(json(response), rows);
  return ids[0] ?? 0;
}
