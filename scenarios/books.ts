import type { HttpResponse, Scenario } from "../src/model/scenario.ts";
import { check, expectEqual, get, json } from "./expect.ts";
import { OF_DATABASE } from "./usual.ts";

function expect(response: HttpResponse): void {
  const { from, data, ...rest } = json(response) as Record<string, unknown>;
  expectEqual(rest, {});
  expectEqual(typeof from, "string");
  expectEqual(Array.isArray(data), true);
}

/** All rows of a small table. */
export const books: Scenario = {
  ...OF_DATABASE,
  id: "books",
  title: "SELECT * FROM books",
  request: get("/books"),
  checks: [
    check("returns every book of the database", get("/books"), async (response, facts) => {
      expect(response);
      const { data } = json(response) as { data: unknown };
      expectEqual(data, await facts.rows("SELECT * FROM books"));
    }),
  ],
  expect,
};
