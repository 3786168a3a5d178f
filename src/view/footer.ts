/** Makes the lines below the brief table: warnings first, then the environment and the legend. */
import type { Report } from "../model/report.ts";
import { printable } from "../model/text.ts";
import { briefEnvironment } from "./environment_text.ts";
import { count } from "../model/format.ts";
import { warnings } from "./warnings.ts";
import { reportCommand } from "./reproduce.ts";
import { wrap } from "./wrap.ts";

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
