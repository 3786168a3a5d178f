import type { HttpResponse, Scenario } from "../src/model/scenario.ts";
import { check, expectEqual, expectFresh, get, json } from "./expect.ts";
import { OF_DATABASE } from "./usual.ts";

function expect(response: HttpResponse): void {
  const { ts, ...rest } = json(response) as Record<string, unknown>;
  expectEqual(rest, {});
  expectFresh(ts);
}

/** One round trip to PostgreSQL with the cheapest possible query. */
export const sql1: Scenario = {
  ...OF_DATABASE,
  id: "sql1",
  title: "SELECT now()",
  request: get("/sql1"),
  checks: [
    check("returns the database's time", get("/sql1"), async (response, facts) => {
      const [row] = await facts.rows("SELECT now() AS ts");
      expectFresh((row as { ts: Date }).ts.toISOString());
      expect(response);
    }),
  ],
  expect,
  underLoad: /^\{\s*"ts":\s*"[^"]+"\s*\}\s*$/,
};
