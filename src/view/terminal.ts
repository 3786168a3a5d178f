import type { AnyReport, Report } from "../model/report.ts";
import { draw, type Screen } from "./draw.ts";
import { EVIDENCE_INDENT, explain } from "./explain.ts";
import { printable } from "../model/text.ts";
import { environment } from "./environment_text.ts";
import { count } from "../model/format.ts";
import { tintedLines } from "./tint.ts";
import { footer } from "./footer.ts";
import { latencyLines } from "./latencies.ts";
import { columnLegend } from "./table.ts";
import { warnings } from "./warnings.ts";
import { briefTables, experimentTables, wideTables } from "./tables/report_tables.ts";
import { hanging, wrap } from "./wrap.ts";

/** How much of a report is printed. */
export interface Extent {
  /** Ids of the scenarios for which evidence is printed. */
  readonly explained: readonly string[];
  /** Whether to print every figure, every warning and the environment. */
  readonly isWide: boolean;
  /** The report's file as typed; null for the newest report. */
  readonly file: string | null;
}

/** Returns a report as text for a terminal. */
export function terminal(
  report: AnyReport,
  screen: Screen,
  extent: Extent = { explained: [], isWide: false, file: null },
): string {
  const wrapped = (text: string): string[] => wrap(printable(text), screen.columns);
  const own = experimentTables(report).flatMap(({ verdict, caption, table, notes }) => [
    ...(verdict === undefined ? [] : [...tintedLines(wrapped(verdict), screen.styled), ""]),
    `${caption}:`,
    ...draw(table, screen, extent.isWide),
    ...notes.flatMap(wrapped),
    "",
  ]);
  const rest = report.kind === "run" ? figuresOfRun(report, screen, extent) : [];
  return ["", ...own, ...rest].join("\n");
}

/** Returns the figures of a run, with its warnings, environment and evidence. */
function figuresOfRun(
  report: Report,
  screen: Screen,
  { explained, isWide, file }: Extent,
): string[] {
  const tables = isWide ? wideTables(report) : briefTables(report);
  const legend = columnLegend(tables);
  return [
    ...tables.flatMap((table) => [...draw(table, screen, isWide), ""]),
    ...onlyLatencies(report),
    ...(isWide
      ? [...warnings(report, file), ...environment(report), ...legend]
        .flatMap((text) => wrap(printable(text), screen.columns))
      : footer(report, screen.columns, file)),
    "",
    ...explain(report, explained).flatMap((text) => evidence(printable(text), screen.columns)),
  ];
}

/** Wraps a line of evidence with the indent of evidence. A heading is wrapped without an indent. */
function evidence(line: string, columns: number): string[] {
  if (!line.startsWith("  ")) return wrap(line, columns);
  return hanging(line.slice(0, EVIDENCE_INDENT), line.slice(EVIDENCE_INDENT), columns);
}

/** Maximum number of loads for which latencies are printed: more would not fit on a screen. */
const MOST_LOADS = 4;

/**
 * Returns latency bars if one server was measured at one scenario, as is usual for a URL; empty otherwise.
 */
function onlyLatencies(report: Report): string[] {
  const { results, experiment: { variants } } = report;
  const scenarios = new Set(results.map(({ scenario }) => scenario));
  if (variants.length !== 1 || scenarios.size !== 1 || results.length > MOST_LOADS) return [];
  // An open loop has a table of response times instead
  const known = results.filter(({ status, perS }) => status === "ok" && perS === null)
    .toSorted((a, b) => a.connections - b.connections);
  return known.flatMap((result) => {
    const lines = latencyLines(report, result);
    const at = known.length === 1 ? "" : ` at ${count(result.connections, "connection")}`;
    return lines.length === 0 ? [] : [`Latency${at}, all rounds together:`, ...lines, ""];
  });
}
