/** Makes the bar charts of a scenario: rates, CPU time per response, and use of the cores. */
import { isSweep } from "../../analysis/keys.ts";
import { FIGURES, isMoreBetter, type RankingMetric } from "../../model/figures.ts";
import { isFigure, printable } from "../../model/text.ts";
import { FORMATS } from "../format.ts";
import {
  axis,
  type Chart,
  customSeries,
  draw,
  FAINT,
  figuresTable,
  type Item,
  type ItemApi,
  type Subject,
} from "./chart.ts";
import { shortName, WIDTH } from "./markup.ts";

/** Colour of texts and whiskers, from the style sheet. */
const INK = "var(--ink)";

/** Returns the bar charts of one scenario with known figures. */
export function barCharts(scenario: string, items: readonly Item[]): Chart[] {
  return [
    estimateBars(items, {
      title: "Req/Sec",
      note:
        "Median of the rounds with its 95 % confidence interval. An open bar (≥) is a lower bound: the load " +
        "generator or the machine was the bottleneck, not the server.",
      label: `Req/Sec of each server at ${scenario}`,
      metric: "requestsPerS",
    }),
    estimateBars(items, {
      title: "CPU per request",
      note:
        "The server's CPU time per response, kernel included: less is better. Compare it if rates are " +
        "lower bounds.",
      label: `CPU time per response of each server at ${scenario}`,
      metric: "serverCpuUs",
    }),
    processorShares(scenario, items),
  ].filter((chart) => chart !== null);
}

// The best one is first, but a sweep stays in the order of its loads
function estimateBars(
  items: readonly Item[],
  { metric, label, ...texts }: Pick<Chart, "title" | "note"> & {
    readonly metric: RankingMetric;
    readonly label: string;
  },
): Chart | null {
  const format = FORMATS[FIGURES[metric].column.format];
  const known = items.flatMap((item) => {
    const estimate = item.result[metric];
    return estimate === null ? [] : [{ ...item, ...estimate }];
  });
  if (known.length === 0) return null;
  if (!isSweep(items.map(({ result }) => result))) {
    known.sort((a, b) => (a.median - b.median) * (isMoreBetter(metric) ? -1 : 1));
  }
  const rows = known.map(({ server, label, color, result, median, confidenceInterval }) => {
    const isOpen = metric === "requestsPerS" && result.isLowerBound;
    const text = `${isOpen ? "≥ " : ""}${format(median)}`;
    const whisker = confidenceInterval &&
      [confidenceInterval.low, confidenceInterval.high] as const;
    const range = whisker && ` (${whisker.map(format).join(" to ")})`;
    return {
      name: label,
      isOpen,
      text,
      bars: [{ length: median, color }],
      whisker,
      about: { server, text: `${label}: ${text}${range ?? ""}` },
    };
  });
  const unit = metric === "serverCpuUs" ? " µs" : "";
  const short = (value: number): string => `${value.toLocaleString("en-US")}${unit}`;
  // The table above the charts contains these figures
  return { ...texts, svg: barRows(rows, label, short), table: null };
}

const DRAWN = ["server", "database", "generator", "others"] as const;
/** All uses. Idle cores are not drawn: they are the rest of the axis. */
const USERS = [...DRAWN, "idle"] as const;

// Other programs include Stampede, and the host of a virtual machine
function processorShares(scenario: string, items: readonly Item[]): Chart | null {
  const known = items.map((item) => ({
    ...item,
    values: USERS.map((user) => coresOf(item, user)),
  })).filter(({ values }) => values.some((cores) => cores !== null));
  if (known.length === 0) return null;
  const table = figuresTable(USERS, known, (cores) => cores.toFixed(2));
  const rows = known.map(({ server, label, values }, i): BarRow => ({
    name: label,
    bars: DRAWN.map((user, i) => ({ length: values[i] ?? 0, color: `var(--${user})` })),
    text: "",
    about: { server, text: `${label}: ${table.rows[i]?.cells.slice(1).join(", ")}` },
  }));
  return {
    title: "CPU use",
    note: "Cores that each component used, and that other programs used; the rest was idle.",
    legend: USERS.map((label) => ({ label, color: `var(--${label})` })),
    svg: barRows(rows, `Cores that each component used at ${scenario}`, String, items[0]?.cores),
    table,
  };
}

