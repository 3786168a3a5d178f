/** Chooses the tables of a report, and makes the ranked table of several servers. */
import { isSameWorkload } from "../../analysis/keys.ts";
import { inOrder, rankingsOf } from "../../analysis/rankings.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { share, UNKNOWN } from "../../model/text.ts";
import { changesVerdict } from "../changes_verdict.ts";
import { bareMilliseconds, halfWidth, rate, workloadNamer } from "../format.ts";
import { describeRanking } from "../ranking_text.ts";
import {
  type CaptionedTable,
  intervals,
  makeTable,
  numbers,
  type Row,
  type Table,
  words,
} from "../table.ts";
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

/** Keys of the columns with another place: rank and server come first, the others head a group. */
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
  const blocks = inOrder(report, results).flatMap((group): Row[] => {
    const workload = named(group[0]);
    const orders = rankings.filter((ranking) => isSameWorkload(ranking, group[0]))
      .map((ranking) => `${workload}: ${describeRanking(ranking)}`);
    const headings = orders.length === 0 ? [workload] : orders;
    return [
      ...headings.map((rest) => ({ cells: [], rest })),
      ...group.map((result) => rowOf(result, columns)),
    ];
  });
  const absent = absentServers(report).map(({ id, reason }): Row => ({
    cells: [UNKNOWN, id],
    rest: reason,
    server: id,
  }));
  return { columns, rows: [...blocks, ...absent] };
}

/** Returns the table of TLS handshakes, a row for each server. */
function handshakesTable({ servers }: Report): Table {
  const legend = "time for a full TLS handshake, TCP connect included; no other figure includes it";
  return makeTable(servers.filter(({ handshakeUs }) => handshakeUs !== null), [
    words("TLS server", ({ id }) => id),
    numbers("Handshake ms", ({ handshakeUs }) => bareMilliseconds(handshakeUs?.median), 0, legend),
    intervals(({ handshakeUs }) => halfWidth(handshakeUs)),
    numbers(
      "CPU ms",
      ({ handshakeCpuUs }) => bareMilliseconds(handshakeCpuUs),
      0,
      "the server's CPU time per handshake",
    ),
  ], ({ id: server }) => ({ server }));
}

/** Returns a table with the figures of each kind of request in a mix. */
function kindsTable({ results, experiment: { variants } }: Report): Table {
  const rows = results.flatMap(({ scenario: mix, variant, kinds }) => {
    const sumPerS = kinds.reduce((total, { requestsPerS }) => total + requestsPerS, 0);
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

/** Returns the table of the kinds of requests in a mix, and that of TLS handshakes, if not empty. */
export function partTables(report: Report): Pick<CaptionedTable, "caption" | "table">[] {
  return [
    { caption: "Each kind of request", table: kindsTable(report) },
    { caption: "TLS handshakes", table: handshakesTable(report) },
  ].filter(({ table }) => table.rows.length > 0);
}

/** Returns the tables that are specific to merged runners, or to experiments other than `run`. */
export function experimentTables(report: AnyReport): CaptionedTable[] {
  if (report.kind === "distributed") return distributedTables(report);
  const { changes, servers, experiment: { kind, design } } = report;
  const openLoop = (caption: string): CaptionedTable => ({
    caption,
    table: openLoopTable(report),
    notes: openLoopNotes(report),
  });
  switch (kind) {
    case "versus":
      return changes === null ? [] : [{
        verdict: changesVerdict(changes, design.failOn),
        caption: "Changes from base to head",
        table: changesTable(changes),
        notes: [...servers.map(({ id, name }) => `${id}: ${name}`), ...changesNotes(changes)],
      }];
    case "rate":
      return [openLoop("Response times at given rates")];
    case "capacity":
      return [
        {
          caption: capacitiesCaption(report),
          table: capacitiesTable(report),
          notes: capacitiesNotes(report),
        },
        ...(report.openLoopResults.length === 0
          ? []
          : [openLoop("Response times at shares of that rate")]),
      ];
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
