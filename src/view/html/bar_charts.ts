/** Makes the bar charts of a scenario: rates, CPU time per response, and use of the cores. */
import { isSweep } from "../../analysis/keys.ts";
import type { Result } from "../../model/derived.ts";
import { FIGURES, isMoreBetter } from "../../model/figures.ts";
import type { WindowRecord } from "../../model/raw.ts";
import { isFigure } from "../../model/text.ts";
import { sum } from "../../stats/median.ts";
import { FORMATS, range } from "../format.ts";
import { type Chart, figuresTable } from "./chart.ts";
import { type Markup, markup, shortName, WIDTH } from "./markup.ts";

/** A result with what charts need to draw it. */
export interface Item {
  readonly server: string;
  readonly result: Result;
  /** The server's id; if the report has several loads, with the number of connections or the rate. */
  readonly label: string;
  readonly color: string;
  /** Dash pattern of the result's lines. Lines thus differ in more than colour. */
  readonly dash: "solid" | "dashed" | "dotted";
  readonly cores: number;
  readonly windows: readonly (WindowRecord & { readonly round: number })[];
}

const ESTIMATES = [
  {
    metric: "requestsPerS",
    title: "Req/Sec",
    what: "Req/Sec",
    unit: "",
    note:
      "Median of the rounds with its 95 % confidence interval. An open bar (≥) is a lower bound: the load generator or the machine was the bottleneck, not the server.",
  },
  {
    metric: "serverCpuUs",
    title: "CPU per request",
    what: "CPU time per response",
    unit: " µs",
    note:
      "The server's CPU time per response, kernel included: less is better. Compare it if rates are lower bounds.",
  },
] as const;

/** Returns the bar charts of one scenario with known figures. */
export function barCharts(scenario: string, items: readonly Item[]): Chart[] {
  const estimates = ESTIMATES.map((one) => estimateBars(scenario, items, one));
  return [...estimates, processorShares(scenario, items)].filter((chart) => chart !== null);
}

// The best one is first, but a sweep stays in the order of its loads
function estimateBars(
  scenario: string,
  items: readonly Item[],
  { metric, title, what, unit, note }: typeof ESTIMATES[number],
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
  const rows = known.map((item): BarRow => {
    const { label, color, result, median: length, confidenceInterval } = item;
    const isOpen = metric === "requestsPerS" && result.isLowerBound;
    const text = `${isOpen ? "≥ " : ""}${format(length)}`;
    const interval = confidenceInterval ? ` (${range(confidenceInterval, format)})` : "";
    return {
      ...item,
      isOpen,
      text,
      bars: [{ length, color }],
      title: `${label}: ${text}${interval}`,
    };
  });
  const svg = barRows(rows, `${what} of each server at ${scenario}`, unit);
  // The table above the charts contains these figures
  return { title, note, svg, table: null };
}

/** All uses, in the order of {@linkcode usesOf}. Idle cores are not drawn: they are the rest. */
const USERS = ["server", "database", "generator", "others", "idle"] as const;

function processorShares(scenario: string, items: readonly Item[]): Chart | null {
  const known = items.map((item) => ({ ...item, values: usesOf(item) }))
    .filter(({ values }) => values.some((cores) => cores !== null));
  if (known.length === 0) return null;
  const legend = USERS.map((label) => ({ label, color: `var(--${label})` }));
  const table = figuresTable(USERS, known, (cores) => cores.toFixed(2));
  const rows = known.map(({ server, label, values }, i): BarRow => ({
    server,
    label,
    bars: legend.slice(0, -1).map(({ color }, i) => ({ length: values[i] ?? 0, color })),
    title: `${label}: ${table.rows[i]?.cells.slice(1).join(", ")}`,
  }));
  return {
    title: "CPU use",
    note: "Cores that each component used, and that other programs used; the rest was idle.",
    legend,
    svg: barRows(rows, `Cores that each component used at ${scenario}`, "", items[0]?.cores),
    table,
  };
}

