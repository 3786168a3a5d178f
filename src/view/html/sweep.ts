import { UNKNOWN } from "../../model/format.ts";
import { rate } from "../format.ts";
import { column } from "../table.ts";
import type { Chart } from "./chart.ts";
import { colorOf, type Item, legendOf } from "./item.ts";
import { overTime, type Series } from "./line_chart.ts";

/**
 * Returns a chart with the rate of each server over the number of connections; null if there is only
 * one number.
 */
export function sweepCurves(
  scenario: string,
  items: readonly Item[],
  servers: readonly string[],
): Chart | null {
  const numbers = [...new Set(items.map(({ result }) => result.connections))].sort((a, b) => a - b);
  if (numbers.length < 2) return null;
  const variants = servers.filter((id) => items.some(({ result }) => result.variant === id));
  const series = variants.map((variant): Series => ({
    subject: { server: variant, text: variant },
    color: colorOf(servers.indexOf(variant)),
    estimates: numbers.map((connections) =>
      items.find(({ result }) => result.variant === variant && result.connections === connections)
        ?.result
        .requestsPerS ?? null
    ),
  }));
  const names = numbers.map(String);
  return {
    title: "Req/Sec over connections",
    note: "Median of the rounds with its 95 % confidence interval, at each number of connections.",
    legend: legendOf(series.map(({ subject, color }) => ({ label: subject.server, color }))),
    svg: overTime({
      names,
      series,
      marks: [],
      format: rate,
      label: `Req/Sec of each server at ${scenario} over the connections`,
    }),
    table: {
      columns: ["Server", ...names].map((heading, i) => column(heading, i > 0)),
      rows: series.map(({ subject: { server }, estimates }) => ({
        server,
        cells: [server, ...estimates.map((one) => one === null ? UNKNOWN : rate(one.median))],
        values: [server, ...estimates.map((one) => one?.median ?? null)],
      })),
    },
  };
}
