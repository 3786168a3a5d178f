import type { Scenario } from "../../src/model/scenario.ts";
import { check, get } from "../expect.ts";
import { clamps, expectOfTable, expectRandom, expectSeveral, severalRows } from "./world.ts";
import { USUAL } from "../usual.ts";

const ROWS = 20;
const PATH = "/cached";
const request = get(`${PATH}?queries=${ROWS}`);

/** Random rows of a cache that the server fills once from the database. */
export const cached: Scenario = {
  ...USUAL,
  id: "cached",
  title: `${ROWS} random rows from the server's cache of 10,000`,
  request,
  readsAhead: true,
  checks: [
    check("returns random rows of the database", request, async (response, facts) => {
      const rows = expectSeveral(response, ROWS);
      await expectOfTable(rows, "cached_world", facts);
      expectRandom(rows);
    }),
    clamps(PATH, (response, count) => void expectSeveral(response, count)),
  ],
  expect: (response) => void expectSeveral(response, ROWS),
  underLoad: severalRows(ROWS),
  isDefault: false,
};