// Other programs include Stampede, and the host of a virtual machine
function usesOf({ result, cores }: Item): (number | null)[] {
  const { server, database, generator, machine } = result.bottleneck?.evidence ?? {};
  return [
    ...[server, database, generator].map((one) => one?.cores ?? null),
    machine ? machine.otherCores + cores * machine.steal : null,
    machine ? cores * machine.idle : null,
  ];
}

interface BarRow extends Pick<Item, "server" | "label"> {
  readonly title: string;
  readonly bars: readonly { readonly length: number; readonly color: string }[];
  readonly confidenceInterval?: { readonly low: number; readonly high: number } | null;
  readonly isOpen?: boolean;
  readonly text?: string;
}

/** Heights of a row, its bar and the axis; widths of names, texts and a character of a tick label. */
const [ROW, BAR, AXIS, NAMES, TEXTS, CHARACTER] = [24, 14, 26, 118, 76, 7];

/** Draws rows of bars on one scale, from 0 to the longest row or `end`. `unit` follows tick labels. */
function barRows(rows: readonly BarRow[], label: string, unit: string, end = 0): Markup {
  const lengths = rows.flatMap(({ bars, confidenceInterval }) => [
    sum(bars.map(({ length }) => length)),
    confidenceInterval?.high ?? 0,
  ]);
  const most = Math.max(end, ...lengths.filter(isFigure)) || 1;
  const widthOf = (value: number): number =>
    isFigure(value) ? (WIDTH - NAMES - TEXTS) * value / most : 0;
  const x = (value: number): string => (NAMES + widthOf(value)).toFixed(1);
  const bottom = rows.length * ROW;
  const step = stepOf(most);
  const ticks = Array.from({ length: Math.ceil(most / step - 1e-9) }, (_tick, i) => i * step);
  const texts = ticks.map((tick) => tick.toLocaleString("en-US") + unit);
  // Labels that would overlap are left out
  const widest = CHARACTER * Math.max(...texts.map(({ length }) => length));
  const labelled = Math.ceil(widest / widthOf(step));
  const axis = [...ticks, most].map((tick, i) => {
    const at = x(tick);
    const text = i % labelled === 0 && i < ticks.length &&
      markup`<text x="${at}" y="${bottom + 14}" text-anchor="middle">${texts[i]}</text>`;
    return markup`<line x1="${at}" x2="${at}" y1="0" y2="${bottom}" class="grid"/>${text}`;
  });
  const drawn = rows.map((row, i) => {
    const { server, label, title, bars, confidenceInterval, isOpen = false, text = "" } = row;
    const y = (i + 0.5) * ROW;
    let from = 0;
    const paths = bars.map(({ length, color }) => {
      const [left, width] = [x(from), widthOf(length).toFixed(1)];
      from += length;
      const open = isOpen && markup` fill-opacity="0.3" stroke="${color}" stroke-dasharray="3,2"`;
      return markup`<path d="M${left} ${
        y - BAR / 2
      }h${width}v${BAR}h-${width}Z" fill="${color}"${open}/>`;
    });
    const { low, high } = confidenceInterval ?? { low: 0, high: 0 };
    const [left, right, top, foot] = [x(low), x(high), y - 4, y + 4];
    const ends =
      `${left} ${top} ${left} ${foot} ${left} ${y} ${right} ${y} ${right} ${top} ${right} ${foot}`;
    const whisker = confidenceInterval && markup`<polyline points="${ends}"/>`;
    const textAt = Math.min(Number(x(Math.max(from, high))), WIDTH - TEXTS) + 6;
    return markup`<g data-server="${server}"><title>${title}</title>${paths}${whisker}<text x="${
      NAMES - 8
    }" y="${y}" class="name">${
      shortName(label)
    }</text><text x="${textAt}" y="${y}">${text}</text></g>`;
  });
  const height = bottom + AXIS;
  return markup`<svg role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${height}" data-row-height="${ROW}" class="dots"><g data-axis>${axis}</g>${drawn}</svg>`;
}

/** Returns 1, 2, 3, 5 or 10 times a power of ten, so that there are about three steps. */
function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 3));
  const steps = [[1.5, 1], [2.5, 2], [4, 3], [7, 5]] as const;
  return power * (steps.find(([below]) => most / 3 / power < below)?.[1] ?? 10);
}
