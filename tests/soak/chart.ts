import { axis, draw, FAINT, type Series } from "../../src/view/html/chart.ts";
import { asset, Markup, markup, palette } from "../../src/view/html/markup.ts";
import type { Sample } from "./sample.ts";

const MARGIN = 24;
const COLUMNS = 2;
const PANEL = { width: 400, height: 200 };
const GAP = { x: 32, y: 16 };
const HEADING = 44;
const TOP = 72;
const FOOT = 28;
/** Maximum points of a line: a chart is 400 pixels wide. */
const POINTS = 200;
const COLORS = ["var(--server-0)", "var(--server-1)"];
const MIB = 2 ** 20;
const MINUTE_S = 60;

/** One line of a panel. */
interface Line {
  readonly name: string;
  of(sample: Sample): number | null | undefined;
}

/** One chart of the picture. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  /** Logarithmic value axis: a stall can take a thousand times longer than a normal response. */
  readonly isLogarithmic?: boolean;
}

const PANELS: readonly Panel[] = [
  {
    title: "Memory",
    unit: "MiB",
    lines: [
      { name: "RSS", of: ({ rssBytes }) => rssBytes / MIB },
      { name: "PSS", of: ({ pssBytes }) => pssBytes === null ? null : pssBytes / MIB },
    ],
  },
  {
    title: "Open file descriptors",
    unit: "",
    lines: [{ name: "server", of: ({ files }) => files }],
  },
  {
    title: "Latency of /, p50",
    unit: "ms",
    isLogarithmic: true,
    lines: [
      { name: "server", of: ({ latency }) => latency?.p50 },
      { name: "null server", of: ({ reference }) => reference?.p50 },
    ],
  },
  {
    title: "Latency of /, p99",
    unit: "ms",
    isLogarithmic: true,
    lines: [
      { name: "server", of: ({ latency }) => latency?.p99 },
      { name: "null server", of: ({ reference }) => reference?.p99 },
    ],
  },
  {
    title: "Longest response to /",
    unit: "ms",
    isLogarithmic: true,
    lines: [
      { name: "server", of: ({ latency }) => latency?.longest },
      { name: "null server", of: ({ reference }) => reference?.longest },
    ],
  },
  {
    title: "Polite requests without a right response",
    unit: "",
    lines: [
      { name: "refused", of: ({ refused }) => refused },
      { name: "failed", of: ({ failed }) => failed },
    ],
  },
];

/** Draws a soak as a self-contained SVG with a light and a dark theme. */
export async function drawSoak(
  samples: readonly Sample[],
  { title, facts, warmupS }: {
    readonly title: string;
    readonly facts: string;
    readonly warmupS: number;
  },
): Promise<string> {
  const width = 2 * MARGIN + COLUMNS * PANEL.width + GAP.x;
  const rows = Math.ceil(PANELS.length / COLUMNS);
  const rowHeight = HEADING + PANEL.height + GAP.y;
  const height = TOP + rows * rowHeight + FOOT;
  const panels = PANELS.map((panel, i) => {
    const x = MARGIN + (i % COLUMNS) * (PANEL.width + GAP.x);
    const y = TOP + Math.floor(i / COLUMNS) * rowHeight;
    const unit = panel.unit === "" ? "" : `, ${panel.unit}`;
    return markup`<text x="${x}" y="${y + 14}" class="heading">${panel.title + unit}</text>
${panel.lines.map(({ name }, line) => legendOf(name, line, x, y + 34))}
<svg x="${x}" y="${y + HEADING}" width="${PANEL.width}" height="${PANEL.height}">${
      drawPanel(panel, samples, warmupS)
    }</svg>
`;
  });
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">
<style>
${await asset("colors.css")}
${await asset("picture.css")}
${palette(COLORS.length)}
polyline,path{fill:none}
svg svg text{font-size:12px;dominant-baseline:central}
</style>
<rect width="${width}" height="${height}" rx="12" class="card"/>
<text x="${MARGIN}" y="34" class="title">${title}</text>
<text x="${MARGIN}" y="54" class="faint">${facts}</text>
${panels}
<text x="${MARGIN}" y="${
    height - 12
  }" class="faint">Minutes since the load began; dashed: the end of the warm-up.</text>
</svg>
`.text;
}

function legendOf(name: string, line: number, x: number, y: number): Markup {
  const left = x + line * 120;
  const color = COLORS[line] ?? FAINT;
  return markup`<rect x="${left}" y="${
    y - 8
  }" width="16" height="3" style="fill:${color}"/><text x="${
    left + 22
  }" y="${y}" class="faint">${name}</text>`;
}

function drawPanel(
  { title, lines, isLogarithmic = false }: Panel,
  samples: readonly Sample[],
  warmupS: number,
): Markup {
  const step = Math.max(1, Math.ceil(samples.length / POINTS));
  const drawn = lines.map(({ of }) =>
    Array.from(
      { length: Math.ceil(samples.length / step) },
      (_point, i) => pointOf(samples.slice(i * step, (i + 1) * step), of),
    ).filter((point) => point !== null)
  );
  const format = (value: number): string =>
    value.toLocaleString("en", { maximumFractionDigits: 2 });
  const chart = draw({
    height: PANEL.height,
    label: `${title} over time`,
    option: {
      grid: { left: 56, right: 12, top: 8, bottom: 24 },
      xAxis: {
        ...axis(format),
        min: 0,
        max: Math.ceil((samples.at(-1)?.atS ?? 0) / MINUTE_S),
        splitLine: { show: false },
        axisLine: { show: true, lineStyle: { color: "var(--line)" } },
      },
      yAxis: {
        ...axis(format),
        type: isLogarithmic ? "log" : "value",
        min: isLogarithmic ? null : 0,
      },
      series: [
        ...drawn.map((data, i) => ({
          type: "line",
          showSymbol: false,
          data,
          lineStyle: { color: COLORS[i], width: 1.5 },
          itemStyle: { color: COLORS[i] },
        })),
        warmupLine(warmupS),
      ],
    },
  });
  // An attribute without a value is valid HTML but not valid XML
  return new Markup(chart.text.replaceAll("<g data-axis>", "<g>"));
}

/** Returns the maximum of the samples that share a point, so that no stall is hidden. */
function pointOf(
  samples: readonly Sample[],
  of: Line["of"],
): readonly [minutes: number, value: number] | null {
  const values = samples.flatMap((sample) => of(sample) ?? []);
  return values.length === 0 ? null : [(samples.at(-1)?.atS ?? 0) / MINUTE_S, Math.max(...values)];
}

/** Returns a dashed vertical line at the end of the warm-up. */
function warmupLine(warmupS: number): Series {
  return {
    type: "custom",
    data: [[warmupS / MINUTE_S, 0]],
    renderItem: (
      { coordSys }: { coordSys: { y: number; height: number } },
      api: { coord(point: readonly [number, number]): [number, number] },
    ): object => {
      const [x] = api.coord([warmupS / MINUTE_S, 1]);
      return {
        type: "line",
        shape: { x1: x, y1: coordSys.y, x2: x, y2: coordSys.y + coordSys.height },
        style: { stroke: FAINT, lineDash: [4, 3] },
      };
    },
  };
}
