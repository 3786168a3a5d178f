import { Mismatch } from "../../src/model/errors.ts";
import type { Facts, HttpResponse, Scenario } from "../../src/model/scenario.ts";
import { check, get } from "../expect.ts";
import { clamps, expectRandom, expectSeveral, rowsOf, severalRows, type World } from "./world.ts";
import { OF_DATABASE } from "../usual.ts";

const ROWS = 20;
const PATH = "/updates";
const request = get(`${PATH}?queries=${ROWS}`);
/**
 * Number of statements that a server may send beyond one: one statement may write all rows, or each
 * row may have one. BEGIN and COMMIT do not count.
 */
const MORE_STATEMENTS = ROWS - 1;

/**
 * Checks that the rows in the response are in the table. No other client writes during the checks.
 *
 * @returns the rows.
 * @throws {Mismatch} if a row was not written.
 */
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

/** Random rows, each read by a separate query. The server changes and writes them. */
export const updates: Scenario = {
  ...OF_DATABASE,
  id: "updates",
  title: `${ROWS} random rows of 10,000, read, changed and written`,
  request,
  queries: ROWS + 1,
  moreQueries: MORE_STATEMENTS,
  writes: ROWS,
  checks: [
    check("writes the rows that it returns", request, async (response, facts) => {
      expectRandom(await expectWritten(response, ROWS, facts));
    }),
    clamps(
      PATH,
      async (response, count, facts) => void await expectWritten(response, count, facts),
    ),
  ],
  expect: (response) => void expectSeveral(response, ROWS),
  underLoad: severalRows(ROWS),
  isDefault: false,
};
