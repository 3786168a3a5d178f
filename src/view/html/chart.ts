import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { isFigure } from "../../model/text.ts";
import type { Table } from "../table.ts";
import { escape, Markup } from "./markup.ts";

use([CustomChart, LineChart, GridComponent, SVGRenderer]);

/** A chart with the table of its figures. */
export interface Chart {
  readonly title: string;
  /** Explains how to read the chart. */
  readonly note: string;
  /** Colours of the chart, with the names that they stand for. */
  readonly legend?: readonly { readonly name: string; readonly color: string }[];
  readonly svg: Markup;
  /** The figures of the chart; null if another table of the page contains them. */
  readonly table: Table | null;
}

/** The input of a chart. */
interface Drawing {
  readonly option: EChartsCoreOption;
  readonly height: number;
  /**
   * Height of a row in a chart with one row per server, in units of the picture. The page needs it to
   * close the gap of a hidden row.
   */
  readonly rowHeight?: number;
  /** Description for screen readers. */
  readonly label: string;
  /**
   * Returns the server of an item in a series; null for items of the axes.
   *
   * @param series index of the series
   * @param item index of the item in the series
   */
  readonly about?: (series: number, item: number) => Subject | null;
  /**
   * The servers of lines by colour. It is needed because ECharts' SVG does not name the series of a
   * line.
   */
  readonly lines?: ReadonlyMap<string, Subject>;
}

/** The part of ECharts' API that `renderItem` uses, the function that draws an item. */
export interface ItemApi {
  coord(point: readonly [number, number]): [number, number];
}

/** A server in a chart: its id, and its tooltip. */
export interface Subject {
  readonly server: string;
  readonly text: string;
}

/** Width of a chart in units of the picture: that of a phone. Wide pages place charts side by side. */
export const WIDTH = 400;
/** Colour of texts, from the style sheet. */
export const INK = "var(--ink)";
/** Colour of labels at the axes, from the style sheet. */
export const FAINT = "var(--faint)";
/** Colour of grid lines, from the style sheet. */
export const LINE = "var(--line)";

/** Returns the options of a numeric axis. */
export function axis(format: (value: number) => string): Record<string, unknown> {
  return {
    type: "value",
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: LINE } },
    axisLabel: { color: FAINT, formatter: format, hideOverlap: true },
  };
}

/**
 * Draws a chart as SVG. All elements of one server are in one group, so that the page can hide the
 * server. Colours come from the style sheet.
 */
export function draw(drawing: Drawing): Markup {
  const { option, height, label, rowHeight } = drawing;
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height });
  try {
    chart.setOption({ animation: false, ...option, ...drawable(option) });
    return new Markup(
      `<svg role="img" aria-label="${escape(label)}" viewBox="0 0 ${WIDTH} ${height}"${
        rowHeight === undefined ? "" : ` data-row-height="${rowHeight}"`
      }>` +
        grouped(chart.renderToSVGString(), drawing) + "</svg>",
    );
  } finally {
    chart.dispose();
  }
}

/**
 * Replaces values that are not figures, from damaged reports, by null. ECharts would throw an error
 * for them.
 */
function drawable({ series }: EChartsCoreOption): { series?: unknown } {
  if (!Array.isArray(series)) return {};
  const known = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(known)
      : typeof value === "number" && !isFigure(value)
      ? null
      : value;
  return { series: series.map((one) => "data" in one ? { ...one, data: known(one.data) } : one) };
}

/**
 * Groups the elements of ECharts' SVG by server. ECharts puts all texts after all shapes. In the result, the
 * elements of the axes come first, then one group for each {@linkcode Subject}. Attributes that the style
 * sheet sets are removed.
 */
function grouped(svg: string, { about, lines, rowHeight = 0 }: Drawing): string {
  const elements = svg.replaceAll(/<(style|clipPath)[\s\S]*?<\/\1>/g, "").split("\n")
    .filter((line) => /^<(path|text|rect|polyline|circle)/.test(line));
  const subjectOf = (element: string): Subject | null => {
    const [, series] = element.match(/ecmeta_series_index="(\d+)"/) ?? [];
    const [, item] = element.match(/ecmeta_data_index="(\d+)"/) ?? [];
    const [, stroke = ""] = element.match(/ stroke="([^"]+)"/) ?? [];
    // The library does not name the item of a text, but its row does
    const [, y] = element.match(/^<text [^>]*translate\(\S+ ([\d.]+)\)/) ?? [];
    if (rowHeight > 0 && y !== undefined) {
      return about?.(0, Math.floor(Number(y) / rowHeight)) ?? null;
    }
    return (series === undefined || item === undefined
      ? lines?.get(stroke)
      : about?.(Number(series), Number(item))) ?? null;
  };
  const groups = new Map<string, string[]>([["<g data-axis>", []]]);
  for (const element of elements) {
    const subject = subjectOf(element);
    const start = subject === null
      ? "<g data-axis>"
      : `<g data-server="${escape(subject.server)}"><title>${escape(subject.text)}</title>`;
    groups.set(start, [...groups.get(start) ?? [], bare(element)]);
  }
  return [...groups].map(([start, elements]) => `${start}${elements.join("")}</g>`).join("");
}

/** Shortens the tag of an element. The text between the tags stays. */
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
  if (isText) return placed(short) + rest.join("");
  return short.replace(/>$/, "/>");
}

/** Replaces the attribute `transform` of a text by the equal coordinates `x` and `y`. */
function placed(tag: string): string {
  return / y="/.test(tag)
    ? tag
    : tag.replace(/ transform="translate\(([\d.-]+) ([\d.-]+)\)"/, ' x="$1" y="$2"');
}
