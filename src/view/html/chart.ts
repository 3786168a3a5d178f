import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { isFigure } from "../format.ts";
import type { Table } from "../table.ts";
import { escape, Markup } from "./markup.ts";

use([CustomChart, LineChart, GridComponent, SVGRenderer]);

/** A picture with the table of what it shows. */
export interface Chart {
  readonly title: string;
  /** What is to be seen in it, and how. */
  readonly note: string;
  /** What its colours mean, where they are not the servers'. */
  readonly legend?: readonly { readonly name: string; readonly color: string }[];
  readonly svg: Markup;
  /** Null where the figures are in another table of the page. */
  readonly table: Table | null;
}

/** What a chart is drawn from. */
export interface Drawing {
  readonly option: EChartsCoreOption;
  readonly height: number;
  /** Where each server has a row of its own: how high it is, so that those below can move up. */
  readonly rowHeight?: number;
  /** What it shows, for screen readers. */
  readonly label: string;
  /** What an item of a series is about; null: nothing of its own. */
  readonly about?: (series: number, item: number) => Subject | null;
  /** What lines are about, by their colours: the library does not say of which series a line is. */
  readonly lines?: ReadonlyMap<string, Subject>;
}

/** What the library tells the function that draws an item. */
export interface ItemApi {
  coord(point: readonly [number, number]): [number, number];
}

/** A server in a chart: its id, and what a pointer on it shows. */
export interface Subject {
  readonly server: string;
  readonly text: string;
}

/** Charts are as wide as a phone, and stand side by side where there is room. */
export const WIDTH = 400;
/** The colours of everything that is no server, which the style sheet sets. */
export const INK = "var(--ink)";
export const FAINT = "var(--faint)";
export const LINE = "var(--line)";

/** An axis of numbers in quiet colours. */
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
 * Draws a chart as SVG. Elements of one server stand in a group that names it, so that the page can
 * hide it, and colours are left to the style sheet.
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

/** Removes points of a damaged report that are not figures: the library would throw. */
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
 * The elements of the library's SVG, one a line, without what a style sheet says better: those of the
 * axes, then those of each subject together, since the library puts all text behind all shapes.
 */
function grouped(svg: string, { about, lines, rowHeight = 0 }: Drawing): string {
  const elements = svg.replaceAll(/<(style|clipPath)[\s\S]*?<\/\1>/g, "").split("\n")
    .filter((line) => /^<(path|text|rect|polyline|circle)/.test(line));
  const subjectOf = (element: string): Subject | null => {
    const [, series] = element.match(/ecmeta_series_index="(\d+)"/) ?? [];
    const [, item] = element.match(/ecmeta_data_index="(\d+)"/) ?? [];
    const [, stroke = ""] = element.match(/ stroke="([^"]+)"/) ?? [];
    // The library does not say what a text is about, but a row's is in that row
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

/** An element as short as it can be; what stands between its tags is left alone. */
function bare(element: string): string {
  const [tag = "", ...rest] = element.split(/(?<=>)/);
  const isText = tag.startsWith("<text");
  const short = tag
    .replaceAll(/ (class|ecmeta_\w+|pointer-events|clip-path|xml:space)="[^"]*"/g, "")
    // The style sheet has these for all texts and whiskers
    .replaceAll(/ style="font[^"]*"| dominant-baseline="central"| text-anchor="start"/g, "")
    .replace(isText ? ' fill="var(--ink)"' : /(?<=^<polyline points="[^"]*") .*(?=>)/, "")
    .replaceAll(/(\d+\.\d)\d+/g, "$1")
    // A bar
    .replace(/ d="(M\S+ \S+)l(\S+) 0l0 (\S+)l(-\S+) 0Z"/, ' d="$1h$2v$3h$4Z"');
  if (isText) return placed(short) + rest.join("");
  return short.replace(/>$/, "/>");
}

/** A text whose place needs no transformation. */
function placed(tag: string): string {
  return / y="/.test(tag)
    ? tag
    : tag.replace(/ transform="translate\(([\d.-]+) ([\d.-]+)\)"/, ' x="$1" y="$2"');
}
