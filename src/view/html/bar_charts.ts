import { isSweep } from "../../analysis/workloads.ts";
import type { Estimate } from "../../model/derived.ts";
import { microseconds, rate } from "../format.ts";
import type { Chart } from "./chart.ts";
import type { Item } from "./item.ts";
import { barRows } from "./rows.ts";

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
    of: ({ result }) => result.requestsPerS,
    isOpen: ({ result }) => result.isLowerBound,
    isMoreBetter: true,
    format: rate,
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
    of: ({ result }) => result.serverCpuUs,
    isOpen: () => false,
    isMoreBetter: false,
    format: microseconds,
    unit: " µs",
  });
}

interface Bars {
  readonly title: string;
  readonly note: string;
  readonly label: string;
  readonly of: (item: Item) => Estimate | null;
  readonly isOpen: (item: Item) => boolean;
  readonly isMoreBetter: boolean;
  readonly format: (value: number) => string;
  /** Unit of the figures, with a space before it. */
  readonly unit: string;
}

/** Returns a chart with a bar for each estimate; null if no estimate is known. */
function estimateBars(
  items: readonly Item[],
  { title, note, label, of, isOpen, isMoreBetter, format, unit }: Bars,
): Chart | null {
  const known = items.flatMap((item) => {
    const estimate = of(item);
    return estimate === null ? [] : [{ item, estimate }];
  });
  // A sweep stays in the order of its loads
  if (!isSweep(items.map(({ result }) => result))) {
    known.sort((a, b) => (a.estimate.median - b.estimate.median) * (isMoreBetter ? -1 : 1));
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
