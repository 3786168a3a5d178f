import type { DatabaseActivity } from "../model/raw.ts";
import type { DatabaseClient } from "./client.ts";

/** How often a statement was executed so far. */
export interface StatementCount {
  readonly id: string;
  readonly query: string;
  readonly calls: number;
  /** Number of rows that the statement has changed so far; null if it does not change rows. */
  readonly changed: number | null;
}

/**
 * Query that reads the counts of all statements except itself. Of each statement, it reads the first 200
 * characters.
 */
const COUNTS = `
  SELECT concat_ws(' ', userid, queryid, toplevel) AS id, left(query, 200) AS query,
         calls::float8 AS calls,
         CASE WHEN query ~* '\\m(UPDATE|INSERT|MERGE|DELETE)\\M' AND query !~* '^\\s*SELECT'
              THEN rows::float8 END AS changed
    FROM public.pg_stat_statements
   WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND query NOT LIKE '%pg_stat_statements%'`;

/**
 * Reads the counts of pg_stat_statements for this database.
 *
 * https://www.postgresql.org/docs/18/pgstatstatements.html
 */
export async function readStatements(client: DatabaseClient): Promise<readonly StatementCount[]> {
  return await client.query<StatementCount>(COUNTS);
}

/** Returns the executions of each statement between two readings, the most frequent statement first. */
export function activityBetween(
  before: readonly StatementCount[],
  after: readonly StatementCount[],
): DatabaseActivity {
  const earlier = new Map(before.map((one) => [one.id, one]));
  const statements = after
    .map(({ id, query, calls, changed }) => ({
      query,
      calls: calls - (earlier.get(id)?.calls ?? 0),
      changed: changed === null ? null : changed - (earlier.get(id)?.changed ?? 0),
    }))
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.calls - a.calls);
  return { statements };
}
