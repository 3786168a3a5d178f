import type { AnyReport, Report } from "../../model/report.ts";
import { changesVerdict } from "../changes_verdict.ts";
import { changesNotes, changesTable } from "./changes_table.ts";
import { capacitiesCaption, capacitiesNotes, capacitiesTable } from "./capacities_table.ts";
import { distributedTables } from "./distributed_tables.ts";
import { generatorsTable } from "./generators_table.ts";
import { noiseTable } from "./noise_table.ts";
import { openLoopNotes, openLoopTable } from "./open_loop_table.ts";
import { rankedTable } from "./ranked_table.ts";
import { scalingNotes, scalingTable } from "./scaling_table.ts";
import { hasServerFigures, serversTable } from "./servers_table.ts";
import { summaryTable } from "./summary_table.ts";
import type { CaptionedTable, Table } from "../table.ts";
import { handshakesTable } from "./handshakes_table.ts";
import { kindsTable } from "./kinds_table.ts";

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
