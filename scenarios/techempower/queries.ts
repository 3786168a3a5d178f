import type { Scenario } from "../../src/model/scenario.ts";
import { check, get } from "../expect.ts";
import { clamps, expectOfTable, expectRandom, expectSeveral, severalRows } from "./world.ts";
import { OF_DATABASE } from "../usual.ts";

const ROWS = 20;
const PATH = "/queries";
const request = get(`${PATH}?queries=${ROWS}`);

/** Random rows, each read by a separate query. */
export const queries: Scenario = {
  ...OF_DATABASE,
  id: "queries",
  title: `${ROWS} random rows of 10,000, each by its own query`,
  request,
  queries: ROWS,
  checks: [
    check("returns random rows of the database", request, async (response, facts) => {
      const rows = expectSeveral(response, ROWS);
      await expectOfTable(rows, "world", facts);
      expectRandom(rows);
    }),
    clamps(PATH, (response, count) => void expectSeveral(response, count)),
  ],
  expect: (response) => void expectSeveral(response, ROWS),
  underLoad: severalRows(ROWS),
  isDefault: false,
};
