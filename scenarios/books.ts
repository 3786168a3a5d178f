import type { Scenario } from "../src/model.ts";
import { check, expectEqual, expectHead, get, json } from "./expect.ts";

/** A small table, whole. */
export const books: Scenario = {
  id: "books",
  title: "SELECT * FROM books",
  request: get("/books"),
  usesDatabase: true,
  checks: [
    check("answers every book as the database holds it", get("/books"), async (answer, facts) => {
      expectHead(answer, 200, "application/json");
      const { from, data, ...rest } = json(answer) as Record<string, unknown>;
      expectEqual(rest, {});
      expectEqual(typeof from, "string");
      expectEqual(data, await facts.rows("SELECT * FROM books"));
    }),
  ],
  underLoad: "same",
  connections: null,
  cycle: null,
};
