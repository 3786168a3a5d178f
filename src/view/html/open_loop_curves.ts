import type { LatencySummary, OpenLoopResult } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { UNKNOWN } from "../../model/text.ts";
import { milliseconds, rate } from "../format.ts";
import { column } from "../table.ts";
import { axis, type Chart, draw, FAINT, LINE } from "./chart.ts";
import { colorOf, type Item, legendOf } from "./item.ts";
import { overTime, type Series } from "./line_chart.ts";

/** The percentiles that are drawn, each with the style of its line. */
const SHOWN: readonly (readonly [
  name: string,
  percentile: number,
  of: (times: LatencySummary) => number | null,
  line: { readonly width: number; readonly type: "solid" | "dotted" },
])[] = [
  ["p50", 0.5, ({ p50Us }) => p50Us, { width: 1.5, type: "dotted" }],
  ["p99", 0.99, ({ p99Us }) => p99Us, { width: 2, type: "solid" }],
];

/**
 * Returns a chart of response times over the rate: the median and p99 of each server, on a logarithmic
 * axis. Null if there is only one rate.
 *
 * @param servers all servers of the page, in the order of their colours
 */
export function openLoopCurves(
  { openLoopResults }: Report,
  scenario: string,
  servers: readonly string[],
): Chart | null {
  const own = openLoopResults.filter((one) =>
    one.scenario === scenario && one.responseTime !== null
  )
    .toSorted((a, b) => (a.perS ?? 0) - (b.perS ?? 0));
  if (new Set(own.map(({ perS }) => perS)).size < 2) return null;
  const variants = servers.filter((variant) => own.some((one) => one.variant === variant));
  const items = variants.map((variant) => ({
    variant,
    label: variant,
    color: colorOf(servers.indexOf(variant)),
    openLoopResults: own.filter((one) => one.variant === variant),
  }));
  return {
    title: "Response time by rate",
    note:
      "Open loop, from the scheduled send time: median (dotted) and p99 of all rounds. Requests begin to " +
      "queue at the rate at which p99 rises steeply. Upper bounds (≤) are left out.",
    legend: legendOf(items),
    svg: draw({
      height: 240,
      label: `Response times of each server at ${scenario}, by the rate`,
      lines: new Map(
        items.map(({ variant, color }) => [color, { server: variant, text: variant }]),
      ),
      option: {
        grid: { left: 62, right: 18, top: 8, bottom: 26 },
        xAxis: { ...axis((perS) => perS.toLocaleString("en-US")), min: 0 },
        yAxis: {
          type: "log",
          axisLine: { show: false },
          axisTick: { show: false },
          splitLine: { lineStyle: { color: LINE } },
          axisLabel: { color: FAINT, formatter: (us: number) => milliseconds(us) },
        },
        series: items.flatMap(({ color, openLoopResults }) =>
          SHOWN.map(([, percentile, of, line]) => ({
            type: "line",
            symbolSize: 5,
            clip: false,
            data: openLoopResults.flatMap((one) => pointOf(one, percentile, of)),
            lineStyle: { color, ...line },
            itemStyle: { color },
          }))
        ),
      },
    }),
    table: {
      columns: ["Server", "Rate/s", ...SHOWN.map(([name]) => name)].map((heading, i) =>
        column(heading, i > 0)
      ),
      rows: own.map((one) => {
        const values = SHOWN.map(([, percentile, of]) => pointOf(one, percentile, of)[0]?.[1]);
        return {
          server: one.variant,
          cells: [
            one.variant,
            rate(one.perS ?? 0),
            ...values.map((us) => us === undefined ? UNKNOWN : milliseconds(us)),
          ],
          values: [one.variant, one.perS, ...values.map((us) => us ?? null)],
        };
      }),
    },
  };
}

/**
 * Returns a list with the point of a percentile for a curve; empty if the percentile is unknown or
 * only an upper bound.
 */
function pointOf(
  { perS, responseTime, measurableUpTo }: OpenLoopResult,
  percentile: number,
  of: (times: LatencySummary) => number | null,
): [perS: number, us: number][] {
  const us = responseTime && of(responseTime);
  if (perS === null || us === null || us <= 0 || percentile > measurableUpTo) return [];
  return [[perS, us]];
}

/**
 * Returns a chart with the rate of each server over the number of connections; null if there is only
 * one number.
 */
export function sweepCurves(
  scenario: string,
  items: readonly Item[],
  servers: readonly string[],
): Chart | null {
  const numbers = [...new Set(items.map(({ result }) => result.connections))].sort((a, b) => a - b);
  if (numbers.length < 2) return null;
  const variants = servers.filter((id) => items.some(({ result }) => result.variant === id));
  const series = variants.map((variant): Series => ({
    subject: { server: variant, text: variant },
    color: colorOf(servers.indexOf(variant)),
    estimates: numbers.map((connections) =>
      items.find(({ result }) => result.variant === variant && result.connections === connections)
        ?.result
        .requestsPerS ?? null
    ),
  }));
  const names = numbers.map(String);
  return {
    title: "Req/Sec over connections",
    note: "Median of the rounds with its 95 % confidence interval, at each number of connections.",
    legend: legendOf(series.map(({ subject, color }) => ({ label: subject.server, color }))),
    svg: overTime({
      names,
      series,
      marks: [],
      format: rate,
      label: `Req/Sec of each server at ${scenario} over the connections`,
    }),
    table: {
      columns: ["Server", ...names].map((heading, i) => column(heading, i > 0)),
      rows: series.map(({ subject: { server }, estimates }) => ({
        server,
        cells: [server, ...estimates.map((one) => one === null ? UNKNOWN : rate(one.median))],
        values: [server, ...estimates.map((one) => one?.median ?? null)],
      })),
    },
  };
}
