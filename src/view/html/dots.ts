/** Draws values with their intervals as dots, one per row. */
import { type Markup, markup, shortName, WIDTH } from "./markup.ts";

/** A dot plot of ratios; a line marks 1. */
export interface DotPlot {
  readonly rows: readonly {
    readonly name: string;
    readonly ratio: number;
    readonly confidenceInterval: { readonly low: number; readonly high: number } | null;
    readonly color: string;
    readonly text: string;
    /** The row's server, so that the page can hide it. */
    readonly server: string;
    readonly points?: readonly number[];
  }[];
  readonly label: string;
  /** Whether the scale covers only the values, labelled as changes; else from 0, or logarithmic. */
  readonly isClose?: boolean;
  readonly width?: number;
}

/** Heights of a row and of the axis, and widths of names, texts and tick labels, in these units. */
const [ROW, AXIS, NAMES, TEXTS, TICK] = [24, 22, 128, 116, 52];
/** Smallest span of a close axis, half a percent as a share: a narrower one would magnify noise. */
const SMALLEST_SPAN = 0.005;
/** Largest ratio between two values on a linear scale. Above it, the scale is logarithmic. */
const LOGARITHMIC = 8;

/** Returns the height of a plot, in units of the picture. */
export function heightOf({ rows }: DotPlot): number {
  return rows.length * ROW + AXIS;
}

/** Draws dots with their intervals, one per row, on one scale. */
export function dotPlot(plot: DotPlot): Markup {
  const { rows, label, isClose = false, width = WIDTH } = plot;
  const room = width - NAMES - TEXTS;
  const ends = rows.flatMap(({ ratio, confidenceInterval }) => [
    ratio,
    ...(confidenceInterval === null ? [] : [confidenceInterval.low, confidenceInterval.high]),
  ]).filter((end) => end > 0 && end < Infinity);
  const [least, most] = [Math.min(1, ...ends), Math.max(1, ...ends)];
  const scale = isClose
    ? close(least, most, Math.floor(room / TICK))
    : most / least > LOGARITHMIC
    ? logarithmic(least, most)
    : linear(most);
  const x = (value: number): string => {
    const at = Math.min(1, Math.max(0, scale.at(value))) || 0; // 0 for NaN
    return (NAMES + at * room).toFixed(1);
  };
  const height = heightOf(plot);
  const bottom = height - AXIS;
  const ticks = scale.ticks.map((tick) =>
    markup`<line x1="${x(tick)}" x2="${x(tick)}" y1="0" y2="${bottom}" class="grid"/><text x="${
      x(tick)
    }" y="${height - AXIS / 2}" class="tick">${
      isClose ? shortPercent(tick) : Number(tick.toPrecision(2))
    }</text>`
  );
  const drawn = rows.map((row, i) => {
    const { name, ratio, confidenceInterval, color, text, server, points = [] } = row;
    const y = (i + 0.5) * ROW;
    // A point beyond the axis is drawn at its end
    const small = points.map((point) =>
      markup`<circle cx="${x(point)}" cy="${y}" r="2.5" class="${
        scale.at(point) < 0 || scale.at(point) > 1 ? "beyond" : "point"
      }"/>`
    );
    const whisker = confidenceInterval &&
      markup`<line x1="${x(Math.max(confidenceInterval.low, Number.MIN_VALUE))}" x2="${
        x(confidenceInterval.high)
      }" y1="${y}" y2="${y}" class="whisker" stroke="${color}"/>`;
    return markup`<g data-server="${server}"><text x="${NAMES - 10}" y="${y}" class="name">${
      shortName(name)
    }</text>${small}${whisker}<circle cx="${
      x(ratio)
    }" cy="${y}" r="4.5" fill="${color}"/><text x="${
      width - TEXTS + 10
    }" y="${y}">${text}</text></g>`;
  });
  return markup`<svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" data-row-height="${ROW}" class="dots"><g data-axis="">${ticks}<line x1="${
    x(1)
  }" x2="${x(1)}" y1="0" y2="${bottom}" class="base"/></g>${drawn}</svg>`;
}

interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Returns a scale around 1 that begins and ends with a tick, with at most `steps` steps. */
function close(least: number, most: number, steps: number): Scale {
  const span = Math.max(most - least, SMALLEST_SPAN);
  const smallest = 10 ** Math.floor(Math.log10(span / steps));
  const firstOf = (step: number): number => Math.floor((least - 1) / step);
  const stepsOf = (step: number): number => Math.ceil((most - 1) / step) - firstOf(step);
  const step = [1, 2, 5, 10, 20, 50].map((by) => by * smallest)
    .find((step) => stepsOf(step) <= steps) ?? span;
  const first = firstOf(step);
  const length = Math.max(1, stepsOf(step));
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

/** Formats a change for the axis: `+10 %`, `−0.5 %`, `0`. */
function shortPercent(ratio: number): string {
  const change = Number((100 * (ratio - 1)).toPrecision(3));
  return change === 0 ? "0" : `${change < 0 ? "−" : "+"}${Math.abs(change)} %`;
}
