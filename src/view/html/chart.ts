/** Draws charts as SVG with ECharts, in colours from the style sheet. */
import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { Result } from "../../model/derived.ts";
import type { WindowRecord } from "../../model/raw.ts";
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
  return markup`<figure${attribute("data-server", server)}><figcaption><h3>${title}</h3><p>${note}${
    hasLegend ? keysOf(legend) : null
  }</p></figcaption>${svg}${
    table === null ? null : markup`
<details><summary>Figures</summary>${
      htmlTable(table, { caption: `${of}: ${title}`, sorts: false })
    }</details>`
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

/** A result with what charts need to draw it. */
export interface Item {
  readonly server: string;
  readonly result: Result;
  /** The server's id; if the report has several loads, with the number of connections or the rate. */
  readonly label: string;
  readonly color: string;
  /** Dash pattern of the result's lines. Lines thus differ in more than colour. */
  readonly dash: "solid" | "dashed" | "dotted";
  readonly cores: number;
  readonly windows: readonly { readonly round: number; readonly window: WindowRecord }[];
}

export interface Subject {
  readonly server: string;
  readonly text: string;
}

export interface Drawing {
  readonly option: EChartsCoreOption;
  readonly height: number;
  /** Height of a server's row, in units of the picture: the page closes the gap of a hidden row. */
  readonly rowHeight?: number;
  readonly label: string;
  /** Returns the server of an item by the indices of series and item; null for items of the axes. */
  readonly about?: (series: number, item: number) => Subject | null;
  /** The servers of lines by colour, because ECharts' SVG does not name the series of a line. */
  readonly lines?: ReadonlyMap<string, Subject>;
}

/** The part of ECharts' API that `renderItem` uses, the function that draws an item. */
export interface ItemApi {
  coord(point: readonly [number, number]): [number, number];
}

/** Colours from the style sheet: of labels at the axes, and of grid lines. */
export const FAINT = "var(--faint)";
const LINE = "var(--line)";

/** Returns the options of a numeric axis. */
export function axis(
  format: (value: number) => string,
  type: "value" | "log" = "value",
): Record<string, unknown> {
  return {
    type,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: LINE } },
    axisLabel: { color: FAINT, formatter: format, hideOverlap: true },
  };
}

/** Returns a custom series of ECharts: `render` draws each item. */
export function customSeries(
  data: readonly (readonly [number, number])[],
  render: (item: number, api: ItemApi) => object | null,
): object {
  return {
    type: "custom",
    clip: false,
    data,
    renderItem: ({ dataIndex }: { dataIndex: number }, api: ItemApi) => render(dataIndex, api),
  };
}

/** Draws a chart. All elements of one server are in one group, so that the page can hide the server. */
export function draw(drawing: Drawing): Markup {
  const { option, height, label, rowHeight } = drawing;
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height });
  try {
    chart.setOption({ animation: false, ...option, ...drawable(option) });
    const rows = attribute("data-row-height", rowHeight);
    const content = new Markup(grouped(chart.renderToSVGString(), drawing));
    return markup`<svg role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${height}"${rows}>${content}</svg>`;
  } finally {
    chart.dispose();
  }
}

/** Replaces values of damaged reports that are not figures by null. ECharts would throw an error. */
function drawable({ series }: EChartsCoreOption): { series?: unknown } {
  if (!Array.isArray(series)) return {};
  const known = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(known);
    return typeof value === "number" && !isFigure(value) ? null : value;
  };
  return { series: series.map((one) => "data" in one ? { ...one, data: known(one.data) } : one) };
}

// ECharts puts all texts after all shapes: groups them by server, after the elements of the axes
function grouped(svg: string, { about, lines, rowHeight = 0 }: Drawing): string {
  const subjectOf = (element: string): Subject | null | undefined => {
    // The library does not name the item of a text, but its row does
    const [, y] = element.match(/^<text [^>]*translate\(\S+ ([\d.]+)\)/) ?? [];
    if (rowHeight > 0 && y !== undefined) return about?.(0, Math.floor(Number(y) / rowHeight));
    const [, series] = element.match(/ecmeta_series_index="(\d+)"/) ?? [];
    const [, item] = element.match(/ecmeta_data_index="(\d+)"/) ?? [];
    if (series !== undefined && item !== undefined) return about?.(Number(series), Number(item));
    const [, stroke = ""] = element.match(/ stroke="([^"]+)"/) ?? [];
    return lines?.get(stroke);
  };
  const groups = new Map<string, string[]>([["<g data-axis>", []]]);
  const elements = svg.replaceAll(/<(style|clipPath)[\s\S]*?<\/\1>/g, "").split("\n")
    .filter((line) => /^<(path|text|rect|polyline|circle)/.test(line));
  for (const element of elements) {
    const subject = subjectOf(element);
    const start = subject
      ? `<g data-server="${escape(subject.server)}"><title>${escape(subject.text)}</title>`
      : "<g data-axis>";
    groups.set(start, [...groups.get(start) ?? [], bare(element)]);
  }
  return [...groups].map(([start, elements]) => `${start}${elements.join("")}</g>`).join("");
}

function bare(element: string): string {
  const [tag = "", ...rest] = element.split(/(?<=>)/);
  const isText = tag.startsWith("<text");
  const short = tag
    .replaceAll(/ (class|ecmeta_\w+|pointer-events|clip-path|xml:space)="[^"]*"/g, "")
    // The style sheet sets these for all texts and whiskers
    .replaceAll(/ style="font[^"]*"| dominant-baseline="central"| text-anchor="start"/g, "")
    .replace(isText ? ' fill="var(--ink)"' : /(?<=^<polyline points="[^"]*") .*(?=>)/, "")
    .replaceAll(/(\d+\.\d)\d+/g, "$1")
    // A bar
    .replace(/ d="(M\S+ \S+)l(\S+) 0l0 (\S+)l(-\S+) 0Z"/, ' d="$1h$2v$3h$4Z"');
  if (!isText) return short.replace(/>$/, "/>");
  const place = / transform="translate\(([\d.-]+) ([\d.-]+)\)"/;
  return (/ y="/.test(short) ? short : short.replace(place, ' x="$1" y="$2"')) + rest.join("");
}
