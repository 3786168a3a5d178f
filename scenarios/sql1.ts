import type { Scenario } from "../src/model.ts";
import { check, expectEqual, expectFresh, get, json } from "./expect.ts";

/** One round trip to PostgreSQL, as cheap as a query can be. */
export const sql1: Scenario = {
  id: "sql1",
  title: "SELECT now()",
  request: get("/sql1"),
  usesDatabase: true,
  checks: [
    check("answers the database's time", get("/sql1"), async (answer, facts) => {
      const { ts, ...rest } = json(answer) as Record<string, unknown>;
      expectEqual(rest, {});
      const [row] = await facts.rows("SELECT now() AS ts");
      expectFresh((row as { ts: Date }).ts.toISOString());
      expectFresh(ts);
    }),
  ],
  underLoad: /^\{\s*"ts":\s*"[^"]+"\s*\}\s*$/,
  connections: null,
  cycle: null,
};
