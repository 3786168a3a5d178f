import { Mismatch } from "../../src/model/errors.ts";
import type { Facts, HttpResponse, Scenario } from "../../src/model/scenario.ts";
import { check, get } from "../expect.ts";
import { clamps, expectRandom, expectSeveral, rowsOf, severalRows, type World } from "./world.ts";
import { OF_DATABASE } from "../usual.ts";

const ROWS = 20;
const PATH = "/updates";
const request = get(`${PATH}?queries=${ROWS}`);
/** One statement may write all rows, or each its own; what begins and ends a transaction does not count. */
const MORE_STATEMENTS = ROWS - 1;

/** Nobody else writes while responses are checked, so the rows must be as they were answered. */
async function expectWritten(
  response: HttpResponse,
  count: number,
  facts: Facts,
): Promise<World[]> {
  const rows = expectSeveral(response, count);
  const table = await rowsOf("world", rows, facts);
  // Of a row that was drawn twice, either number may have been written last
  const isWritten = ({ id }: World): boolean =>
    rows.some((row) => row.id === id && row.randomNumber === table.get(id)?.randomNumber);
  const lost = rows.find((row) => !isWritten(row));
  if (lost === undefined) return rows;
  throw new Mismatch(
    `${JSON.stringify(lost)} to be written`,
    `${JSON.stringify(table.get(lost.id))} in the table`,
  );
}

/** Random rows, each read by a query of its own, given another number, and written. */
export const updates: Scenario = {
  ...OF_DATABASE,
  id: "updates",
  title: `${ROWS} random rows of 10,000, read, changed and written`,
  request,
  queries: ROWS + 1,
  moreQueries: MORE_STATEMENTS,
  writes: ROWS,
  checks: [
    check("writes what it answers", request, async (response, facts) => {
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
