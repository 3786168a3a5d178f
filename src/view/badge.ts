/** Draws a badge for a README: one line as SVG. */
import type { Report } from "../model/report.ts";
import { plusMinus, rate, withRelativeCpu } from "./format.ts";
import { escape } from "./html/markup.ts";

const HEIGHT = 20;
const PADDING = 6;
/** Approximate width of a character in pixels. The text is stretched to the width that results. */
const CHARACTER = 6.4;
const LABEL = "stampede";

/** Returns the first known figures: `text 72,600/s ± 2 %, rel. CPU 1.03 ± 0.6 %`. */
function badgeText({ results, experiment: { scenarios, variants } }: Report): string {
  const known = results.filter(({ requestsPerS }) => requestsPerS !== null);
  const [first] = scenarios.flatMap((scenario) =>
    variants.flatMap(({ id }) =>
      known.filter((result) => result.scenario === scenario && result.variant === id)
    )
  );
  if (!first?.requestsPerS) return "no figures";
  const { variant, scenario, requestsPerS, isLowerBound, relativeCpu } = first;
  const bound = isLowerBound ? "≥ " : "";
  const interval = isLowerBound ? "" : plusMinus(requestsPerS);
  const server = variants.length > 1 ? `${variant} ` : "";
  // Too few rounds for an interval
  const isUnsure = !requestsPerS.confidenceInterval && !relativeCpu?.confidenceInterval;
  const reached = `${server}${scenario} ${bound}${rate(requestsPerS.median)}/s${interval}`;
  return withRelativeCpu(reached, relativeCpu) + (isUnsure ? " (smoke run)" : "");
}

/** Returns the badge as SVG. */
export function badge(report: Report): string {
  const text = badgeText(report);
  const lengthOf = (part: string): number => Math.ceil(part.length * CHARACTER);
  const from = lengthOf(LABEL) + 2 * PADDING;
  const width = from + lengthOf(text) + 2 * PADDING;
  const write = (part: string, x: number): string =>
    `<text x="${x}" y="14" textLength="${lengthOf(part)}">${escape(part)}</text>`;
  const label = escape(`${LABEL}: ${text}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${label}">
<rect width="${width}" height="${HEIGHT}" rx="3" fill="#0b57c2"/>
<rect width="${from}" height="${HEIGHT}" rx="3" fill="#3b4046"/>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
${write(LABEL, PADDING)}
${write(text, from + PADDING)}
</g>
</svg>
`;
}
