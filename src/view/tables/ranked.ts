/** Several servers, best first, in a block for each task. */
import { sharesRank, type Standing, standingsOf, workersOf } from "../../analysis/standings.ts";
import { byTask, isSameTask } from "../../analysis/tasks.ts";
import type { Cell } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { UNKNOWN } from "../format.ts";
import { describeStanding } from "../standings.ts";
import { taskNamer } from "../tasks.ts";
import type { Row, Table } from "../table.ts";
import type { Shown } from "./columns.ts";
import { absentServers, columnsOf, presentCells, rowOf } from "./summary.ts";

/** Columns that a block needs not repeat in each row, or that stand elsewhere in it. */
const ELSEWHERE = ["server", "scenario", "connections", "rank"];

/**
 * Each task as a block: who is proven better than whom, then the servers by rank, of equal ranks the one with
 * more answers or less processor time first. Those with as many workers stand together, and in each such league
 * those without figures last.
 */
export function rankedTable(report: Report): Table {
  const cells = presentCells(report);
  const standings = standingsOf(report);
  const named = taskNamer(cells);
  const known = columnsOf(report, false);
  const columns = [
    rankColumn(report),
    ...known.filter(({ key }) => key === "server"),
    ...known.filter(({ key }) => !ELSEWHERE.includes(key)),
  ];
  const tasks = byTask(
    report.experiment.scenarios.flatMap((scenario) =>
      cells.filter((cell) => cell.scenario === scenario)
        .toSorted((a, b) => a.connections - b.connections)
    ),
  );
  const blocks = tasks.flatMap((group) => {
    const [first] = group;
    const own = standings.filter((standing) => isSameTask(standing, first));
    const league = ({ arm }: Cell): number => workersOf(report, arm) ?? Infinity;
    const better = byRank(own[0]?.metric ?? "requestsPerS");
    const sorted = group.toSorted((a, b) => league(a) - league(b) || better(a, b));
    return [
      ...headings(named(first), own),
      ...sorted.map((cell): Row => ({ ...rowOf(cell, columns), server: cell.arm })),
    ];
  });
  const absent = absentServers(report).map(({ id, reason }): Row => ({
    cells: [UNKNOWN, id],
    rest: reason,
    server: id,
  }));
  return { columns, rows: [...blocks, ...absent] };
}

/** A line for each league. */
function headings(task: string, standings: readonly Standing[]): Row[] {
  if (standings.length === 0) return [{ cells: [], rest: task }];
  return standings.map((standing) => ({
    cells: [],
    rest: `${task}: ${describeStanding(standing)}`,
  }));
}

/** The rank, marked where several share it. */
function rankColumn(report: Report): Shown {
  const text = (cell: Cell): string => {
    if (cell.rank === null) return UNKNOWN;
    return sharesRank(report, cell) ? `${cell.rank}=` : `${cell.rank} `;
  };
  return {
    key: "rank",
    heading: "Rank",
    dropOrder: 2,
    isNumber: true,
    value: ({ rank }) => rank,
    text,
  };
}

function byRank(metric: Standing["metric"]): (a: Cell, b: Cell) => number {
  const worth = ({ serverCpuUs, requestsPerS, cost }: Cell): number =>
    metric === "requestsPerS"
      ? -(requestsPerS?.median ?? -Infinity)
      : cost?.ratio ?? serverCpuUs?.median ?? Infinity;
  return (a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || worth(a) - worth(b) || 0;
}
