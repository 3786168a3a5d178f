/** Draws reports as text for a terminal. */
import type { AnyReport, Report } from "../model/report.ts";
import { count, nonEmpty, printable } from "../model/text.ts";
import { briefEnvironment, environment } from "./environment_text.ts";
import { EVIDENCE_INDENT, explain, latencyLines } from "./explain.ts";
import { reportCommand } from "./reproduce.ts";
import { columnLegend, draw, hanging, type Screen, tintedLines, wrap, wrapAll } from "./table.ts";
import { experimentTables } from "./tables/experiment_tables.ts";
import { briefTables, wideTables } from "./tables/report_tables.ts";
import { warnings } from "./warnings.ts";

/** Maximum number of lines in a footer: few enough to be read. A narrow screen shows more. */
const LINES = 6;
/** Width at which the lines of a footer are counted, in columns. */
const USUAL_COLUMNS = 80;

/** How much of a report is printed. */
export interface Extent {
  readonly explained: readonly string[];
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
  const { columns, styled } = screen;
  const own = experimentTables(report).flatMap(({ verdict, caption, table, notes }) => [
    ...(verdict === undefined ? [] : [...tintedLines(wrapAll([verdict], columns), styled), ""]),
    ...(table.rows.length === 0 ? [] : [`${caption}:`, ...draw(table, screen, extent.isWide)]),
    ...wrapAll(notes, columns),
    "",
  ]);
  const rest = report.kind === "run" ? figuresOfRun(report, screen, extent) : [];
  return ["", ...own, ...rest].join("\n");
}

function figuresOfRun(
  report: Report,
  screen: Screen,
  { explained, isWide, file }: Extent,
): string[] {
  const { columns } = screen;
  const tables = isWide ? wideTables(report) : briefTables(report);
  const evidence = (line: string): string[] =>
    line.startsWith("  ")
      ? hanging(line.slice(0, EVIDENCE_INDENT), line.slice(EVIDENCE_INDENT), columns)
      : wrap(line, columns);
  const notes = isWide
    ? wrapAll([...warnings(report, file), ...environment(report), ...columnLegend(tables)], columns)
    : footer(report, columns, file);
  return [
    ...tables.flatMap((table) => [...draw(table, screen, isWide), ""]),
    ...onlyLatencies(report),
    ...notes,
    "",
    ...explain(report, explained).flatMap((line) => evidence(printable(line))),
  ];
}

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
    : nonEmpty(...briefEnvironment(report), legend(report)).map(printable);
  const lines = (texts: readonly string[]): number =>
    texts.flatMap((text) => wrap(text, Math.max(columns, USUAL_COLUMNS))).length;
  const room = LINES - lines(fixed);
  const fits = (length: number): boolean =>
    lines(known.slice(0, length)) + (length < known.length ? 1 : 0) <= room;
  let shown = known.length;
  while (shown > 1 && !fits(shown)) shown--;
  const rest = known.length - shown;
  const [first = ""] = known;
  // A warning that is too long is cut; --wide prints all of it
  const most = Math.max(1, room - 1) * (USUAL_COLUMNS - cut.length);
  const isWhole = fits(shown) || first.length <= most;
  return [
    ...(isWhole ? known.slice(0, shown) : [first.slice(0, most) + cut]),
    ...(rest > 0 ? [`${count(rest, "more warning")}: ${wide}`] : []),
    ...fixed,
  ].flatMap((text) => wrap(text, columns));
}

function legend({ results, experiment: { variants } }: Report): string {
  const hasRelativeCpu = results.some(({ relativeCpu }) => relativeCpu !== null);
  const hasInterval = results.some(({ requestsPerS }) => requestsPerS?.confidenceInterval);
  return nonEmpty(
    hasRelativeCpu && "Rel. CPU: CPU time per response, bare Deno.serve is 1",
    hasInterval && `±: half the 95 % CI${variants.length > 1 ? "; brackets: 95 % CI" : ""}`,
  ).join("; ");
}

/** Maximum number of loads for which latencies are printed: more would not fit on a screen. */
const MOST_LOADS = 4;

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
