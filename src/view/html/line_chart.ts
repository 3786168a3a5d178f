/** Draws line charts, and those of estimates over runs or loads, with intervals and marks. */
import type { MedianWithInterval } from "../../model/estimate.ts";
import {
  axis,
  type Chart,
  customSeries,
  draw,
  type Drawing,
  FAINT,
  figuresTable,
  type ItemApi,
  type Subject,
} from "./chart.ts";

/** Returns a line of ECharts. */
export function line(
  color: string,
  data: readonly unknown[],
  style: { readonly width: number; readonly type?: string; readonly opacity?: number },
  showSymbol = true,
): object {
  return {
    type: "line",
    clip: false,
    symbolSize: 5,
    showSymbol,
    data,
    lineStyle: { color, ...style },
    itemStyle: { color },
  };
}

/** Draws lines on two axes. Elements of a line's colour belong to its server. */
export function drawLines({ lines, left = 62, xAxis, yAxis, series, label, about }: {
  readonly lines: readonly { readonly server: string; readonly color: string; text?: string }[];
  readonly left?: number;
  readonly xAxis: object;
  readonly yAxis: object;
  readonly series: readonly object[];
} & Pick<Drawing, "about" | "label">): Chart["svg"] {
  return draw({
    label,
    height: 240,
    ...(about && { about }),
    lines: new Map(lines.map(({ color, server, text = server }) => [color, { server, text }])),
    option: { grid: { left, right: 18, top: 8, bottom: 26 }, xAxis, yAxis, series },
  });
}

/** A server's line. It has an estimate, or null, for each name of the axis. */
interface Series {
  readonly server: string;
  readonly color: string;
  readonly estimates: readonly (MedianWithInterval | null)[];
  readonly texts?: readonly string[];
}

interface Mark {
  readonly subject: Subject;
  readonly before: number;
  readonly after: number;
  /** Value after the change divided by the value before it. Above 1 is worse. */
  readonly ratio: number;
}

/** Returns a chart of estimates with their intervals, over the `names` of the axis. */
export function overTime({ names, headings = names, series, marks = [], format, label, ...texts }:
  & Pick<Chart, "title" | "note">
  & {
    readonly names: readonly string[];
    readonly headings?: readonly string[];
    readonly series: readonly Series[];
    readonly marks?: readonly Mark[];
    readonly format: (value: number) => string;
    readonly label: string;
  }): Chart {
  const ends = endsOf(series);
  // Each series is drawn as a line and its whiskers
  const subjects = series.flatMap(({ server }) => Array(2).fill({ server, text: server }))
    .concat(marks.map(({ subject }) => subject));
  const svg = drawLines({
    label,
    lines: series,
    left: 66,
    about: (i) => subjects[i] ?? null,
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
      ...series.flatMap(({ color, estimates }) => [
        line(color, estimates.map((one) => one?.median ?? null), { width: 1.5 }),
        customSeries(estimates.map((_one, i) => [i, ends.min]), (i, api) => {
          const { low, high } = estimates[i]?.confidenceInterval ?? {};
          if (low === undefined || high === undefined) return null;
          return vertical(api, [i, low], [i, high], { stroke: FAINT });
        }),
      ]),
      ...marks.map(({ before, after, ratio }) =>
        customSeries([[after, ends.min]], (_i, api) => {
          const stroke = ratio > 1 ? "var(--worse)" : "var(--better)";
          const style = { stroke, lineWidth: 1.5, lineDash: [4, 3] };
          return vertical(api, [before, ends.min], [after, ends.max], style);
        })
      ),
    ],
  });
  const rows = series.map(({ server, estimates, texts }) => ({
    server,
    values: estimates.map((one) => one?.median ?? null),
    ...(texts && { texts }),
  }));
  return {
    ...texts,
    legend: series.map(({ server, color }) => ({ label: server, color })),
    svg,
    table: figuresTable(headings, rows, format),
  };
}

/** Smallest span of the axis, as a share of the highest value: a smaller one would magnify noise. */
const SMALLEST = 0.05;

/** Returns round numbers: one below the lowest interval, one above the highest. */
function endsOf(series: readonly Series[]): { min: number; max: number } {
  const values = series.flatMap(({ estimates }) => estimates).filter((one) => one !== null)
    .flatMap(({ median, confidenceInterval }) => [
      confidenceInterval?.low ?? median,
      confidenceInterval?.high ?? median,
    ]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!(most > 0)) return { min: 0, max: 1 };
  const span = Math.max(most - least, SMALLEST * most);
  const step = 10 ** Math.floor(Math.log10(span)) / 2;
  // Rounds off floating-point errors, which the library rejects in an axis
  const at = (steps: number): number => Number((steps * step).toPrecision(12));
  return { min: at(Math.floor(least / step)), max: at(Math.ceil(most / step)) };
}

function vertical(api: ItemApi, [from, low]: Point, [to, high]: Point, style: object): object {
  const [left, y1] = api.coord([from, low]);
  const [right, y2] = api.coord([to, high]);
  const x = (left + right) / 2;
  return { type: "line", shape: { x1: x, y1, x2: x, y2 }, style };
}

type Point = readonly [place: number, value: number];
