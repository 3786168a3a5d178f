import { shortName } from "./item.ts";
import { type Markup, markup } from "./markup.ts";

/** A row of a dot plot: what it is, where it lies, and what is written behind it. */
export interface DotRow {
  readonly name: string;
  readonly value: number;
  readonly confidenceInterval: { readonly low: number; readonly high: number } | null;
  readonly color: string;
  readonly text: string;
  /** The server that it is about, so that the page can hide it. */
  readonly server: string;
  /** Values that are shown small and faint: those of the rounds. */
  readonly points?: readonly number[];
}

/** What a dot plot shows beside its rows. */
export interface DotPlot {
  readonly rows: readonly DotRow[];
  /** Where a line stands: what everything is compared with. */
  readonly base: number;
  /** What it shows, for screen readers. */
  readonly label: string;
  /** Whether the scale ends where the rows do; otherwise it begins at 0, or has equal factors. */
  readonly isClose?: boolean;
  readonly format?: (value: number) => string;
  /** How wide it is, in units of the picture; by default as a phone. */
  readonly width?: number;
}

/** In units of the picture, which is as wide as a phone. */
export const WIDTH = 400;
const ROW = 24;
const NAMES = 128;
const TEXTS = 116;
const AXIS = 22;
/** Width of a tick label, in units of the picture. */
const TICK = 52;
/** A narrower axis would show noise as if it were something: half a percent. */
const SMALLEST_SPAN = 0.005;
/** From so many times the least on, equal factors are as far apart as each other. */
const LOGARITHMIC = 8;

/** How high a plot is, where it is as wide as `WIDTH`. */
export function heightOf({ rows }: DotPlot): number {
  return rows.length * ROW + AXIS;
}

/** Dots with the whiskers of their intervals, one row for each, on one scale. */
export function dotPlot(plot: DotPlot): Markup {
  const { rows, base, label, isClose = false, format = short, width = WIDTH } = plot;
  const room = width - NAMES - TEXTS;
  const ends = rows.flatMap(({ value, confidenceInterval }) => [
    value,
    ...(confidenceInterval === null ? [] : [confidenceInterval.low, confidenceInterval.high]),
  ]).filter((end) => end > 0 && end < Infinity);
  const [least, most] = [Math.min(base, ...ends), Math.max(base, ...ends)];
  const scale = isClose
    ? close(least, most, Math.floor(room / TICK))
    : most / least > LOGARITHMIC
    ? logarithmic(least, most)
    : linear(most);
  const x = (value: number): string => {
    const at = Math.min(1, Math.max(0, scale.at(value))) || 0; // 0 for NaN
    return (NAMES + at * room).toFixed(1);
  };
  const isBeyond = (value: number): boolean => scale.at(value) < 0 || scale.at(value) > 1;
  const height = heightOf(plot);
  const lines = scale.ticks.map((tick) =>
    markup`<line x1="${x(tick)}" x2="${x(tick)}" y1="0" y2="${
      height - AXIS
    }" class="grid"/><text x="${x(tick)}" y="${height - AXIS / 2}" class="tick">${
      format(tick)
    }</text>`
  );
  return markup`<svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" data-row-height="${ROW}" class="dots"><g data-axis="">${lines}<line x1="${
    x(base)
  }" x2="${x(base)}" y1="0" y2="${height - AXIS}" class="base"/></g>${
    rows.map((row, i) => rowOf(row, (i + 0.5) * ROW, { x, isBeyond, width }))
  }</svg>`;
}

function rowOf(
  { name, value, confidenceInterval, color, text, server, points = [] }: DotRow,
  y: number,
  { x, isBeyond, width }: Placed,
): Markup {
  const small = points.map((point) =>
    markup`<circle cx="${x(point)}" cy="${y}" r="2.5" class="${
      isBeyond(point) ? "beyond" : "point"
    }"/>`
  );
  const whisker = confidenceInterval === null
    ? null
    : markup`<line x1="${x(Math.max(confidenceInterval.low, Number.MIN_VALUE))}" x2="${
      x(confidenceInterval.high)
    }" y1="${y}" y2="${y}" class="whisker" stroke="${color}"/>`;
  return markup`<g data-server="${server}"><text x="${NAMES - 10}" y="${y}" class="name">${
    shortName(name)
  }</text>${small}${whisker}<circle cx="${x(value)}" cy="${y}" r="4.5" fill="${color}"/><text x="${
    width - TEXTS + 10
  }" y="${y}">${text}</text></g>`;
}

/** Positions in a picture. */
interface Placed {
  readonly x: (value: number) => string;
  /** Whether a value is beyond the ends of the axis, so that it is drawn at one of them. */
  readonly isBeyond: (value: number) => boolean;
  readonly width: number;
}

/** Where a value lies between the ends, from 0 to 1, and which values are written at the axis. */
interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Makes an axis around 1 that begins and ends with a tick, with at most `steps` steps. */
function close(least: number, most: number, steps: number): Scale {
  const span = Math.max(most - least, SMALLEST_SPAN);
  const smallest = 10 ** Math.floor(Math.log10(span / steps));
  const ends = (step: number): [number, number] => [
    Math.floor((least - 1) / step),
    Math.ceil((most - 1) / step),
  ];
  const step = [1, 2, 5, 10, 20, 50].map((by) => by * smallest).find((step) => {
    const [first, last] = ends(step);
    return last - first <= steps;
  }) ?? span;
  const [first, last] = ends(step);
  const length = Math.max(1, last - first);
  return {
    at: (value) => ((value - 1) / step - first) / length,
    ticks: Array.from({ length: length + 1 }, (_tick, i) => 1 + (first + i) * step),
  };
}

function linear(most: number): Scale {
  const step = [0.25, 0.5, 1, 2, 5].find((step) => most / step <= 5) ?? most / 4;
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_tick, i) => i * step);
  return { at: (value) => value / most, ticks };
}

function logarithmic(least: number, most: number): Scale {
  const from = Math.floor(Math.log10(least));
  const decades = Math.ceil(Math.log10(most)) - from;
  const steps = decades > 2 ? [1] : decades > 1 ? [1, 3] : [1, 2, 5];
  const ticks = Array.from({ length: decades + 1 }, (_decade, i) => 10 ** (from + i))
    .flatMap((decade) => steps.map((step) => step * decade))
    .filter((tick) => tick >= least && tick <= most);
  const span = Math.log(most / least);
  return { at: (value) => Math.log(Math.max(value, least) / least) / span, ticks };
}

/** A number at an axis, without zeros that say nothing. */
function short(value: number): string {
  return String(Number(value.toPrecision(2)));
}
