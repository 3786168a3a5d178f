/** Makes the table of several servers: a group of rows for each workload, the best server first. */
import { inOrder, type Ranking, rankingsOf } from "../../analysis/rankings.ts";
import { isSameWorkload } from "../../analysis/workloads.ts";
import type { Report } from "../../model/report.ts";
import { UNKNOWN } from "../../model/format.ts";
import { describeRanking } from "../ranking_text.ts";
import { workloadNamer } from "../workload_names.ts";
import type { Row, Table } from "../table.ts";
import { absentServers, columnsOf, presentResults, rowOf } from "./summary_table.ts";

/**
 * Columns that have another place: rank and server come first, scenario and connections are in the
 * heading of a group.
 */
const ELSEWHERE = ["server", "scenario", "connections", "rank"];

/**
 * Returns a group of rows for each workload. It begins with the proven order as a sentence, one for
 * each worker group.
 *
 * The servers follow by rank, and with equal ranks by rate or CPU time. Servers without figures come
 * last in the table.
 */
export function rankedTable(report: Report): Table {
  const results = presentResults(report);
  const rankings = rankingsOf(report);
  const named = workloadNamer(results);
  const known = columnsOf(report, false);
  const columns = [
    ...known.filter(({ key }) => key === "rank"),
    ...known.filter(({ key }) => key === "server"),
    ...known.filter(({ key }) => !ELSEWHERE.includes(key)),
  ];
  const blocks = inOrder(report, results).flatMap((group) => {
    const [first] = group;
    const own = rankings.filter((ranking) => isSameWorkload(ranking, first));
    return [
      ...headings(named(first), own),
      ...group.map((result): Row => ({ ...rowOf(result, columns), server: result.variant })),
    ];
  });
  const absent = absentServers(report).map(({ id, reason }): Row => ({
    cells: [UNKNOWN, id],
    rest: reason,
    server: id,
  }));
  return { columns, rows: [...blocks, ...absent] };
}

/** Returns a heading for each worker group: the workload and the proven order. */
function headings(workload: string, rankings: readonly Ranking[]): Row[] {
  if (rankings.length === 0) return [{ cells: [], rest: workload }];
  return rankings.map((ranking) => ({
    cells: [],
    rest: `${workload}: ${describeRanking(ranking)}`,
  }));
}
