/** Makes the table of several servers: a group of rows for each workload, the best server first. */

import { isSameWorkload } from "../../analysis/keys.ts";
import { inOrder, type Ranking, rankingsOf } from "../../analysis/rankings.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { share, UNKNOWN } from "../../model/text.ts";
import { changesVerdict } from "../changes_verdict.ts";
import { bareMilliseconds, halfWidth, rate, workloadNamer } from "../format.ts";
import { describeRanking } from "../ranking_text.ts";
import { type CaptionedTable, column, intervalColumn, type Row, type Table } from "../table.ts";
import {
  capacitiesCaption,
  capacitiesNotes,
  capacitiesTable,
  scalingNotes,
  scalingTable,
} from "./capacities_table.ts";
import { changesNotes, changesTable } from "./changes_table.ts";
import { distributedTables } from "./distributed_tables.ts";
import { generatorsTable } from "./generators_table.ts";
import { noiseTable } from "./noise_table.ts";
import { openLoopNotes, openLoopTable } from "./open_loop_table.ts";
import { absentServers, columnsOf, presentResults, rowOf, summaryTable } from "./result_columns.ts";
import { hasServerFigures, serversTable } from "./servers_table.ts";

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

/** Returns the table of TLS handshakes, a row for each server; null without TLS. */
function handshakesTable({ servers }: Report): Table | null {
  const shaken = servers.filter(({ handshakeUs }) => handshakeUs !== null);
  if (shaken.length === 0) return null;
  const time = (us: number | null): string => us === null ? UNKNOWN : bareMilliseconds(us);
  return {
    columns: [
      column("TLS server", false),
      column(
        "Handshake ms",
        true,
        0,
        "time for a full TLS handshake, TCP connect included; no other figure includes it",
      ),
      intervalColumn(),
      column("CPU ms", true, 0, "the server's CPU time per handshake"),
    ],
    rows: shaken.map(({ id, handshakeUs, handshakeCpuUs }) => ({
      server: id,
      cells: [
        id,
        time(handshakeUs?.median ?? null),
        halfWidth(handshakeUs),
        time(handshakeCpuUs),
      ],
    })),
  };
}

/** Returns a table with the figures of each kind of request in a mix; null without a mix. */
function kindsTable({ results, experiment: { variants } }: Report): Table | null {
  const mixed = results.filter(({ kinds }) => kinds.length > 0);
  if (mixed.length === 0) return null;
  const several = variants.length > 1;
  const time = (us: number | null): string => us === null ? UNKNOWN : bareMilliseconds(us);
  return {
    columns: [
      column("Mix", false),
      ...(several ? [column("Server", false)] : []),
      column("Request", false),
      column("Share", true),
      column("Req/Sec", true),
      column("p50 ms", true),
      column("p99 ms", true),
    ],
    rows: mixed.flatMap(({ scenario, variant, kinds }) => {
      const sum = kinds.reduce((total, { requestsPerS }) => total + requestsPerS, 0);
      return kinds.map((kind) => ({
        cells: [
          scenario,
          ...(several ? [variant] : []),
          kind.scenario,
          sum === 0 ? UNKNOWN : share(kind.requestsPerS / sum),
          rate(kind.requestsPerS),
          time(kind.p50Us),
          time(kind.p99Us),
        ],
      }));
    }),
  };
}

/**
 * Returns the brief tables. With one server, there is a row for each scenario; with several, a group
 * of rows for each scenario, the best server first.
 */
export function briefTables(report: Report): Table[] {
  const { results, servers, experiment: { variants } } = report;
  // The experiment's own tables already contain the result
  const hasExperimentTables = experimentTables(report).length > 0;
  const isWhole = results.every(({ status }) => status === "ok") &&
    servers.every(({ skipped, failure }) => skipped === null && failure === null);
  if (hasExperimentTables && isWhole) return [];
  if (results.length === 0) return [serversTable(report)];
  return [
    variants.length > 1 ? rankedTable(report) : summaryTable(report, false),
    ...partTables(report).map(({ table }) => table),
  ];
}

/** Returns the tables with every figure. With several servers, the overview comes first. */
export function wideTables(report: Report): Table[] {
  // Without windows there are ratios, but no figures
  const summary = report.results.length === 0 ? [] : [summaryTable(report, true)];
  const tables = [...summary, ...(hasServerFigures(report) ? [serversTable(report)] : [])];
  const sorted = report.servers.length > 1 ? tables.reverse() : tables;
  return [...sorted, ...partTables(report).map(({ table }) => table)];
}

/**
 * Returns the table of the kinds of requests in a mix, and that of TLS handshakes, if there are any.
 */
export function partTables(report: Report): Pick<CaptionedTable, "caption" | "table">[] {
  const parts = [
    { caption: "Each kind of request", table: kindsTable(report) },
    { caption: "TLS handshakes", table: handshakesTable(report) },
  ];
  return parts.flatMap(({ caption, table }) => table === null ? [] : [{ caption, table }]);
}

/** Returns the tables that are specific to merged runners, or to experiments other than `run`. */
export function experimentTables(report: AnyReport): CaptionedTable[] {
  if (report.kind === "distributed") return distributedTables(report);
  const { changes, servers } = report;
  switch (report.experiment.kind) {
    case "versus":
      if (changes === null) return [];
      return [{
        verdict: changesVerdict(changes, report.experiment.design.failOn),
        caption: "Changes from base to head",
        table: changesTable(changes),
        notes: [...servers.map(({ id, name }) => `${id}: ${name}`), ...changesNotes(changes)],
      }];
    case "rate":
      return [{
        caption: "Response times at given rates",
        table: openLoopTable(report),
        notes: openLoopNotes(report),
      }];
    case "capacity":
      return [{
        caption: capacitiesCaption(report),
        table: capacitiesTable(report),
        notes: capacitiesNotes(report),
      }, ...curves(report)];
    case "scaling":
      return [{
        caption: "Scaling over workers",
        table: scalingTable(report),
        notes: scalingNotes(report),
      }];
    case "noise":
      return [{
        caption: "A server against itself: the noise floor",
        table: noiseTable(report),
        notes: [],
      }];
    case "generators":
      return [{
        caption: "One server under each load generator",
        table: generatorsTable(report),
        notes: [],
      }];
    case "run":
    case "preset":
      return [];
  }
}

/** Returns the table of response times at shares of the capacity; empty without a capacity search. */
function curves(report: Report): CaptionedTable[] {
  if (report.openLoopResults.length === 0) return [];
  return [{
    caption: "Response times at shares of that rate",
    table: openLoopTable(report),
    notes: openLoopNotes(report),
  }];
}
