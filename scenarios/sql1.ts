import type { HttpAnswer, Scenario } from "../src/model/scenario.ts";
import { check, expectEqual, expectFresh, get, json } from "./expect.ts";

function expect(answer: HttpAnswer): void {
  const { ts, ...rest } = json(answer) as Record<string, unknown>;
  expectEqual(rest, {});
  expectFresh(ts);
}

/** One round trip to PostgreSQL, as cheap as a query can be. */
export const sql1: Scenario = {
  id: "sql1",
  title: "SELECT now()",
  request: get("/sql1"),
  queries: 1,
  checks: [
    check("answers the database's time", get("/sql1"), async (answer, facts) => {
      const [row] = await facts.rows("SELECT now() AS ts");
      expectFresh((row as { ts: Date }).ts.toISOString());
      expect(answer);
    }),
  ],
  expect,
  underLoad: /^\{\s*"ts":\s*"[^"]+"\s*\}\s*$/,
  connections: null,
  warmupS: 1.25,
  cycle: null,
  isDefault: true,
};
