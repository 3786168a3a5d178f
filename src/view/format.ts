/** Names workloads. */

import type { Workload } from "../analysis/keys.ts";
import { type MedianWithInterval, relativeWidth } from "../model/estimate.ts";
import type { Figure } from "../model/figures.ts";
import { count, fixed, isFigure, share, UNKNOWN } from "../model/text.ts";

/** Formats seconds for sentences: `45 s`, `3 min 20 s`. */
export function duration(seconds: number): string {
  if (!isFigure(seconds)) return UNKNOWN;
  const whole = Math.round(seconds);
  if (whole < 100) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Formats seconds as minutes and seconds: `0:45`, `3:20`. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Formats a rate with at most four significant digits and thousands separators: `61,230`, `496.1`. */
export function rate(perS: number): string {
  if (!isFigure(perS)) return UNKNOWN;
  const rounded = Number(perS.toPrecision(4));
  const decimals = rounded < 1000 ? 1 : 0;
  return rounded.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** Formats microseconds as milliseconds with three significant digits: `0.150 ms`, `2,010 ms`. */
export function milliseconds(us: number | null): string {
  if (us === null) return UNKNOWN;
  return `${bareMilliseconds(us)} ms`;
}

/** Formats a ratio with three significant digits, at most two decimals: `0.99`, `8.00`, `20.4`, `863`. */
export function multiple(times: number): string {
  return times < 1 ? fixed(times, 2) : threeDigits(times);
}

/** Formats microseconds as milliseconds without the unit: `0.150`, `2,010`. */
export function bareMilliseconds(us: number): string {
  return threeDigits(us / 1000);
}

/** Formats microseconds with three significant digits: `7.50 µs`, `1,020 µs`. */
export function microseconds(us: number | null): string {
  return us === null ? UNKNOWN : `${threeDigits(us)} µs`;
}

/** Formats seconds; values below one as milliseconds: `85 ms`, `1.52 s`. */
export function seconds(value: number | null): string {
  if (value === null) return UNKNOWN;
  return value < 1 ? `${fixed(1000 * value, 0)} ms` : `${threeDigits(value)} s`;
}

/**
 * Formats a length in seconds that was configured, with at least two significant digits and no unit:
 * `0.17`.
 */
export function roughly(seconds: number): string {
  return String(seconds < 10 ? Number(seconds.toPrecision(2)) : Math.round(seconds));
}

/** Formats bytes as MiB. */
export function mebibytes(bytes: number | null): string {
  return bytes === null ? UNKNOWN : `${fixed(bytes / 2 ** 20, 0)} MiB`;
}

/** Formats half of an estimate's confidence interval, as a percentage of the median. */
export function halfWidth(estimate: MedianWithInterval | null): string {
  const width = relativeWidth(estimate);
  return width === null ? UNKNOWN : share(width);
}

/**
 * When an interval is lopsided: one side is at least `times` the other, and at least the share
 * `atLeast` of the median.
 */
const LOPSIDED = { times: 1.5, atLeast: 0.1 };

/**
 * Formats half of an interval as a percentage of the median; both sides if it is lopsided: `-43 +7 %`.
 */
export function spread(estimate: MedianWithInterval | null): string {
  if (!estimate?.confidenceInterval || estimate.median === 0) return UNKNOWN;
  const { confidenceInterval: { low, high }, median } = estimate;
  const [below, above] = [(median - low) / median, (high - median) / median];
  const [shorter, longer] = [Math.min(below, above), Math.max(below, above)];
  const isLopsided = longer >= LOPSIDED.atLeast && longer > LOPSIDED.times * shorter;
  if (!isLopsided) return halfWidth(estimate);
  const side = (part: number): string => fixed(100 * part, 0);
  return `-${side(below)} +${side(above)} %`;
}

/** Formats an interval for use after a figure: ` ± 3 %`, or ` -43 +7 %`; empty without an interval. */
export function plusMinus(estimate: MedianWithInterval | null): string {
  const text = spread(estimate);
  if (text === UNKNOWN) return "";
  return text.startsWith("-") ? ` ${text}` : ` ± ${text}`;
}

/**
 * Formats a rate with its marks: † if another load generator than the chosen one measured it, ≥ for a
 * lower bound.
 */
export function markedRate(
  perS: number,
  { isLowerBound, isTakenOver }: { readonly isLowerBound: boolean; readonly isTakenOver: boolean },
): string {
  const marks = `${isTakenOver ? "†" : ""}${isLowerBound ? "≥" : ""}`;
  return marks === "" ? rate(perS) : `${marks} ${rate(perS)}`;
}

/** Functions that format figures, with the unit. */
export const FORMATS: Readonly<
  Record<NonNullable<Figure["column"]>["format"], (value: number) => string>
> = {
  rate,
  microseconds,
  milliseconds,
  mebibytes,
  multiple,
};

/** Formats a number with three significant digits, at most three decimals. */
function threeDigits(value: number): string {
  if (!isFigure(value)) return UNKNOWN;
  const decimals = value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return Number(value.toPrecision(3)).toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** Returns a function that names workloads by scenario, with the load if the scenario has several. */
export function workloadNamer(workloads: readonly Workload[]): (workload: Workload) => string {
  const loads = Map.groupBy(workloads, ({ scenario }) => scenario);
  return (workload) => {
    const own = new Set(loads.get(workload.scenario)?.map(loadOf));
    return own.size > 1 ? `${workload.scenario} at ${loadOf(workload)}` : workload.scenario;
  };
}

/**
 * Returns the load of a workload as text: its rate in an open loop, otherwise its number of
 * connections.
 */
function loadOf({ connections, perS }: Workload): string {
  return perS === null ? count(connections, "connection") : `${rate(perS)}/s`;
}
