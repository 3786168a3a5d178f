/** Draws the latencies of a result as bars of text. */
import { isSameResult, resultKeyOf } from "../analysis/keys.ts";
import type { Result } from "../model/derived.ts";
import type { Latency } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { merge } from "../stats/histogram.ts";
import { milliseconds } from "./format.ts";

const PERCENTILES: readonly (readonly [name: string, of: (latency: Latency) => number | null])[] = [
  ["p50", ({ p50Us }) => p50Us],
  ["p90", ({ p90Us }) => p90Us],
  ["p99", ({ p99Us }) => p99Us],
  ["p99.9", ({ p999Us }) => p999Us],
  ["most", ({ maxUs }) => maxUs],
];
const LONGEST_BAR = 30;

/**
 * Returns a line for each percentile of the latencies, over all rounds together. A bar shows the
 * latency on a logarithmic scale. Empty if the load generator reports no latencies.
 */
export function latencyLines({ trialResults }: Report, result: Result): string[] {
  const latencies = trialResults.flatMap(({ trial, window }) =>
    trial.purpose === "measure" && isSameResult(resultKeyOf(trial), result) && window !== null
      ? [window.measurement.latency]
      : []
  );
  const all = merge(latencies);
  if (all === null) return [];
  const known = PERCENTILES.flatMap(([name, of]) => {
    const us = of(all);
    return us === null || us <= 0 ? [] : [{ name, us, text: milliseconds(us) }];
  });
  const [least, most] = [all.minUs ?? known[0]?.us ?? 1, known.at(-1)?.us ?? 1];
  const span = Math.log(most / Math.max(1, least));
  const width = Math.max(0, ...known.map(({ text }) => text.length));
  return known.map(({ name, us, text }) => {
    const share = span > 0 ? Math.log(us / Math.max(1, least)) / span : 0;
    const bar = "#".repeat(Math.max(0, Math.round(LONGEST_BAR * share)));
    return `${name.padEnd(5)}  ${text.padStart(width)}  ${bar}`.trimEnd();
  });
}
