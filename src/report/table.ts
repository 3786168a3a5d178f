import type { Cell, Report } from "../model.ts";
import { count, gibibytes, microseconds, milliseconds, rate, UNKNOWN } from "./format.ts";

/** A table without looks; every reporter draws this one. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A row: its cells, and a text that takes the place of the columns that have none. */
export interface Row {
  readonly cells: readonly string[];
  readonly rest?: string;
}

/** A column: its heading, and whether its cells are numbers. */
export interface Column {
  readonly heading: string;
  readonly isNumber: boolean;
  /** Narrow outputs leave out the columns with the highest number first; 0 always stays. */
  readonly dropOrder: number;
}

const COLUMNS: readonly Column[] = [
  { heading: "Scenario", isNumber: false, dropOrder: 0 },
  { heading: "Req/Sec", isNumber: true, dropOrder: 0 },
  { heading: "±", isNumber: true, dropOrder: 2 },
  { heading: "lowest", isNumber: true, dropOrder: 3 },
  { heading: "highest", isNumber: true, dropOrder: 3 },
  { heading: "CPU/req", isNumber: true, dropOrder: 1 },
  { heading: "p50", isNumber: true, dropOrder: 2 },
  { heading: "p99", isNumber: true, dropOrder: 1 },
  { heading: "Errors", isNumber: true, dropOrder: 1 },
];
const SERVER: Column = { heading: "Server", isNumber: false, dropOrder: 0 };

/** The summary: Req/Sec per scenario and server, in the order of the run's configuration. */
export function summaryTable({ cells, config }: Report): Table {
  const several = config.targets.length > 1;
  const place = (cell: Cell): number =>
    config.scenarios.indexOf(cell.scenario) * config.targets.length +
    config.targets.indexOf(cell.target);
  return {
    columns: several ? [SERVER, ...COLUMNS] : COLUMNS,
    rows: cells.toSorted((a, b) => place(a) - place(b)).map((cell) => {
      const { cells, ...rest } = row(cell);
      return { cells: several ? [cell.target, ...cells] : cells, ...rest };
    }),
  };
}

function row(cell: Cell): Row {
  const { requestsPerS: value, serverCpuUs, scenario, p50Us, p99Us, status, reason } = cell;
  if (value === null) {
    return { cells: [scenario], rest: `${status}: ${reason?.replaceAll("\n", " ")}` };
  }
  const { interval } = value;
  return {
    cells: [
      scenario,
      rate(value.median),
      interval === null ? UNKNOWN : rate((interval.high - interval.low) / 2),
      rate(value.min),
      rate(value.max),
      microseconds(serverCpuUs?.median ?? null),
      milliseconds(p50Us),
      milliseconds(p99Us),
      errors(cell),
    ],
  };
}

/** The errors of a cell that is still valid, marked, so that nobody overlooks them. */
function errors({ errors, answers }: Cell): string {
  const count = errors.transport + errors.timeout + errors.non2xx;
  return count === 0 ? "0" : `! ${count} of ${answers.toLocaleString("en-US")}`;
}

/** Sentences that belong under the table: which rounds are missing and why. */
export function remarks({ cells, config }: Report): string[] {
  return cells.filter(({ status, failedRounds }) => status === "ok" && failedRounds > 0).map(
    ({ target, scenario, reason, failedRounds, rounds }) => {
      const name = config.targets.length > 1 ? `${scenario} of ${target}` : scenario;
      return `${name}: ${failedRounds} of ${failedRounds + rounds} rounds failed: ${reason}`;
    },
  );
}

/** How the figures came about, in two lines. */
export function conditions(
  { config, versions, host, database, results, complete }: Report,
): string[] {
  const { rounds, durationS, warmupS, generator, seed } = config;
  const loads = new Map(results.map(({ trial }) => [trial.scenario, trial.load.connections]));
  const usual = config.connections ?? config.defaultConnections;
  const others = [...loads].filter(([, connections]) => connections !== usual)
    .map(([scenario, connections]) => `${scenario}: ${connections}`);
  return [
    [
      `${count(usual, "connection")}${others.length > 0 ? ` (${others.join(", ")})` : ""}`,
      `${complete ? "" : "interrupted, "}${
        count(rounds, "round")
      } of ${durationS} s after ${warmupS} s`,
      `${generator} ${versions[generator]}`,
      `seed ${seed}`,
    ].join(", "),
    [
      `Deno ${versions.deno}`,
      ...(database === null ? [] : [`PostgreSQL ${versions.postgresql}`]),
      `${host.os} ${host.kernel}`,
      `${host.cores} x ${host.cpuModel}`,
      gibibytes(host.memoryBytes),
    ].join(", "),
  ];
}
