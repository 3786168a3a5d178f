import type { Scenario } from "../../src/model/scenario.ts";
import { check, get } from "../expect.ts";
import { clamps, expectOfTable, expectRandom, expectSeveral, severalRows } from "./world.ts";
import { OF_DATABASE } from "../usual.ts";

const ROWS = 20;
const PATH = "/queries";
const request = get(`${PATH}?queries=${ROWS}`);

/** Random rows, each asked for by a query of its own. */
export const queries: Scenario = {
  ...OF_DATABASE,
  id: "queries",
  title: `${ROWS} random rows of 10,000, each by its own query`,
  request,
  queries: ROWS,
  checks: [
    check("answers random rows as the database holds them", request, async (answer, facts) => {
      const rows = expectSeveral(answer, ROWS);
      await expectOfTable(rows, "world", facts);
      expectRandom(rows);
    }),
    clamps(PATH, (answer, count) => void expectSeveral(answer, count)),
  ],
  expect: (answer) => void expectSeveral(answer, ROWS),
  underLoad: severalRows(ROWS),
  isDefault: false,
};
