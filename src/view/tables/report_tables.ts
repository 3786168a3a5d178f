import type { Report } from "../../model/report.ts";
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
import type { Table } from "../table.ts";
import { handshakesTable } from "./handshakes_table.ts";
import { kindsTable } from "./kinds_table.ts";

/** A table with its caption, and what is to be known beside it. */
export interface CaptionedTable {
  /** What it says, in a sentence, where there is one. */
  readonly verdict?: string;
  readonly caption: string;
  readonly table: Table;
  readonly notes: readonly string[];
}

/** What answers first: of one server a row for each scenario, of several a block for each, best first. */
export function briefTables(report: Report): Table[] {
  const { results, servers, experiment: { variants } } = report;
  // What such an experiment was made for has a table of its own
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

/** Every figure: of several servers the overview comes first, and what is behind it second. */
export function wideTables(report: Report): Table[] {
  // What runners have counted is all there is of it
  if (report.distributed !== null) return [];
  // Where everything was measured in slices, there are ratios and no figures of windows
  const summary = report.results.length === 0 ? [] : [summaryTable(report, true)];
  const tables = [...summary, ...(hasServerFigures(report) ? [serversTable(report)] : [])];
  const sorted = report.servers.length > 1 ? tables.reverse() : tables;
  return [...sorted, ...partTables(report).map(({ table }) => table)];
}

/** What results are made of, and what comes before them: the kinds of a mix, and handshakes. */
export function partTables(report: Report): Pick<CaptionedTable, "caption" | "table">[] {
  const parts = [
    { caption: "Each kind of request", table: kindsTable(report) },
    { caption: "Opening a connection", table: handshakesTable(report) },
  ];
  return parts.flatMap(({ caption, table }) => table === null ? [] : [{ caption, table }]);
}

/** What an experiment of another kind than `run` was made for, which comes before its figures. */
export function experimentTables(report: Report): CaptionedTable[] {
  const { changes, servers } = report;
  switch (report.experiment.kind) {
    case "versus":
      if (changes === null) return [];
      return [{
        verdict: changesVerdict(changes, report.experiment.design.failOn),
        caption: "What changed from base to head",
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
        caption: "More workers",
        table: scalingTable(report),
        notes: scalingNotes(report),
      }];
    case "noise":
      return [{
        caption: "A server beside itself: the noise floor",
        table: noiseTable(report),
        notes: [],
      }];
    case "generators":
      return [{
        caption: "One server under each load generator",
        table: generatorsTable(report),
        notes: [],
      }];
    case "distributed":
      return distributedTables(report);
    case "run":
    case "preset":
      return [];
  }
}

/** Response times at shares of what was held, if anything was. */
function curves(report: Report): CaptionedTable[] {
  if (report.openLoopResults.length === 0) return [];
  return [{
    caption: "Response times at shares of the rate that is held",
    table: openLoopTable(report),
    notes: openLoopNotes(report),
  }];
}
