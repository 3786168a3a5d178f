/** Chooses the tables of a report, and makes those of servers, kinds of requests and handshakes. */
import { COST_IDS, COSTS } from "../../model/costs.ts";
import type { ServerSummary } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { share, UNKNOWN } from "../../model/text.ts";
import { sum } from "../../stats/median.ts";
import {
  bareMilliseconds,
  FORMATS,
  halfWidth,
  markedRate,
  mebibytes,
  rate,
  seconds,
} from "../format.ts";
import { type CaptionedTable, intervals, makeTable, numbers, type Table, words } from "../table.ts";
import { experimentTables } from "./experiment_tables.ts";
import { absences, rankedTable, summaryTable } from "./result_columns.ts";

function handshakesTable({ servers }: Report): Table {
  const legend = "time for a full TLS handshake, TCP connect included; no other figure includes it";
  const cpu = "the server's CPU time per handshake";
  return makeTable(servers.filter(({ handshakeUs }) => handshakeUs !== null), [
    words("TLS server", ({ id }) => id),
    numbers("Handshake ms", ({ handshakeUs }) => bareMilliseconds(handshakeUs?.median), 0, legend),
    intervals(({ handshakeUs }) => halfWidth(handshakeUs)),
    numbers("CPU ms", ({ handshakeCpuUs }) => bareMilliseconds(handshakeCpuUs), 0, cpu),
  ], ({ id: server }) => ({ server }));
}

function kindsTable({ results, experiment: { variants } }: Report): Table {
  const rows = results.flatMap(({ scenario: mix, variant, kinds }) => {
    const sumPerS = sum(kinds.map(({ requestsPerS }) => requestsPerS));
    return kinds.map((kind) => ({ mix, variant, sumPerS, ...kind }));
  });
  return makeTable(rows, [
    words("Mix", ({ mix }) => mix),
    variants.length > 1 && words("Server", ({ variant }) => variant),
    words("Request", ({ scenario }) => scenario),
    numbers("Share", ({ requestsPerS, sumPerS }) => share(requestsPerS / sumPerS)),
    numbers("Req/Sec", ({ requestsPerS }) => rate(requestsPerS)),
    numbers("p50 ms", ({ p50Us }) => bareMilliseconds(p50Us)),
    numbers("p99 ms", ({ p99Us }) => bareMilliseconds(p99Us)),
  ]);
}

/** Returns the costs of each server without load. The changes of `versus` contain its costs. */
export function costsTable(report: Report): Table {
  const { servers, experiment: { kind } } = report;
  const ids = COST_IDS.filter((id) => servers.some(({ costs }) => id in costs));
  const absent = absences(report);
  const rows = kind === "versus" || ids.length === 0
    ? []
    : servers.filter(({ id, costs }) => absent.has(id) || ids.some((one) => one in costs));
  return makeTable(rows, [
    words("Costs of", ({ id }) => id),
    ...ids.flatMap((id, i) => {
      const { heading, format, description } = COSTS[id];
      const value = ({ costs }: ServerSummary): string => FORMATS[format](costs[id]?.median ?? NaN);
      return [
        numbers(heading, value, i + 1, description),
        intervals(({ costs }: ServerSummary) => halfWidth(costs[id] ?? null), i + 1),
      ];
    }),
  ], ({ id: server, costs }) => {
    const rest = absent.get(server);
    if (rest !== undefined) return { cells: [server], rest, server };
    return { server, values: [server, ...ids.flatMap((id) => [costs[id]?.median ?? null, null])] };
  });
}

/** Drop order of the first scenario's column. Narrow outputs drop the last scenario first. */
const FIRST_SCENARIO = 3;

/**
 * Returns whether servers have other figures than rates and costs. A server at a URL has none, nor has a run
 * of costs only.
 */
export function hasServerFigures(report: Report): boolean {
  const { servers, results } = report;
  if (results.length === 0 && costsTable(report).rows.length > 0) return false;
  return servers.length !== 1 ||
    servers.some(({ startUpS, idleRssBytes, skipped, failure }) =>
      startUpS !== null || idleRssBytes !== null || skipped !== null || failure !== null
    );
}

