import { isSweep } from "../../analysis/keys.ts";
import { FIGURES, isMoreBetter, type RankingMetric, requestsPerS } from "../../model/figures.ts";
import { UNKNOWN } from "../../model/text.ts";
import { FORMATS, rate } from "../format.ts";
import { column } from "../table.ts";
import { axis, type Chart, draw } from "./chart.ts";
import { barRows } from "./html_table.ts";
import { type Item, legendOf } from "./item.ts";

/**
 * Returns a chart with the rates of the servers at one scenario and their intervals. The bars are
 * sorted, unless servers have several loads.
 */
export function rateBars(scenario: string, items: readonly Item[]): Chart | null {
  return estimateBars(items, {
    title: "Req/Sec",
    note:
      "Median of the rounds with its 95 % confidence interval. An open bar (≥) is a lower bound: the load " +
      "generator or the machine was the bottleneck, not the server.",
    label: `Req/Sec of each server at ${scenario}`,
    metric: "requestsPerS",
    isOpen: ({ result }) => result.isLowerBound,
    unit: "",
  });
}

/** Returns a chart with the CPU time per response of the servers at one scenario, the least first. */
export function relativeCpuBars(scenario: string, items: readonly Item[]): Chart | null {
  return estimateBars(items, {
    title: "CPU per request",
    note:
      "The server's CPU time per response, kernel included: less is better. Compare it if rates are " +
      "lower bounds.",
    label: `CPU time per response of each server at ${scenario}`,
    metric: "serverCpuUs",
    isOpen: () => false,
    unit: " µs",
  });
}

interface Bars {
  readonly title: string;
  readonly note: string;
  readonly label: string;
  readonly metric: RankingMetric;
  readonly isOpen: (item: Item) => boolean;
  /** Unit of the figures, with a space before it. */
  readonly unit: string;
}

/** Returns a chart with a bar for each estimate; null if no estimate is known. */
function estimateBars(
  items: readonly Item[],
  { title, note, label, metric, isOpen, unit }: Bars,
): Chart | null {
  const format = FORMATS[FIGURES[metric].column.format];
  const known = items.flatMap((item) => {
    const estimate = item.result[metric];
    return estimate === null ? [] : [{ item, estimate }];
  });
  // A sweep stays in the order of its loads
  if (!isSweep(items.map(({ result }) => result))) {
    known.sort((a, b) => (a.estimate.median - b.estimate.median) * (isMoreBetter(metric) ? -1 : 1));
  }
  if (known.length === 0) return null;
  const rows = known.map(({ item, estimate }) => {
    const { median, confidenceInterval } = estimate;
    const text = `${isOpen(item) ? "≥ " : ""}${format(median)}`;
    const range = confidenceInterval
      ? ` (${format(confidenceInterval.low)} to ${format(confidenceInterval.high)})`
      : "";
    return {
      name: item.label,
      isOpen: isOpen(item),
      text,
      bars: [{ length: median, color: item.color }],
      whisker: confidenceInterval && [confidenceInterval.low, confidenceInterval.high] as const,
      about: { server: item.result.variant, text: `${item.label}: ${text}${range}` },
    };
  });
  const short = (value: number): string => `${value.toLocaleString("en-US")}${unit}`;
  // The table above the charts contains these figures
  return { title, note, svg: barRows(rows, label, short), table: null };
}

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

/** The uses of CPU time: the components of a run, other programs, and idle time. */
const USERS = ["server", "database", "generator", "others", "idle"] as const;
type User = typeof USERS[number];

/**
 * Returns a chart with the cores used by each component and by other programs, and the idle ones. Null
 * if nothing is known.
 *
 * Other programs include Stampede, and the host of a virtual machine.
 */
export function processorShares(scenario: string, items: readonly Item[]): Chart | null {
  const known = items.filter((item) => USERS.some((user) => coresOf(item, user) !== null));
  if (known.length === 0) return null;
  const texts = (item: Item): string[] =>
    USERS.map((user) => coresOf(item, user)?.toFixed(2) ?? UNKNOWN);
  const rows = known.map((item) => ({
    name: item.label,
    whisker: null,
    isOpen: false,
    bars: DRAWN.map((user) => ({ length: coresOf(item, user) ?? 0, color: `var(--${user})` })),
    text: "",
    about: {
      server: item.result.variant,
      text: `${item.label}: ${texts(item).join(", ")}`,
    },
  }));
  return {
    title: "CPU use",
    note: "Cores that each component used, and that other programs used; the rest was idle.",
    legend: USERS.map((name) => ({ name, color: `var(--${name})` })),
    svg: barRows(rows, `Cores that each component used at ${scenario}`, String, known[0]?.cores),
    table: {
      columns: ["Server", ...USERS].map((heading, i) => column(heading, i > 0)),
      rows: known.map((item) => ({
        server: item.result.variant,
        cells: [item.label, ...texts(item)],
        values: [item.label, ...USERS.map((user) => coresOf(item, user))],
      })),
    },
  };
}

/** The uses that are drawn as bars. Idle cores are the rest of the axis. */
const DRAWN: readonly User[] = ["server", "database", "generator", "others"];

/** Returns the number of cores of a use; null if unknown. */
function coresOf({ result, cores }: Item, user: User): number | null {
  const { evidence } = result.bottleneck ?? {};
  if (user !== "others" && user !== "idle") return evidence?.[user]?.cores ?? null;
  const machine = evidence?.machine ?? null;
  if (machine === null) return null;
  return user === "idle" ? cores * machine.idle : machine.otherCores + cores * machine.steal;
}
