import { requestsPerS } from "../../model/figures.ts";
import { rate } from "../format.ts";
import { column } from "../table.ts";
import { axis, type Chart, draw } from "./chart.ts";
import { type Item, legendOf } from "./item.ts";

/** A point of a line. If `y` is null, the line has a gap there. */
type Point = readonly [x: number, y: number | null];

/**
 * Returns a chart with the rate of each round, and of each quarter of a second in it, as the load
 * generator measured it.
 *
 * Null for one round without rates per quarter of a second: another chart shows its rate.
 */
export function roundRates(scenario: string, items: readonly Item[]): Chart | null {
  const known = items.filter(({ windows }) => windows.length > 0);
  const hasSlices = known.some(({ windows }) =>
    windows.some(({ window }) => window.measurement.slicesPerS.length > 1)
  );
  const rounds = Math.max(0, ...known.flatMap(({ windows }) => windows.map(({ round }) => round)));
  if (known.length === 0 || (rounds < 2 && !hasSlices)) return null;
  const lines = known.flatMap((item) => [
    { item, points: slices(item), width: 1, opacity: 0.45 },
    { item, points: means(item), width: 3, opacity: 1 },
  ]);
  return {
    title: "Rate per round",
    note:
      "Each round is a fresh server process: its rate as a bar, and each quarter of a second as a thin " +
      "line. Different rounds widen the interval; a rising line shows a server that had not warmed up.",
    legend: legendOf(known),
    svg: draw({
      height: 240,
      label: `Req/Sec of each server at ${scenario}, round by round`,
      lines: new Map(known.map(({ result, color }) => [color, {
        server: result.variant,
        text: result.variant,
      }])),
      option: {
        grid: { left: 62, right: 18, top: 8, bottom: 26 },
        xAxis: {
          ...axis((x) => Number.isInteger(x) ? "" : String(Math.ceil(x))),
          min: 0,
          max: rounds,
          interval: 0.5,
          splitLine: { show: false },
        },
        yAxis: axis((y) => y.toLocaleString("en-US")),
        series: lines.map(({ item, points, width, opacity }) => ({
          type: "line",
          showSymbol: false,
          clip: false,
          data: points,
          lineStyle: { color: item.color, width, opacity },
          itemStyle: { color: item.color },
        })),
      },
    }),
    table: {
      columns: ["Server", ...Array.from({ length: rounds }, (_round, i) => `round ${i + 1}`)]
        .map((heading, i) => column(heading, i > 0)),
      rows: known.map((item) => {
        const values = Array.from({ length: rounds }, (_value, i) => {
          const of = item.windows.find(({ round }) => round === i + 1);
          return of ? requestsPerS(of.window) : null;
        });
        return {
          server: item.result.variant,
          cells: [item.label, ...values.map((value) => value === null ? "–" : rate(value))],
          values: [item.label, ...values],
        };
      }),
    },
  };
}

/** Start of a round in its part of the axis, as a share of that part. */
const FROM = 0.08;
/**
 * End of a round in its part of the axis, as a share of that part. The rest is a gap between rounds.
 */
const TO = 0.92;

function means({ windows }: Item): Point[] {
  return windows.flatMap(({ round, window }): Point[] => {
    const y = requestsPerS(window);
    return [[round - 1 + FROM, y], [round - 1 + TO, y], [round, null]];
  });
}

function slices({ windows }: Item): Point[] {
  return windows.flatMap(({ round, window }): Point[] => {
    const { slicesPerS } = window.measurement;
    const step = (TO - FROM) / slicesPerS.length;
    return [
      ...slicesPerS.map((y, i): Point => [round - 1 + FROM + (i + 0.5) * step, y]),
      [round, null],
    ];
  });
}
