import { axis, draw, FAINT } from "../../src/view/html/chart.ts";
import { asset, Markup, markup, palette } from "../../src/view/html/markup.ts";
import { sumOf } from "./loads.ts";
import type { Step } from "./scale.ts";

const MARGIN = 24;
const PANEL = { width: 400, height: 220 };
const GAP = 32;
const TOP = 96;
const FOOT = 36;

/** A chart of the picture. */
interface Panel {
  readonly title: string;
  readonly of: (step: Step) => number;
  readonly most?: number;
}

/** Draws the reached rate and the share of unsent requests by the number of runners, as an SVG. */
export async function drawScale(steps: readonly Step[], perS: number): Promise<string> {
  const panels: readonly Panel[] = [
    { title: "Right responses per second", of: ({ loads }) => sumOf(loads).perS, most: perS },
    {
      title: "Requests that were not sent in time, %",
      of: ({ loads }) => 100 * sumOf(loads).dropped / sumOf(loads).offered,
      most: 100,
    },
  ];
  const sizes = [...Map.groupBy(steps, ({ cpu }) => cpu)];
  const colors = sizes.map((_size, i) => `var(--server-${i})`);
  const width = 2 * MARGIN + panels.length * PANEL.width + GAP;
  const height = TOP + PANEL.height + FOOT;
  const drawn = panels.map((panel, i) => {
    const x = MARGIN + i * (PANEL.width + GAP);
    return markup`<text x="${x}" y="${TOP - 12}" class="heading">${panel.title}</text>
<svg x="${x}" y="${TOP}" width="${PANEL.width}" height="${PANEL.height}">${
      drawPanel(panel, sizes.map(([, of]) => of), colors)
    }</svg>
`;
  });
  const keys = sizes.map(([cpu], i) => {
    const x = MARGIN + i * 240;
    return markup`<rect x="${x}" y="50" width="16" height="3" style="fill:${colors[i] ?? FAINT}"/>
<text x="${x + 22}" y="55" class="faint">runners with ${cpu} CPUs each</text>`;
  });
  const title = `${perS} requests per second asked of 1, 2, 4 and 8 runners`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">
<style>
${await asset("colors.css")}
${await asset("picture.css")}
${palette(colors.length)}
polyline,path{fill:none}
svg svg text{font-size:12px;dominant-baseline:central}
</style>
<rect width="${width}" height="${height}" rx="12" class="card"/>
<text x="${MARGIN}" y="34" class="title">${title}</text>
${keys}
${drawn}
<text x="${MARGIN}" y="${height - 12}" class="faint">Horizontal: runners.</text>
</svg>
`.text;
}

function drawPanel(
  { title, of, most }: Panel,
  lines: readonly (readonly Step[])[],
  colors: readonly string[],
): Markup {
  const format = (value: number): string => value.toLocaleString("en");
  const chart = draw({
    height: PANEL.height,
    label: `${title} by runners`,
    option: {
      grid: { left: 56, right: 12, top: 8, bottom: 24 },
      xAxis: { ...axis(format), min: 0, max: 8, splitLine: { show: false } },
      yAxis: { ...axis(format), min: 0, max: most },
      series: lines.map((steps, i) => ({
        type: "line",
        data: steps.map((step) => [step.runners, of(step)]),
        lineStyle: { color: colors[i], width: 1.5 },
        itemStyle: { color: colors[i] },
      })),
    },
  });
  // An attribute without a value is valid HTML but not valid XML
  return new Markup(chart.text.replaceAll("<g data-axis>", "<g>"));
}
