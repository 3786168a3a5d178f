/** Makes the lines below the brief table: warnings first, then the environment and the legend. */

import type { AnyReport, Report } from "../model/report.ts";
import { count, printable } from "../model/text.ts";
import { draw, type Screen } from "./draw.ts";
import { briefEnvironment, environment } from "./environment_text.ts";
import { EVIDENCE_INDENT, explain } from "./explain.ts";
import { latencyLines } from "./explain.ts";
import { reportCommand } from "./reproduce.ts";
import { columnLegend, hanging, tintedLines, wrap } from "./table.ts";
import { briefTables, experimentTables, wideTables } from "./tables/report_tables.ts";
import { warnings } from "./warnings.ts";

/** Maximum number of lines in a footer: few enough to be read. */
const LINES = 6;
/**
 * Width at which the lines of a footer are counted, in columns. A narrower screen shows more lines
 * than {@linkcode LINES}.
 */
const USUAL_COLUMNS = 80;

/** Returns warnings, environment and legend, in at most six lines on a screen of 80 columns or more. */
export function footer(report: Report, columns: number, file: string | null = null): string[] {
  const known = warnings(report, file).map(printable);
  const wide = reportCommand(report.program, file, "--wide");
  const cut = `… All of it: ${wide}`;
  const hasFigures = report.results.some(({ requestsPerS, relativeCpu }) =>
    requestsPerS !== null || relativeCpu !== null
  );
  // Without figures, the environment and the legend explain nothing
  const fixed = report.results.length > 0 && !hasFigures
    ? []
    : [...briefEnvironment(report), ...legend(report)].map(printable);
  const linesOf = (text: string): number => wrap(text, Math.max(columns, USUAL_COLUMNS)).length;
  const room = LINES - sum(fixed.map(linesOf));
  const fits = (length: number): boolean =>
    sum(known.slice(0, length).map(linesOf)) + (length < known.length ? 1 : 0) <= room;
  let shown = known.length;
  while (shown > 1 && !fits(shown)) shown--;
  const rest = known.length - shown;
  const [first = ""] = known;
  // A warning that is too long is cut; --wide prints all of it
  const most = Math.max(1, room - 1) * (USUAL_COLUMNS - cut.length);
  const told = fits(shown) || first.length <= most
    ? known.slice(0, shown)
    : [first.slice(0, most) + cut];
  return [
    ...told,
    ...(rest > 0 ? [`${count(rest, "more warning")}: ${wide}`] : []),
    ...fixed,
  ].flatMap((text) => wrap(text, columns));
}

/** Returns the legend of the brief table. */
function legend({ results, experiment: { variants } }: Report): string[] {
  const hasRelativeCpu = results.some(({ relativeCpu }) => relativeCpu !== null);
  const hasInterval = results.some(({ requestsPerS }) => requestsPerS?.confidenceInterval);
  const parts = [
    ...(hasRelativeCpu ? ["Rel. CPU: CPU time per response, bare Deno.serve is 1"] : []),
    ...(hasInterval
      ? [`±: half the 95 % CI${variants.length > 1 ? "; brackets: 95 % CI" : ""}`]
      : []),
  ];
  return parts.length === 0 ? [] : [parts.join("; ")];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

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
