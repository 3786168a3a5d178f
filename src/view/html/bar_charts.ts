import { isSweep } from "../../analysis/workloads.ts";
import { FIGURES, isMoreBetter, type RankingMetric } from "../../model/figures.ts";
import { FORMATS } from "../format.ts";
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
