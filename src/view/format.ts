/** Formats figures, and names workloads. */
import type { Workload } from "../analysis/keys.ts";
import type { Cost } from "../model/costs.ts";
import type { Result } from "../model/derived.ts";
import { type MedianWithInterval, type RelativeFigure, relativeWidth } from "../model/estimate.ts";
import type { Figure } from "../model/figures.ts";
import { count, fixed, isFigure, nonEmpty, share, UNKNOWN } from "../model/text.ts";

/** Maximum number of decimals of a ratio. A server a million times slower than another is not expected. */
const MOST_DECIMALS = 6;

/** Returns a function that puts an item into words, by a function for each kind of `T`. */
export function byKind<T extends { readonly kind: string }>(
  phrases: { readonly [K in T as K["kind"]]: (item: K) => string },
): (item: T) => string {
  return (item) => (phrases[item.kind as keyof typeof phrases] as (item: T) => string)(item);
}

/** Returns values without repetitions. */
export function distinct<T>(values: Iterable<T>): T[] {
  return [...new Set(values)];
}

/** Formats seconds for sentences: `45 s`, `3 min 20 s`. */
export function duration(seconds: number): string {
  if (!isFigure(seconds)) return UNKNOWN;
  const whole = Math.round(seconds);
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Formats a time of a report to the minute, in UTC: `2026-01-31 12:00`. */
export function minute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

/** Formats a rate with at most four significant digits and thousands separators: `61,230`, `496.1`. */
export function rate(perS: number | null): string {
  if (perS === null || !isFigure(perS)) return UNKNOWN;
  const rounded = Number(perS.toPrecision(4));
  return grouped(rounded, rounded < 1000 ? 1 : 0);
}

/** Formats microseconds as milliseconds with three significant digits: `0.150 ms`, `2,010 ms`. */
export function milliseconds(us: number | null): string {
  return withUnit(bareMilliseconds(us), "ms");
}

/** Formats microseconds as milliseconds without the unit: `0.150`, `2,010`. */
export function bareMilliseconds(us: number | null | undefined): string {
  return threeDigits((us ?? NaN) / 1000);
}

/** Formats microseconds with three significant digits: `7.50 µs`, `1,020 µs`. */
export function microseconds(us: number | null): string {
  return withUnit(threeDigits(us ?? NaN), "µs");
}

/** Formats a ratio with three significant digits, or two below one: `0.0029`, `0.99`, `8.00`, `863`. */
export function multiple(times: number): string {
  if (!(times < 1)) return threeDigits(times);
  const zeros = times > 0 ? -Math.ceil(Math.log10(times)) : 0; // after the decimal point
  return fixed(times, Math.min(MOST_DECIMALS, 2 + zeros));
}

/** Formats seconds; values below one as milliseconds: `85 ms`, `1.52 s`. */
export function seconds(value: number | null): string {
  if (value === null) return UNKNOWN;
  return value < 1 ? `${fixed(1000 * value, 0)} ms` : `${threeDigits(value)} s`;
}

/** Formats a configured length in seconds with at least two significant digits, without unit: `0.17`. */
export function roughly(seconds: number): string {
  return String(seconds < 10 ? Number(seconds.toPrecision(2)) : Math.round(seconds));
}

/** Formats bytes as MiB, with three significant digits below 10 MiB: `0.412 MiB`, `4.21 MiB`, `62 MiB`. */
export function mebibytes(bytes: number | null): string {
  const size = (bytes ?? NaN) / 2 ** 20;
  return withUnit(size < 10 ? threeDigits(size) : fixed(size, 0), "MiB");
}

/** Formats a small number of bytes: `4,210 B`. */
export function bytes(value: number): string {
  return withUnit(rate(value), "B");
}

/** Formats half of an estimate's confidence interval, as a percentage of the median. */
export function halfWidth(estimate: MedianWithInterval | null): string {
  return share(relativeWidth(estimate) ?? NaN);
}

/** Formats half of an interval as a percentage of the median; both sides if it is lopsided: `-43 +7 %`. */
export function spread(estimate: MedianWithInterval | null): string {
  if (!estimate?.confidenceInterval || estimate.median === 0) return UNKNOWN;
  const { confidenceInterval: { low, high }, median } = estimate;
  const [below, above] = [(median - low) / median, (high - median) / median];
  const [shorter, longer] = [Math.min(below, above), Math.max(below, above)];
  // Lopsided: one side is half as long again as the other, and a tenth of the median
  const isLopsided = longer >= 0.1 && longer > 1.5 * shorter;
  return isLopsided ? `-${fixed(100 * below, 0)} +${fixed(100 * above, 0)} %` : halfWidth(estimate);
}

/** Formats an interval for use after a figure: ` ± 3 %`, or ` -43 +7 %`; empty without an interval. */
export function plusMinus(estimate: MedianWithInterval | null): string {
  const text = spread(estimate);
  if (text === UNKNOWN) return "";
  return text.startsWith("-") ? ` ${text}` : ` ± ${text}`;
}

/** Formats an interval with its ends in this format: `0.980 to 1.013`. */
export function range(
  { low, high }: { readonly low: number; readonly high: number },
  format: (value: number) => string = (value) => fixed(value, 3),
): string {
  return `${format(low)} to ${format(high)}`;
}

/** Formats the least and the largest value, `6 to 12`; once if both look the same. */
export function span(values: readonly number[], format: (value: number) => string): string {
  const [least, most] = [format(Math.min(...values)), format(Math.max(...values))];
  return least === most ? least : `${least} to ${most}`;
}

/** Formats a rate with † if another generator than the chosen one measured it, ≥ for a lower bound. */
export function markedRate(perS: number, of: Pick<Result, "isLowerBound" | "isTakenOver">): string {
  const marks = `${of.isTakenOver ? "†" : ""}${of.isLowerBound ? "≥" : ""}`;
  return marks === "" ? rate(perS) : `${marks} ${rate(perS)}`;
}

/** Appends a relative CPU time with its interval to a rate: `72,600/s, rel. CPU 0.99 ± 2.1 %`. */
export function withRelativeCpu(rate: string | null, relativeCpu: RelativeFigure | null): string {
  if (relativeCpu === null) return rate ?? "";
  const { ratio, confidenceInterval } = relativeCpu;
  const interval = plusMinus({ median: ratio, confidenceInterval });
  return nonEmpty(rate, `rel. CPU ${multiple(ratio)}${interval}`).join(", ");
}

/** Functions that format figures, with the unit. */
export const FORMATS: Readonly<
  Record<NonNullable<Figure["column"]>["format"] | Cost["format"], (value: number) => string>
> = { rate, microseconds, milliseconds, mebibytes, multiple, bytes, decimal: rate };

function withUnit(figure: string, unit: string): string {
  return figure === UNKNOWN ? UNKNOWN : `${figure} ${unit}`;
}

function threeDigits(value: number): string {
  if (!isFigure(value)) return UNKNOWN;
  if (value === 0) return "0";
  const decimals = value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return grouped(Number(value.toPrecision(3)), decimals);
}

function grouped(value: number, decimals: number): string {
  return value.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** Returns a function that names workloads by scenario, with the load if the scenario has several. */
export function workloadNamer(workloads: readonly Workload[]): (workload: Workload) => string {
  // The rate in an open loop, otherwise the number of connections
  const loadOf = ({ connections, perS }: Workload): string =>
    perS === null ? count(connections, "connection") : `${rate(perS)}/s`;
  const loads = Map.groupBy(workloads, ({ scenario }) => scenario);
  return (workload) => {
    const own = new Set(loads.get(workload.scenario)?.map(loadOf));
    return own.size > 1 ? `${workload.scenario} at ${loadOf(workload)}` : workload.scenario;
  };
}

/** Does the same for workloads of servers, and adds the server if there are several. */
export function namer<T extends Workload & { readonly variant: string }>(
  items: readonly T[],
): (item: T) => string {
  const isServed = new Set(items.map(({ variant }) => variant)).size > 1;
  const named = workloadNamer(items);
  return (item) => named(item) + (isServed ? ` of ${item.variant}` : "");
}