/** Returns the start-up of each server, and with several servers their rates at all scenarios. */
export function serversTable(report: Report): Table {
  const { servers, results, experiment: { scenarios, load } } = report;
  const absent = absences(report);
  const hasWorkerGroups = new Set(servers.map(({ workers }) => workers)).size > 1;
  // Null stands for the scenario's default number of connections
  const numbersOf = load.connections?.length === 1 ? [null] : load.connections ?? [null];
  const compared = servers.length > 1 ? scenarios : [];
  const workloads = compared
    .filter((scenario) => results.some((result) => result.scenario === scenario))
    .flatMap((scenario) => numbersOf.map((connections) => ({ scenario, connections })));
  const rows = servers.map((server) => ({
    ...server,
    results: workloads.map(({ scenario, connections }) =>
      results.find((result) =>
        result.variant === server.id && result.scenario === scenario &&
        (connections ?? result.connections) === result.connections
      )
    ),
  }));
  const startUp = "time from spawn to the first right response";
  const idle = "the server's memory before the load";
  return makeTable(rows, [
    words("Server", ({ id }) => id),
    hasWorkerGroups && numbers("Workers", ({ workers }) => String(workers ?? "any"), 1),
    numbers("Start-up", ({ startUpS }) => seconds(startUpS?.median ?? null), 1, startUp),
    numbers("Idle RSS", ({ idleRssBytes }) => mebibytes(idleRssBytes), 2, idle),
    ...workloads.map(({ scenario, connections }, i) => {
      const heading = connections === null ? scenario : `${scenario} ${connections}`;
      return numbers<typeof rows[number]>(heading, ({ results }) => {
        const result = results[i];
        if (!result?.requestsPerS) return result?.status ?? UNKNOWN;
        return markedRate(result.requestsPerS.median, result);
      }, FIRST_SCENARIO + i);
    }),
  ], ({ id, workers, startUpS, idleRssBytes, results }) => {
    const rest = absent.get(id);
    if (rest !== undefined) return { cells: [id], rest, server: id };
    const own = [...(hasWorkerGroups ? [workers] : []), startUpS?.median ?? null, idleRssBytes];
    const rates = results.map((result) => result?.requestsPerS?.median ?? null);
    return { server: id, values: [id, ...own, ...rates] };
  });
}

/** Returns the brief tables: a row for each scenario, or with several servers a ranked group. */
export function briefTables(report: Report): Table[] {
  const { results, servers, experiment: { variants } } = report;
  const isWhole = results.every(({ status }) => status === "ok") &&
    servers.every(({ skipped, failure }) => skipped === null && failure === null);
  // The experiment's own tables already contain the result
  if (isWhole && experimentTables(report).length > 0) return [];
  const parts = furtherTables(report);
  if (results.length === 0) {
    const areEnough = parts.length > 0 && (isWhole || !hasServerFigures(report));
    return areEnough ? parts : [serversTable(report), ...parts];
  }
  return [variants.length > 1 ? rankedTable(report) : summaryTable(report, false), ...parts];
}

/** Returns the tables with every figure. With several servers, the overview comes first. */
export function wideTables(report: Report): Table[] {
  // Without windows there are ratios, but no figures
  const summary = report.results.length === 0 ? [] : [summaryTable(report, true)];
  const tables = [...summary, ...(hasServerFigures(report) ? [serversTable(report)] : [])];
  const sorted = report.servers.length > 1 ? tables.reverse() : tables;
  return [...sorted, ...furtherTables(report)];
}

/** Returns the table of the kinds of requests in a mix, and that of TLS handshakes, if not empty. */
export function partTables(report: Report): Pick<CaptionedTable, "caption" | "table">[] {
  return [
    { caption: "Each kind of request", table: kindsTable(report) },
    { caption: "TLS handshakes", table: handshakesTable(report) },
  ].filter(({ table }) => table.rows.length > 0);
}

function furtherTables(report: Report): Table[] {
  const costs = costsTable(report);
  const parts = partTables(report).map(({ table }) => table);
  return costs.rows.length === 0 ? parts : [...parts, costs];
}
