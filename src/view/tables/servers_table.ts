import type { Result, ServerSummary } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { oneLine, UNKNOWN } from "../../model/text.ts";
import { markedRate, mebibytes, seconds } from "../format.ts";
import { describeStatus, withReason } from "../reasons.ts";
import { column, type Row, type Table } from "../table.ts";

/**
 * A column of the overview: a scenario, and if there are several numbers of connections, one of these.
 */
interface ServerWorkload {
  readonly heading: string;
  readonly scenario: string;
  /** Number of connections; null for the scenario's default. */
  readonly connections: number | null;
}

/** Drop order of the first scenario's column. Narrow outputs drop the last scenario first. */
const FIRST_SCENARIO = 3;

/**
 * Returns whether there are figures of servers other than rates, such as the start-up. A server at a
 * URL has none.
 */
export function hasServerFigures({ servers }: Report): boolean {
  return servers.length !== 1 ||
    servers.some(({ startUpS, idleRssBytes, skipped, failure }) =>
      startUpS !== null || idleRssBytes !== null || skipped !== null || failure !== null
    );
}

/**
 * Returns a row for each server: its start-up, and with several servers the rates at all scenarios.
 * `–` stands for a scenario that the server does not implement.
 */
export function serversTable(report: Report): Table {
  const { servers } = report;
  const workloads = servers.length > 1 ? workloadsOf(report) : [];
  const hasWorkerGroups = new Set(servers.map(({ workers }) => workers)).size > 1;
  const columns = [
    column("Server", false),
    ...(hasWorkerGroups ? [column("Workers", true, 1)] : []),
    column("Start-up", true, 1, "time from spawn to the first right response"),
    column("Idle RSS", true, 2, "the server's memory before the load"),
    ...workloads.map(({ heading }, i) => column(heading, true, FIRST_SCENARIO + i)),
  ];
  const rows = servers.map((server): Row => {
    const absence = absenceOf(server, report);
    if (absence !== null) return { cells: [server.id], rest: absence, server: server.id };
    const { startUpS, idleRssBytes, workers } = server;
    const own = workloads.map((workload) =>
      report.results.find((result) => result.variant === server.id && isOf(result, workload))
    );
    return {
      server: server.id,
      cells: [
        server.id,
        ...(hasWorkerGroups ? [workers === null ? "any" : String(workers)] : []),
        seconds(startUpS?.median ?? null),
        mebibytes(idleRssBytes),
        ...own.map(reached),
      ],
      values: [
        server.id,
        ...(hasWorkerGroups ? [workers] : []),
        startUpS?.median ?? null,
        idleRssBytes,
        ...own.map((result) => result?.requestsPerS?.median ?? null),
      ],
    };
  });
  return { columns, rows };
}

/**
 * Returns why a server has no figures at all. One row with this reason then replaces the server's
 * rows.
 *
 * @returns null if the server has figures, or if the reasons differ by scenario
 */
export function absenceOf(server: ServerSummary, { results }: Report): string | null {
  if (server.skipped !== null) return withReason("skipped", server.skipped);
  if (server.failure !== null) return withReason("failed", server.failure);
  const own = results.filter(({ variant }) => variant === server.id);
  const [text = "", ...others] = new Set(own.map(describeStatus));
  const isOne = own.length > 1 && others.length === 0;
  return isOne && own[0]?.status === "failed" ? oneLine(text) : null;
}

function workloadsOf(
  { experiment: { scenarios, load: { connections } }, results }: Report,
): ServerWorkload[] {
  const measured = scenarios.filter((scenario) =>
    results.some((result) => result.scenario === scenario)
  );
  if (connections === null || connections.length === 1) {
    return measured.map((scenario) => ({ heading: scenario, scenario, connections: null }));
  }
  return measured.flatMap((scenario) =>
    connections.map((number) => ({
      heading: `${scenario} ${number}`,
      scenario,
      connections: number,
    }))
  );
}

function isOf(result: Result, { scenario, connections }: ServerWorkload): boolean {
  return result.scenario === scenario && (connections ?? result.connections) === result.connections;
}

function reached(result: Result | undefined): string {
  if (result === undefined) return UNKNOWN;
  if (result.requestsPerS === null) return result.status;
  return markedRate(result.requestsPerS.median, result);
}
