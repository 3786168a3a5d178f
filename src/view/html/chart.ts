/** Draws line charts as SVG with ECharts, in colours from the style sheet, and makes charts markup. */
import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { MedianWithInterval } from "../../model/estimate.ts";
import { isFigure, UNKNOWN } from "../../model/text.ts";
import { plainTable, type Table } from "../table.ts";
import { attribute, dot, escape, htmlTable, Markup, markup, WIDTH } from "./markup.ts";

use([CustomChart, LineChart, GridComponent, SVGRenderer]);

export interface Chart {
  readonly title: string;
  readonly note: string;
  /** Colours of the chart, with their names; not drawn for one, or more than {@linkcode MOST_COLORS}. */
  readonly legend?: Legend;
  readonly svg: Markup;
  /** The figures of the chart; null if another table of the page contains them. */
  readonly table: Table | null;
}

type Legend = readonly { readonly label: string; readonly color: string }[];

/** Maximum number of colours in a legend. With more, the filter of the page shows the colours. */
const MOST_COLORS = 10;

/** Returns a chart as markup. With `server`, the page can hide it together with that server. */
export function figure(
  { title, note, legend = [], svg, table }: Chart,
  of: string,
  server: string | null = null,
): Markup {
  const hasLegend = legend.length > 1 && legend.length <= MOST_COLORS;
  const caption = `${of}: ${title}`;
  return markup`<figure${attribute("data-server", server)}><figcaption><h3>${title}</h3><p>${note}${
    hasLegend && keysOf(legend)
  }</p></figcaption>${svg}${
    table && markup`
<details><summary>Figures</summary>${htmlTable(table, { caption, sorts: false })}</details>`
  }</figure>`;
}

/** Returns a legend as markup. */
export function keysOf(legend: Legend): Markup[] {
  return legend.map(({ label, color }) => markup` <span class="key">${dot(color)}${label}</span>`);
}

/** Returns the table of figures: null is unknown, and `format` makes their `texts` by default. */
export function figuresTable(
  headings: readonly string[],
  rows: readonly {
    readonly server: string;
    readonly label?: string;
    readonly values: readonly (number | null)[];
    readonly texts?: readonly string[];
  }[],
  format: (value: number) => string,
): Table {
  const cells = rows.map(({ server, label = server, values, texts }) => ({
    server,
    cells: [label, ...texts ?? values.map((one) => one === null ? UNKNOWN : format(one))],
    values: [label, ...values],
  }));
  return plainTable(["Server", ...headings], cells, 1);
}

/** Colour of labels at the axes, from the style sheet. */
export const FAINT = "var(--faint)";

/** Returns the options of a numeric axis. */
export function axis(
  format: (value: number) => string,
  type: "value" | "log" = "value",
): Record<string, unknown> {
  return {
    type,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: "var(--line)" } },
    axisLabel: { color: FAINT, formatter: format, hideOverlap: true },
  };
}

/** A line of a server, with the text for its elements: by default the server. */
interface Line {
  readonly server: string;
  readonly color: string;
  readonly text?: string;
}

/** A series of ECharts. Without a server, it belongs to the axes. */
export interface Series extends Partial<Line> {
  readonly type: string;
  readonly data: readonly unknown[];
  readonly [option: string]: unknown;
}

/** Draws a chart. All elements of one server are in one group, so that the page can hide the server. */
export function draw({ option, height, label }: {
  readonly option: EChartsCoreOption & { readonly series: readonly Series[] };
  readonly height: number;
  readonly label: string;
}): Markup {
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height });
  try {
    const series = option.series.map((one) => ({ ...one, data: drawable(one.data) }));
    chart.setOption({ animation: false, ...option, series });
    const content = new Markup(grouped(chart.renderToSVGString(), option.series));
    return markup`<svg role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${height}">${content}</svg>`;
  } finally {
    chart.dispose();
  }
}

/** Replaces values of damaged reports that are not figures by null. ECharts would throw an error. */
function drawable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(drawable);
  return typeof value === "number" && !isFigure(value) ? null : value;
}

// ECharts puts all texts after all shapes: groups them by server, after the elements of the axes
function grouped(svg: string, series: readonly Series[]): string {
  // The library names the series of symbols and custom items. It does not name that of a line
  const byColor = new Map(series.map((one) => [one.color, one]));
  const groups = new Map<string, string[]>([["<g data-axis>", []]]);
  const elements = svg.replaceAll(/<(style|clipPath)[\s\S]*?<\/\1>/g, "").split("\n")
    .filter((line) => /^<(path|text|rect|polyline|circle)/.test(line));
  for (const element of elements) {
    const [, index] = element.match(/ecmeta_series_index="(\d+)"/) ?? [];
    const [, stroke = ""] = element.match(/ stroke="([^"]+)"/) ?? [];
    const { server, text = server } =
      (index === undefined ? byColor.get(stroke) : series[Number(index)]) ?? {};
    const start = server === undefined || text === undefined
      ? "<g data-axis>"
      : `<g data-server="${escape(server)}"><title>${escape(text)}</title>`;
    groups.set(start, [...groups.get(start) ?? [], bare(element)]);
  }
  return [...groups].map(([start, elements]) => `${start}${elements.join("")}</g>`).join("");
}

