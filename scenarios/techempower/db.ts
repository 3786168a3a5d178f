import type { Scenario } from "../../src/model/scenario.ts";
import { get } from "../expect.ts";
import { askedOften, expectOfTable, expectOne, expectRandom, ONE_ROW } from "./world.ts";
import { OF_DATABASE } from "../usual.ts";

const request = get("/db");
/** Number of responses that the check requests. */
const TIMES = 20;

/** One random row of 10,000. */
export const db: Scenario = {
  ...OF_DATABASE,
  id: "db",
  title: "one random row of 10,000",
  request,
  checks: [{
    name: "returns random rows of the database",
    async run(ask, facts): Promise<void> {
      const rows = (await askedOften(ask, request, TIMES)).map(expectOne);
      await expectOfTable(rows, "world", facts);
      expectRandom(rows);
    },
  }],
  expect: expectOne,
  underLoad: ONE_ROW,
  isDefault: false,
};
