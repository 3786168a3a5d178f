/** Sessions of clients at PostgreSQL. */
import type { Facts } from "../model/scenario.ts";

/** Each client has one process. https://www.postgresql.org/docs/18/monitoring-stats.html */
const SESSIONS = `
  SELECT pid FROM pg_stat_activity
   WHERE datname = current_database() AND backend_type = 'client backend'`;

/** Returns the ids of PostgreSQL's processes, one for each open connection of any client. */
export async function openSessions(query: Facts["rows"]): Promise<ReadonlySet<number>> {
  await query("SELECT pg_stat_clear_snapshot()"); // or else a transaction sees the first list again
  const rows = await query(SESSIONS) as readonly { readonly pid: number }[];
  return new Set(rows.map(({ pid }) => pid));
}
