/** Draws line charts over runs or loads, with intervals and marks. */
import type { MedianWithInterval } from "../../model/estimate.ts";
import { axis, type Chart, draw, FAINT, type ItemApi, type Subject } from "./chart.ts";

/** A line. It has an estimate, or null, for each name of the axis. */
export interface Series {
  readonly subject: Subject;
  readonly color: string;
  readonly estimates: readonly (MedianWithInterval | null)[];
}

/** A change, drawn as a dashed line between two places of the axis. */
export interface Mark {
  readonly subject: Subject;
  readonly before: number;
  readonly after: number;
  /** Value after the change divided by the value before it. Above 1 is worse. */
  readonly ratio: number;
}

const HEIGHT = 240;
/** Smallest span of the axis, as a share of the highest value: a smaller one would magnify noise. */
const SMALLEST = 0.05;
const DIGITS = 12;

/** Draws a line chart. */
export function overTime({ names, series, marks, format, label }: {
  readonly names: readonly string[];
  readonly series: readonly Series[];
  readonly marks: readonly Mark[];
  readonly format: (value: number) => string;
  /** Description for screen readers. */
  readonly label: string;
}): Chart["svg"] {
  const { min, max } = endsOf(series);
  // Each series is drawn as a line and its whiskers
  const lines = 2 * series.length;
  return draw({
    height: HEIGHT,
    label,
    about: (place) => (place < lines ? series[place >> 1] : marks[place - lines])?.subject ?? null,
    lines: new Map(series.map(({ color, subject }) => [color, subject])),
    option: {
      grid: { left: 66, right: 18, top: 8, bottom: 26 },
      xAxis: {
        type: "category",
        data: names,
        axisTick: { show: false },
        axisLine: { show: false },
        axisLabel: { color: FAINT, hideOverlap: true },
      },
      // The library ignores whiskers when it chooses the ends
      yAxis: { ...axis((value) => value === 0 ? "0" : format(value)), min, max },
      series: [
        ...series.flatMap(({ color, estimates }) => [
          {
            type: "line",
            clip: false,
            symbolSize: 5,
            data: estimates.map((one) => one?.median ?? null),
            lineStyle: { color, width: 1.5 },
            itemStyle: { color },
          },
          custom(
            estimates.map((_one, i) => [i, min]),
            (i, api) => whisker(i, api, estimates[i] ?? null),
          ),
        ]),
        ...marks.map((mark) =>
          custom([[mark.after, min]], (_i, api) => dashed(mark, api, { min, max }))
        ),
      ],
    },
  });
}

function custom(
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

/**
 * Returns round numbers for the ends of the axis of values: one below the lowest interval, one above
 * the highest.
 */
function endsOf(series: readonly Series[]): { readonly min: number; readonly max: number } {
  const ends = series.flatMap(({ estimates }) =>
    estimates.flatMap((one) =>
      one === null
        ? []
        : [one.confidenceInterval?.low ?? one.median, one.confidenceInterval?.high ?? one.median]
    )
  );
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  if (!(most > 0)) return { min: 0, max: 1 };
  const span = Math.max(most - least, SMALLEST * most);
  const step = 10 ** Math.floor(Math.log10(span)) / 2;
  // Rounds off floating-point errors, which the library rejects in an axis
  const [min = 0, max = 1] = [Math.floor(least / step), Math.ceil(most / step)]
    .map((steps) => Number((steps * step).toPrecision(DIGITS)));
  return { min, max };
}

function whisker(i: number, api: ItemApi, estimate: MedianWithInterval | null): object | null {
  if (!estimate?.confidenceInterval) return null;
  const [x, y1] = api.coord([i, estimate.confidenceInterval.low]);
  const [, y2] = api.coord([i, estimate.confidenceInterval.high]);
  return { type: "line", shape: { x1: x, y1, x2: x, y2 }, style: { stroke: FAINT } };
}

function dashed(
  { before, after, ratio }: Mark,
  api: ItemApi,
  { min, max }: { readonly min: number; readonly max: number },
): object {
  const [from, y1] = api.coord([before, min]);
  const [to, y2] = api.coord([after, max]);
  const x = (from + to) / 2;
  const stroke = ratio > 1 ? "var(--worse)" : "var(--better)";
  return {
    type: "line",
    shape: { x1: x, y1, x2: x, y2 },
    style: { stroke, lineWidth: 1.5, lineDash: [4, 3] },
  };
}
