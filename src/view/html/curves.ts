/** Makes the charts of a scenario, and of them the line charts: rates, latencies, response times. */
import { decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";
import { isSameResult, isSweep, resultKeyOf } from "../../analysis/keys.ts";
import { typical } from "../../stats/median.ts";
import type { OpenLoopResult } from "../../model/derived.ts";
import { requestsPerS } from "../../model/figures.ts";
import type { Latency } from "../../model/raw.ts";
import type { Report } from "../../model/report.ts";
import { distinct, milliseconds, rate } from "../format.ts";
import { barCharts, type Item } from "./bar_charts.ts";
import { axis, type Chart, drawLines, FAINT, figuresTable, line, overTime } from "./chart.ts";
import { colorOf } from "./markup.ts";

const DASHES = ["solid", "dashed", "dotted"] as const;

/** Returns the charts of a scenario with known figures. The order of `servers` chooses their colours. */
export function chartsOf(report: Report, scenario: string, servers: readonly string[]): Chart[] {
  const { results, trialResults, host: { cores } } = report;
  const own = results.filter((result) => result.scenario === scenario && result.status === "ok")
    .toSorted((a, b) => a.connections - b.connections || (a.perS ?? 0) - (b.perS ?? 0));
  const items = servers.flatMap((server, place) =>
    own.filter(({ variant }) => variant === server).map((result, i): Item => ({
      server,
      result,
      label: !isSweep(results)
        ? server
        : `${server}, ${result.perS === null ? result.connections : `${rate(result.perS)}/s`}`,
      color: colorOf(place),
      cores,
      dash: DASHES[(place + i) % DASHES.length] ?? "solid",
      windows: trialResults.flatMap(({ trial, window }) =>
        window !== null && trial.purpose === "measure" && isSameResult(resultKeyOf(trial), result)
          ? [{ ...window, round: trial.round }]
          : []
      ),
    }))
  );
  const isOpen = items.some(({ result }) => result.perS !== null);
  // Charts with a row for each server come first, because they have equal heights
  const charts = isOpen ? [openLoopCurves(report, scenario, servers)] : [
    sweepCurves(scenario, items),
    ...barCharts(scenario, items),
    latencyCurves(scenario, items),
    roundRates(scenario, items),
  ];
  return charts.filter((chart) => chart !== null);
}

/** Start and end of a round in its part of the axis, as shares of it. The rest is a gap. */
const [FROM, TO] = [0.08, 0.92];

// Null for one round without rates per quarter of a second: another chart shows its rate
function roundRates(scenario: string, items: readonly Item[]): Chart | null {
  const known = items.filter(({ windows }) => windows.length > 0);
  const windows = known.flatMap((item) => item.windows);
  const hasSlices = windows.some(({ measurement }) => measurement.slicesPerS.length > 1);
  const rounds = Math.max(0, ...windows.map(({ round }) => round));
  if (known.length === 0 || (rounds < 2 && !hasSlices)) return null;
  const numbers = Array.from({ length: rounds }, (_round, i) => i + 1);
  return {
    title: "Rate per round",
    note:
      "Each round is a fresh server process: its rate as a bar, and each quarter of a second as a thin line. Different rounds widen the interval; a rising line shows a server that had not warmed up.",
    legend: known,
    svg: drawLines({
      label: `Req/Sec of each server at ${scenario}, round by round`,
      xAxis: {
        ...axis((x) => Number.isInteger(x) ? "" : String(Math.ceil(x))),
        min: 0,
        max: rounds,
        interval: 0.5,
        splitLine: { show: false },
      },
      yAxis: axis((y) => y.toLocaleString("en-US")),
      series: known.flatMap((item) => {
        // A point without a value makes a gap between rounds
        const slices = item.windows.flatMap(({ round, measurement: { slicesPerS } }) => {
          const width = (TO - FROM) / slicesPerS.length;
          return [...slicesPerS.map((y, i) => [round - 1 + FROM + (i + 0.5) * width, y]), [
            round,
            null,
          ]];
        });
        const means = item.windows.flatMap((window) => {
          const [y, end] = [requestsPerS(window), window.round];
          return [[end - 1 + FROM, y], [end - 1 + TO, y], [end, null]];
        });
        return [
          line(item, slices, { width: 1, opacity: 0.45 }, false),
          line(item, means, { width: 3, opacity: 1 }, false),
        ];
      }),
    }),
    table: figuresTable(
      numbers.map((number) => `round ${number}`),
      known.map((item) => ({
        ...item,
        values: numbers.map((number) => {
          const window = item.windows.find(({ round }) => round === number);
          return window ? requestsPerS(window) : null;
        }),
      })),
      rate,
    ),
  };
}

/** The median on the scale of nines, on which 1 is p90 and 2 is p99. */
const P50 = Math.log10(2);
const NINES = [0, 0.1, 0.2, P50, ...Array.from({ length: 27 }, (_value, i) => (i + 4) / 10)];
const LABELLED = [
  { nines: P50, name: "p50", key: "p50Us" },
  { nines: 1, name: "p90", key: "p90Us" },
  { nines: 2, name: "p99", key: "p99Us" },
  { nines: 3, name: "p99.9", key: "p999Us" },
] as const;
/** Smallest number of responses above a drawn percentile: with fewer, it would depend on chance. */
const FEWEST_ABOVE = 10;

/** Points of a curve: the percentile on the scale of nines, and its latency in microseconds. */
type Points = readonly (readonly [nines: number, us: number])[];

// Null if the load generator reports no latencies
function latencyCurves(scenario: string, items: readonly Item[]): Chart | null {
  const curves = items.filter(({ result }) => result.latencyAbsence === null).flatMap((item) => {
    const points = pointsOf(item.windows.flatMap(({ measurement }) => measurement.latency ?? []));
    return points.length < 2 ? [] : [{ ...item, points }];
  });
  if (curves.length === 0) return null;
  const at = (points: Points, nines: number): number | null =>
    points.find(([x]) => Math.abs(x - nines) < 1e-9)?.[1] ?? null;
  const customValues = LABELLED.map(({ nines }) => nines);
  const nameOf = (value: number): string =>
    LABELLED.find(({ nines }) => nines === value)?.name ?? "";
  return {
    title: "Latency",
    note:
      "Percentiles of the service time, all rounds together, closed loop. Tables show medians of the rounds' percentiles, which may differ.",
    legend: curves,
    svg: drawLines({
      label: `Latency percentiles of each server at ${scenario}`,
      xAxis: {
        ...axis(nameOf),
        min: 0,
        max: 3,
        axisTick: { show: false, customValues },
        axisLabel: { color: FAINT, customValues, formatter: nameOf },
      },
      yAxis: axis(milliseconds, "log"),
      series: curves.map((curve) => {
        const { server, color, dash: type, points } = curve;
        const text = `${server}: p99 ${milliseconds(at(points, 2))}`;
        return line({ server, color, text }, points, { width: 1.5, type }, false);
      }),
    }),
    table: figuresTable(
      LABELLED.map(({ name }) => name),
      curves.map((curve) => ({
        ...curve,
        values: customValues.map((nines) => at(curve.points, nines)),
      })),
      milliseconds,
    ),
  };
}

// Without histograms, the curve has the few percentiles that the tool reports
function pointsOf(latencies: readonly Latency[]): Points {
  const [first, ...others] = latencies.flatMap(({ histogram }) => histogram ?? []);
  if (first === undefined) {
    return LABELLED.flatMap(({ nines, key }) => {
      const us = typical(latencies, (latency) => latency[key]);
      return us === null || us <= 0 ? [] : [[nines, us] as const];
    });
  }
  const sum = decodeFromCompressedBase64(first) as Histogram;
  for (const text of others) sum.add(decodeFromCompressedBase64(text) as Histogram);
  return NINES.filter((nines) => sum.totalCount * 10 ** -nines >= FEWEST_ABOVE).map((nines) =>
    [nines, sum.getValueAtPercentile(100 * (1 - 10 ** -nines))] as const
  );
}

const SHOWN = [
  { name: "p50", percentile: 0.5, key: "p50Us", style: { width: 1.5, type: "dotted" } },
  { name: "p99", percentile: 0.99, key: "p99Us", style: { width: 2, type: "solid" } },
] as const;

// Null if there is only one rate
function openLoopCurves(
  { openLoopResults }: Report,
  scenario: string,
  servers: readonly string[],
): Chart | null {
  const own = openLoopResults.filter((one) =>
    one.scenario === scenario && one.responseTime !== null
  ).toSorted((a, b) => (a.perS ?? 0) - (b.perS ?? 0));
  if (new Set(own.map(({ perS }) => perS)).size < 2) return null;
  const items = servers.map((server, i) => ({
    server,
    label: server,
    color: colorOf(i),
    results: own.filter(({ variant }) => variant === server),
  })).filter(({ results }) => results.length > 0);
  return {
    title: "Response time by rate",
    note:
      "Open loop, from the scheduled send time: median (dotted) and p99 of all rounds. Requests begin to queue at the rate at which p99 rises steeply. Upper bounds (≤) are left out.",
    legend: items,
    svg: drawLines({
      label: `Response times of each server at ${scenario}, by the rate`,
      xAxis: { ...axis((perS) => perS.toLocaleString("en-US")), min: 0 },
      yAxis: axis(milliseconds, "log"),
      series: items.flatMap((item) =>
        SHOWN.map((shown) =>
          line(item, item.results.flatMap((one) => pointOf(one, shown)), shown.style)
        )
      ),
    }),
    table: figuresTable(
      ["Rate/s", ...SHOWN.map(({ name }) => name)],
      own.map((one) => {
        const times = SHOWN.map((shown) => pointOf(one, shown)[0]?.[1] ?? null);
        return {
          server: one.variant,
          values: [one.perS, ...times],
          texts: [rate(one.perS ?? 0), ...times.map(milliseconds)],
        };
      }),
      milliseconds,
    ),
  };
}

function pointOf(
  { perS, responseTime, measurableUpTo }: OpenLoopResult,
  { percentile, key }: typeof SHOWN[number],
): [perS: number, us: number][] {
  const us = responseTime && responseTime[key];
  if (perS === null || us === null || us <= 0 || percentile > measurableUpTo) return [];
  return [[perS, us]];
}

function sweepCurves(scenario: string, items: readonly Item[]): Chart | null {
  const numbers = distinct(items.map(({ result }) => result.connections)).sort((a, b) => a - b);
  if (numbers.length < 2) return null;
  const servers = items.filter(({ server }, i) => server !== items[i - 1]?.server);
  return overTime({
    title: "Req/Sec over connections",
    note: "Median of the rounds with its 95 % confidence interval, at each number of connections.",
    names: numbers.map(String),
    lines: servers.map(({ server, color }) => ({
      server,
      color,
      estimates: numbers.map((number) =>
        items.find((one) => one.server === server && one.result.connections === number)
          ?.result.requestsPerS ?? null
      ),
    })),
    format: rate,
    label: `Req/Sec of each server at ${scenario} over the connections`,
  });
}
