/** The table of several servers, best first, in a block for each workload. */
import { inOrder, type Ranking, rankingsOf } from "../../analysis/rankings.ts";
import { isSameWorkload } from "../../analysis/workloads.ts";
import type { Report } from "../../model/report.ts";
import { UNKNOWN } from "../format.ts";
import { describeRanking } from "../ranking_text.ts";
import { workloadNamer } from "../workload_names.ts";
import type { Row, Table } from "../table.ts";
import { absentServers, columnsOf, presentResults, rowOf } from "./summary_table.ts";

/** Columns that a block does not repeat in each row, or that it moves. */
const ELSEWHERE = ["server", "scenario", "connections", "rank"];

/**
 * Returns a block for each workload: the proven order in a sentence, then the servers by rank, and by rate or CPU
 * time if ranks are equal. Servers with the same number of workers form a group; those without figures come last.
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

/** Returns a line for each worker group. */
function headings(workload: string, rankings: readonly Ranking[]): Row[] {
  if (rankings.length === 0) return [{ cells: [], rest: workload }];
  return rankings.map((ranking) => ({
    cells: [],
    rest: `${workload}: ${describeRanking(ranking)}`,
  }));
}
