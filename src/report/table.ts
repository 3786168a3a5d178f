import type { Cell } from "../findings.ts";
import type { Report } from "../report.ts";
import { absenceOf } from "./servers.ts";
import { halfWidth, mebibytes, microseconds, milliseconds, rate, UNKNOWN } from "./format.ts";

/** A table without looks; every reporter draws this one. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A row: its cells, and a text that takes the place of the columns that have none. */
export interface Row {
  readonly cells: readonly string[];
  readonly rest?: string;
  /** The heading of the column that says most about this row. */
  readonly leading?: string;
}

/** A column: its heading, and whether its cells are numbers. */
export interface Column {
  readonly heading: string;
  readonly isNumber: boolean;
  /** Narrow outputs leave out the columns with the highest number first; 0 always stays. */
  readonly dropOrder: number;
}

/** A column with what it shows of a cell that is fine. */
interface Shown extends Column {
  readonly text: (cell: Cell) => string;
  /** Whether the column is worth its place in this report; by default it is. */
  readonly isWanted?: (report: Report) => boolean;
}

const several = ({ config }: Report): boolean => config.targets.length > 1;

const COLUMNS: readonly Shown[] = [
  text("Server", 0, ({ target }) => target, several),
  text("Scenario", 0, ({ scenario }) => scenario),
  number(
    "Conns",
    0,
    ({ connections }) => String(connections),
    ({ config }) => (config.connections?.length ?? 0) > 1,
  ),
  number("Rank", 2, ({ rank }) => String(rank ?? UNKNOWN), several),
  number(
    "Req/Sec",
    0,
    ({ requestsPerS, isLowerBound }) =>
      `${isLowerBound ? "≥ " : ""}${requestsPerS ? rate(requestsPerS.median) : UNKNOWN}`,
  ),
  number("±", 3, ({ requestsPerS }) => halfWidth(requestsPerS)),
  number(
    "per core",
    4,
    ({ capacityPerCore }) => capacityPerCore === null ? UNKNOWN : `~ ${rate(capacityPerCore)}`,
    ({ cells }) => cells.some(({ capacityPerCore }) => capacityPerCore !== null),
  ),
  number("CPU/req", 1, ({ serverCpuUs }) => microseconds(serverCpuUs?.median ?? null)),
  number("±", 3, ({ serverCpuUs }) => halfWidth(serverCpuUs)),
  number("p50", 4, ({ p50Us }) => milliseconds(p50Us)),
  number("p99", 2, ({ p99Us }) => milliseconds(p99Us)),
  number("witness p99", 5, ({ witness }) => milliseconds(witness?.p99Us ?? null)),
  number("RSS", 5, ({ peakRssBytes }) => mebibytes(peakRssBytes)),
  text("Limit", 0, ({ verdict }) => verdict?.limit ?? UNKNOWN),
  number("Errors", 1, errors, ({ cells }) => cells.some((cell) => errorsOf(cell) > 0)),
];
/** What stands before the reason of a cell that has no figures. */
const NAMES = ["Server", "Scenario", "Conns"];

/**
 * The summary: Req/Sec per scenario and server, in the order of the run's configuration, then the
 * servers that have no figures, each with the reason.
 */
export function summaryTable(report: Report): Table {
  const { cells, config, servers } = report;
  const columns = COLUMNS.filter(({ isWanted = () => true }) => isWanted(report));
  const absent = servers.flatMap((server) => {
    const reason = absenceOf(server, report);
    return reason === null ? [] : [{ id: server.id, reason }];
  });
  const place = (cell: Cell): number =>
    config.scenarios.indexOf(cell.scenario) * config.targets.length +
    config.targets.indexOf(cell.target);
  const shown = cells.filter(({ target }) => !absent.some(({ id }) => id === target))
    .toSorted((a, b) => place(a) - place(b) || a.connections - b.connections);
  return {
    columns,
    rows: [
      ...shown.map((cell) => row(cell, columns)),
      ...absent.map(({ id, reason }) => ({
        ...(several(report) ? { cells: [id], rest: reason } : { cells: [], rest: reason }),
      })),
    ],
  };
}

function row(cell: Cell, columns: readonly Shown[]): Row {
  const { status, reason, isLowerBound } = cell;
  if (status !== "ok") {
    const names = columns.filter(({ heading }) => NAMES.includes(heading));
    const rest = `${status}: ${reason?.replaceAll("\n", " ")}`;
    return { cells: names.map(({ text }) => text(cell)), rest };
  }
  return {
    cells: columns.map(({ text }) => text(cell)),
    leading: isLowerBound ? "CPU/req" : "Req/Sec",
  };
}

function text(
  heading: string,
  dropOrder: number,
  text: Shown["text"],
  isWanted?: Shown["isWanted"],
): Shown {
  return { heading, isNumber: false, dropOrder, text, ...(isWanted && { isWanted }) };
}

function number(...args: Parameters<typeof text>): Shown {
  return { ...text(...args), isNumber: true };
}

/** The errors of a cell that is still valid, marked, so that nobody overlooks them. */
function errors(cell: Cell): string {
  const count = errorsOf(cell);
  return count === 0 ? "0" : `! ${count} of ${cell.answers.toLocaleString("en-US")}`;
}

function errorsOf({ errors }: Cell): number {
  return errors.transport + (errors.timeout ?? 0) + errors.non2xx + errors.witness;
}
