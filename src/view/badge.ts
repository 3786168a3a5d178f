/** Draws a badge for a README: one line as SVG. */
import type { Report } from "../model/report.ts";
import { multiple, plusMinus, rate } from "./format.ts";
import { escape } from "./html/markup.ts";

const HEIGHT = 20;
const PADDING = 6;
/**
 * Approximate width of a character at font size 11, in pixels. The badge's text is stretched to the
 * width that results.
 */
const CHARACTER = 6.4;
const LABEL = "stampede";

/**
 * Returns the rate and relative CPU time of the first server with figures at the first scenario:
 * `text 72,600/s ± 2 %, rel. CPU 1.03 ± 0.6 %`.
 */
export function badgeText({ results, experiment: { scenarios, variants } }: Report): string {
  const first =
    scenarios.flatMap((scenario) =>
      variants.flatMap(({ id }) =>
        results.filter((result) =>
          result.scenario === scenario && result.variant === id && result.requestsPerS !== null
        )
      )
    )[0];
  if (!first?.requestsPerS) return "no figures";
  const { variant, scenario, requestsPerS, isLowerBound, relativeCpu } = first;
  const isUnsure = requestsPerS.confidenceInterval === null &&
    (relativeCpu?.confidenceInterval ?? null) === null;
  const reached = `${isLowerBound ? "≥ " : ""}${rate(requestsPerS.median)}/s${
    isLowerBound ? "" : plusMinus(requestsPerS)
  }`;
  const parts = [`${variants.length > 1 ? `${variant} ` : ""}${scenario} ${reached}`];
  if (relativeCpu !== null) {
    parts.push(
      `rel. CPU ${multiple(relativeCpu.ratio)}${
        plusMinus({ ...relativeCpu, median: relativeCpu.ratio })
      }`,
    );
  }
  // Too few rounds for an interval
  return parts.join(", ") + (isUnsure ? " (smoke run)" : "");
}

/** Returns the badge as SVG. */
export function badge(report: Report): string {
  const text = badgeText(report);
  const [left, right] = [LABEL, text].map((part) => Math.ceil(part.length * CHARACTER));
  const [from, to] = [(left ?? 0) + 2 * PADDING, (right ?? 0) + 2 * PADDING];
  const write = (part: string, x: number, length: number | undefined): string =>
    `<text x="${x}" y="14" textLength="${length}">${escape(part)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${
    from + to
  }" height="${HEIGHT}" role="img" aria-label="${escape(`${LABEL}: ${text}`)}">
<rect width="${from + to}" height="${HEIGHT}" rx="3" fill="#0b57c2"/>
<rect width="${from}" height="${HEIGHT}" rx="3" fill="#3b4046"/>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
${write(LABEL, PADDING, left)}
${write(text, from + PADDING, right)}
</g>
</svg>
`;
}