function bare(element: string): string {
  const [tag = "", ...rest] = element.split(/(?<=>)/);
  const short = tag
    .replaceAll(/ (class|ecmeta_\w+|pointer-events|clip-path|xml:space)="[^"]*"/g, "")
    // The style sheet sets these for all texts
    .replaceAll(/ style="font[^"]*"| dominant-baseline="central"| text-anchor="start"/g, "")
    .replaceAll(/(\d+\.\d)\d+/g, "$1");
  if (!tag.startsWith("<text")) return short.replace(/>$/, "/>");
  const place = / transform="translate\(([\d.-]+) ([\d.-]+)\)"/;
  return (/ y="/.test(short) ? short : short.replace(place, ' x="$1" y="$2"')) + rest.join("");
}

/** Returns the series of a line. */
export function line(
  { server, color, text = server }: Line,
  data: readonly unknown[],
  style: { readonly width: number; readonly type?: string; readonly opacity?: number },
  showSymbol = true,
): Series {
  const looks = { clip: false, symbolSize: 5, showSymbol, lineStyle: style };
  return { server, color, text, type: "line", data, ...looks };
}

/** Draws lines on two axes. `left` is the width of the labels at the vertical one. */
export function drawLines({ left = 62, xAxis, yAxis, series, label }: {
  readonly left?: number;
  readonly xAxis: object;
  readonly yAxis: object;
  readonly series: readonly Series[];
  readonly label: string;
}): Markup {
  const grid = { left, right: 18, top: 8, bottom: 26 };
  return draw({ label, height: 240, option: { grid, xAxis, yAxis, series } });
}

/** Returns a chart of estimates with their intervals, over the `names` of the axis. */
export function overTime({ names, headings = names, lines, marks = [], format, label, ...texts }:
  & Pick<Chart, "title" | "note">
  & {
    readonly names: readonly string[];
    readonly headings?: readonly string[];
    /** An estimate, or null, for each name. */
    readonly lines: readonly (Line & {
      readonly estimates: readonly (MedianWithInterval | null)[];
      readonly texts?: readonly string[];
    })[];
    /** Changes between two places of the axis. A ratio above 1 is worse. */
    readonly marks?: readonly (Omit<Line, "color"> & {
      readonly before: number;
      readonly after: number;
      readonly ratio: number;
    })[];
    readonly format: (value: number) => string;
    readonly label: string;
  }): Chart {
  const ends = endsOf(lines.flatMap(({ estimates }) => estimates));
  const svg = drawLines({
    label,
    left: 66,
    xAxis: {
      type: "category",
      data: names,
      axisTick: { show: false },
      axisLine: { show: false },
      axisLabel: { color: FAINT, hideOverlap: true },
    },
    // The library ignores whiskers when it chooses the ends
    yAxis: { ...axis((value) => value === 0 ? "0" : format(value)), ...ends },
    series: [
      ...lines.flatMap((one) => {
        const whiskers = one.estimates.flatMap((estimate, i): Vertical[] => {
          const { low, high } = estimate?.confidenceInterval ?? {};
          return low === undefined || high === undefined ? [] : [[[i, low], [i, high]]];
        });
        const medians = one.estimates.map((estimate) => estimate?.median ?? null);
        return [line(one, medians, { width: 1.5 }), verticals(one, whiskers, { stroke: FAINT })];
      }),
      ...marks.map((mark) => {
        const stroke = mark.ratio > 1 ? "var(--worse)" : "var(--better)";
        const place: Vertical = [[mark.before, ends.min], [mark.after, ends.max]];
        return verticals(mark, [place], { stroke, lineWidth: 1.5, lineDash: [4, 3] });
      }),
    ],
  });
  const rows = lines.map(({ estimates, ...row }) => ({
    ...row,
    values: estimates.map((one) => one?.median ?? null),
  }));
  return {
    ...texts,
    legend: lines.map(({ server, color }) => ({ label: server, color })),
    svg,
    table: figuresTable(headings, rows, format),
  };
}

/** Smallest span of the axis, as a share of the highest value: a smaller one would magnify noise. */
const SMALLEST = 0.05;

/** Returns round numbers: one below the lowest interval, one above the highest. */
function endsOf(estimates: readonly (MedianWithInterval | null)[]): { min: number; max: number } {
  const values = estimates.flatMap((one) => {
    const { low, high } = one?.confidenceInterval ?? {};
    return one === null ? [] : [low ?? one.median, high ?? one.median];
  });
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!(most > 0)) return { min: 0, max: 1 };
  const span = Math.max(most - least, SMALLEST * most);
  const step = 10 ** Math.floor(Math.log10(span)) / 2;
  // Rounds off floating-point errors, which the library rejects in an axis
  const at = (steps: number): number => Number((steps * step).toPrecision(12));
  return { min: at(Math.floor(least / step)), max: at(Math.ceil(most / step)) };
}

type Point = readonly [place: number, value: number];
type Vertical = readonly [from: Point, to: Point];

/** Returns a series of vertical lines, each in the middle between its two places. */
function verticals(
  { server, text = server }: Omit<Line, "color">,
  lines: readonly Vertical[],
  style: object,
): Series {
  const renderItem = (
    { dataIndex }: { dataIndex: number },
    api: { coord(point: Point): [x: number, y: number] },
  ): object => {
    const [from, to] = lines[dataIndex] as Vertical;
    const [left, y1] = api.coord(from);
    const [right, y2] = api.coord(to);
    const x = (left + right) / 2;
    return { type: "line", shape: { x1: x, y1, x2: x, y2 }, style };
  };
  const data = lines.map(([from]) => from);
  return { server, text, type: "custom", clip: false, data, renderItem };
}
