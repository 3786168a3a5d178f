import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from "hdr-histogram-js";
import type { Latency } from "../model/raw.ts";

/** Maximum latency in a histogram, in microseconds: two minutes. */
const MAX_US = 120_000_000;

/**
 * Returns an empty histogram for microseconds, with three significant digits and values up to two minutes.
 */
export function newHistogram(): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: MAX_US,
    numberOfSignificantValueDigits: 3,
  });
}

/** Records a latency in milliseconds. A latency above two minutes counts as two minutes. */
export function record(histogram: Histogram, ms: number): void {
  histogram.recordValue(Math.min(MAX_US, Math.max(1, Math.round(ms * 1000))));
}

/** The figures of latencies, none of which is unknown. */
export type WholeLatency = { readonly [Name in keyof Latency]: NonNullable<Latency[Name]> };

/** Returns the figures of a histogram in microseconds; null without values. */
export function describe(histogram: Histogram): WholeLatency | null {
  if (histogram.totalCount === 0) return null;
  return {
    count: histogram.totalCount,
    meanUs: histogram.mean,
    minUs: histogram.minNonZeroValue,
    p50Us: histogram.getValueAtPercentile(50),
    p90Us: histogram.getValueAtPercentile(90),
    p99Us: histogram.getValueAtPercentile(99),
    p999Us: histogram.getValueAtPercentile(99.9),
    maxUs: histogram.maxValue,
    histogram: encodeIntoCompressedBase64(histogram),
  };
}

/**
 * Returns a percentile of latencies in microseconds; null if their histogram is unknown.
 *
 * @param p 0.99 for the 99th percentile
 */
export function percentileUs({ histogram }: Latency, p: number): number | null {
  if (histogram === null) return null;
  return (decodeFromCompressedBase64(histogram) as Histogram).getValueAtPercentile(100 * p);
}

/**
 * Merges latencies by adding their histograms. Returns null without latencies, or if a histogram is unknown.
 */
export function merge(latencies: readonly (Latency | null)[]): Latency | null {
  const known = latencies.filter((latency) => latency !== null);
  if (known.length === 1) return known[0] ?? null;
  const sum = newHistogram();
  for (const { histogram } of known) {
    if (histogram === null) return null;
    sum.add(decodeFromCompressedBase64(histogram) as Histogram);
  }
  return describe(sum);
}