function coresOf({ result, cores }: Item, user: typeof USERS[number]): number | null {
  const { evidence } = result.bottleneck ?? {};
  if (user !== "others" && user !== "idle") return evidence?.[user]?.cores ?? null;
  const machine = evidence?.machine ?? null;
  if (machine === null) return null;
  return user === "idle" ? cores * machine.idle : machine.otherCores + cores * machine.steal;
}

interface BarRow {
  readonly name: string;
  readonly bars: readonly { readonly length: number; readonly color: string }[];
  readonly whisker?: readonly [low: number, high: number] | null;
  readonly isOpen?: boolean;
  readonly text: string;
  readonly about: Subject;
}

const ROW_HEIGHT = 24;
const BAR_HEIGHT = 14;
const NAMES_WIDTH = 118;
const LABEL_WIDTH = 76;
const AXIS_HEIGHT = 26;
/** Minimum length of an axis: ECharts cannot draw a shorter one. Real figures are larger. */
const SHORTEST = 1e-9;

function barRows(
  rows: readonly BarRow[],
  label: string,
  format: (value: number) => string,
  end = 0,
): Chart["svg"] {
  const longest = Math.max(
    end,
    ...rows.flatMap(({ bars, whisker }) => [
      bars.reduce((sum, { length }) => sum + length, 0),
      whisker?.[1] ?? 0,
    ]).filter(isFigure),
  );
  return draw({
    label,
    rowHeight: ROW_HEIGHT,
    height: rows.length * ROW_HEIGHT + AXIS_HEIGHT,
    about: (_series, item) => rows[item]?.about ?? null,
    option: {
      grid: { left: NAMES_WIDTH, right: LABEL_WIDTH, top: 0, bottom: AXIS_HEIGHT },
      xAxis: {
        ...axis(format),
        max: longest > SHORTEST ? longest : 1,
        splitNumber: 3,
        axisLabel: { color: FAINT, formatter: format, hideOverlap: true, showMaxLabel: false },
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: rows.map(({ name }) => name),
        axisLabel: { show: false },
        axisTick: { show: false },
        axisLine: { show: false },
      },
      series: [
        customSeries(rows.map((_row, i) => [0, i]), (i, api) => {
          const row = rows[i];
          return row ? { type: "group", children: shapes(row, i, api) } : null;
        }),
      ],
    },
  });
}

function shapes(
  { name, bars, whisker = null, isOpen = false, text }: BarRow,
  place: number,
  api: ItemApi,
): object[] {
  const xOf = (value: number): number => api.coord([isFigure(value) ? value : 0, place])[0];
  const [, y] = api.coord([0, place]);
  let from = 0;
  const rects = bars.map(({ length, color }) => {
    const x = xOf(from);
    from += length;
    const shape = { x, y: y - BAR_HEIGHT / 2, width: xOf(from) - x, height: BAR_HEIGHT };
    const open = { fillOpacity: 0.3, stroke: color, lineDash: [3, 2], lineWidth: 1 };
    return { type: "rect", shape, style: { fill: color, ...(isOpen && open) } };
  });
  const end = Math.max(xOf(from), whisker ? xOf(whisker[1]) : 0);
  const write = (text: string, x: number, align: string): object => ({
    type: "text",
    x,
    y,
    style: { text, fill: INK, align, verticalAlign: "middle" },
  });
  return [
    ...rects,
    ...(whisker === null ? [] : [whiskerOf(xOf(whisker[0]), xOf(whisker[1]), y)]),
    write(shortName(printable(name)), NAMES_WIDTH - 8, "right"),
    ...(text === "" ? [] : [write(text, Math.min(end + 6, WIDTH - LABEL_WIDTH + 6), "left")]),
  ];
}

function whiskerOf(low: number, high: number, y: number): object {
  const points = [[low, y - 4], [low, y + 4], [low, y], [high, y], [high, y - 4], [high, y + 4]];
  return { type: "polyline", shape: { points }, style: { stroke: INK, lineWidth: 1.5 } };
}
