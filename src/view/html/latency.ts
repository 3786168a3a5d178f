import { decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";
import { typical } from "../../analysis/rounds.ts";
import type { Latency } from "../../model/raw.ts";
import { milliseconds } from "../format.ts";
import { column } from "../table.ts";
import { type Chart, draw, FAINT, LINE } from "./chart.ts";
import { type Item, legendOf } from "./item.ts";

/** The median on the scale of nines, on which 1 is p90 and 2 is p99. */
const P50 = Math.log10(2);
/** The percentiles of a curve, on the scale of nines. */
const NINES = [0, 0.1, 0.2, P50, ...Array.from({ length: 27 }, (_value, i) => (i + 4) / 10)];
const TICKS: readonly (readonly [nines: number, name: string])[] = [
  [P50, "p50"],
  [1, "p90"],
  [2, "p99"],
  [3, "p99.9"],
];
/**
 * Smallest number of responses above a percentile that is drawn: with fewer, it would depend on
 * chance.
 */
const FEWEST_ABOVE = 10;

/** Points of a curve: the percentile on the scale of nines, and its latency in microseconds. */
type Points = readonly (readonly [nines: number, us: number])[];

/**
 * Returns a chart with the latency percentiles of all rounds together, on logarithmic axes up to
 * p99.9. Null if the load generator reports no latencies.
 */
export function latencyCurves(scenario: string, items: readonly Item[]): Chart | null {
  const curves = items.filter(({ result }) => result.latencyAbsence === null).flatMap((item) => {
    const points = pointsOf(item.windows.flatMap(({ window }) => window.measurement.latency ?? []));
    return points.length < 2 ? [] : [{ item, points }];
  });
  if (curves.length === 0) return null;
  const at = (points: Points, nines: number): number | null =>
    points.find(([x]) => Math.abs(x - nines) < 1e-9)?.[1] ?? null;
  const shown = [P50, 1, 2, 3];
  return {
    title: "Latency",
    note:
      "Percentiles of the service time, all rounds together, closed loop. Tables show medians of the " +
      "rounds' percentiles, which may differ.",
    legend: legendOf(curves.map(({ item }) => item)),
    svg: draw({
      height: 240,
      label: `Latency percentiles of each server at ${scenario}`,
      lines: new Map(curves.map(({ item, points }) => [item.color, {
        server: item.result.variant,
        text: `${item.result.variant}: p99 ${milliseconds(at(points, 2))}`,
      }])),
      option: {
        grid: { left: 62, right: 18, top: 8, bottom: 26 },
        xAxis: {
          type: "value",
          min: 0,
          max: 3,
          axisLine: { show: false },
          axisTick: { show: false, customValues: TICKS.map(([nines]) => nines) },
          splitLine: { lineStyle: { color: LINE } },
          axisLabel: {
            color: FAINT,
            customValues: TICKS.map(([nines]) => nines),
            formatter: (value: number) => TICKS.find(([nines]) => nines === value)?.[1] ?? "",
          },
        },
        yAxis: {
          type: "log",
          axisLine: { show: false },
          axisTick: { show: false },
          splitLine: { lineStyle: { color: LINE } },
          axisLabel: { color: FAINT, formatter: (us: number) => milliseconds(us) },
        },
        series: curves.map(({ item, points }) => ({
          type: "line",
          showSymbol: false,
          clip: false,
          data: points,
          lineStyle: { color: item.color, width: 1.5, type: item.dash },
          itemStyle: { color: item.color },
        })),
      },
    }),
    table: {
      columns: ["Server", "p50", "p90", "p99", "p99.9"].map((heading, i) => column(heading, i > 0)),
      rows: curves.map(({ item, points }) => {
        const values = shown.map((nines) => at(points, nines));
        return {
          server: item.result.variant,
          cells: [item.label, ...values.map(milliseconds)],
          values: [item.label, ...values],
        };
      }),
    },
  };
}

/**
 * Returns a curve from the sum of the rounds' histograms. Without histograms, it has the few
 * percentiles that the tool reports, as medians over the rounds.
 */
function pointsOf(latencies: readonly Latency[]): Points {
  const histograms = latencies.flatMap(({ histogram }) => histogram ?? []);
  if (histograms.length === 0) return fewPoints(latencies);
  const [first = "", ...others] = histograms;
  const sum = decodeFromCompressedBase64(first) as Histogram;
  for (const text of others) sum.add(decodeFromCompressedBase64(text) as Histogram);
  return NINES.filter((nines) => sum.totalCount * 10 ** -nines >= FEWEST_ABOVE).map((nines) =>
    [nines, sum.getValueAtPercentile(100 * (1 - 10 ** -nines))] as const
  );
}

function fewPoints(latencies: readonly Latency[]): Points {
  const known: readonly (readonly [number, (latency: Latency) => number | null])[] = [
    ...[[P50, ({ p50Us }: Latency) => p50Us], [1, ({ p90Us }: Latency) => p90Us]] as const,
    ...[[2, ({ p99Us }: Latency) => p99Us], [3, ({ p999Us }: Latency) => p999Us]] as const,
  ];
  return known.flatMap(([nines, of]) => {
    const us = typical(latencies, of);
    return us === null || us <= 0 ? [] : [[nines, us] as const];
  });
}
