/** Finds work of a server that the contract does not allow, and headers that differ between servers. */
import type { HttpRequest, Scenario } from "../model/scenario.ts";
import type { Work } from "../model/work.ts";
import { sum } from "../stats/median.ts";

/** Returns the content coding of a response that its request does not accept; null if none. */
export function unaskedCoding(
  response: Headers,
  request: Pick<HttpRequest, "headers">,
): string | null {
  const coding = response.get("content-encoding")?.toLowerCase() ?? "identity";
  const accepted = new Headers(request.headers).get("accept-encoding")?.toLowerCase() ?? "";
  return coding === "identity" || accepted.includes(coding) ? null : coding;
}

/** Returns how the work for a scenario differs from the contract; `dbPool` is `DB_POOL`. */
export function problemsOf(
  { statements, connections }: Pick<Work, "statements" | "connections">,
  { queries, moreQueries }: Pick<Scenario, "queries" | "moreQueries">,
  dbPool: number,
): string[] {
  const problems: string[] = [];
  const executed = statements && sum(statements.map(({ perResponse }) => perResponse));
  const most = queries + moreQueries;
  if (statements !== null && executed !== null && (executed < queries || executed > most)) {
    const allowed = moreQueries === 0 ? String(queries) : `${queries} to ${most}`;
    const names = statements.map(({ query, perResponse }) => `${shown(perResponse)} × ${query}`);
    const which = names.length === 0 ? "" : ` (${names.join("; ")})`;
    problems.push(`${shown(executed)} statements per response instead of ${allowed}${which}`);
  }
  if (connections !== null && connections !== dbPool) {
    problems.push(`${connections} connections to the database instead of ${dbPool}`);
  }
  return problems;
}

function shown(count: number): string {
  return String(Number(count.toFixed(2)));
}

/** Header names of a server that most others lack, and names that it lacks but most have. */
interface HeaderDifference {
  readonly further: readonly string[];
  readonly lacking: readonly string[];
}

/** Compares the header names of several responses with those that more than half of them have. */
export function headerDifferences(
  all: readonly Work["headers"][],
): { readonly usual: readonly string[]; readonly differences: readonly HeaderDifference[] } {
  const names = [...new Set(all.flatMap(Object.keys))].sort();
  const usual = names.filter((name) => 2 * all.filter((one) => name in one).length > all.length);
  const differences = all.map((own) => ({
    further: names.filter((name) => name in own && !usual.includes(name)),
    lacking: usual.filter((name) => !(name in own)),
  }));
  return { usual, differences };
}
