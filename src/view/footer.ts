/** What stands below the table that answers first: a few lines, what weighs most first. */
import type { Report } from "../model/report.ts";
import { printable } from "../model/text.ts";
import { briefEnvironment } from "./environment_text.ts";
import { warnings } from "./warnings.ts";
import { reportCommand } from "./reproduce.ts";
import { wrap } from "./wrap.ts";

/** As many lines as a person reads. */
const LINES = 6;
/** What counts as one line: a narrower screen has more of them. */
const USUAL_COLUMNS = 80;

/** Warnings, environment and legend, in six lines where the screen is no narrower than 80 columns. */
export function footer(report: Report, columns: number, file: string | null = null): string[] {
  const known = warnings(report, file).map(printable);
  const wide = reportCommand(file, "--wide");
  const cut = `… (see ${wide})`;
  const hasFigures = report.results.some(({ requestsPerS, relativeCpu }) =>
    requestsPerS !== null || relativeCpu !== null
  );
  // How figures came about is of no use without any
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
  // One that is too long by itself is cut, and stands whole with --wide
  const most = Math.max(1, room - 1) * (USUAL_COLUMNS - cut.length);
  const told = fits(shown) || first.length <= most
    ? known.slice(0, shown)
    : [first.slice(0, most) + cut];
  return [
    ...told,
    ...(rest > 0 ? [`${rest} more warning${rest === 1 ? "" : "s"}: see ${wide}.`] : []),
    ...fixed,
  ].flatMap((text) => wrap(text, columns));
}

/** What the columns mean that do not say it themselves. */
function legend({ results, experiment: { variants } }: Report): string[] {
  const hasRelativeCpu = results.some(({ relativeCpu }) => relativeCpu !== null);
  const hasInterval = results.some(({ requestsPerS }) => requestsPerS?.confidenceInterval);
  const parts = [
    ...(hasRelativeCpu ? ["Rel. CPU: CPU time per response, bare Deno.serve is 1"] : []),
    ...(hasInterval
      ? [`±: half the 95 % CI${variants.length > 1 ? "; brackets: its ends" : ""}`]
      : []),
  ];
  return parts.length === 0 ? [] : [parts.join("; ")];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
