/**
 * Counts latencies: in HDR histograms of one machine, and in buckets that several machines can add.
 *
 * Bucket 0 counts values below 10 µs, bucket i values from 10 × 1.1^(i-1) to 10 × 1.1^i µs, and the last
 * bucket all values from two minutes on. Except in the first and the last, the middle is within 4.9 % of
 * every value. Files contain the version of this list of buckets.
 */
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from "hdr-histogram-js";
import type { BucketTime } from "../model/distributed.ts";
import type { Latency } from "../model/raw.ts";
import { sum } from "./median.ts";

/** Maximum latency in a histogram, in microseconds: two minutes. */
const MAX_US = 120_000_000;

/** Returns an empty histogram for microseconds up to two minutes, with three significant digits. */
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
type WholeLatency = { readonly [Name in keyof Latency]: NonNullable<Latency[Name]> };

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

/** Returns a percentile of latencies in microseconds (0.99: the 99th); null without a histogram. */
export function percentileUs({ histogram }: Latency, p: number): number | null {
  if (histogram === null) return null;
  return (decodeFromCompressedBase64(histogram) as Histogram).getValueAtPercentile(100 * p);
}

/** Adds the histograms of latencies; null without latencies, or if a histogram is unknown. */
export function merge(latencies: readonly (Latency | null)[]): Latency | null {
  const known = latencies.filter((latency) => latency !== null);
  if (known.length === 1) return known[0] ?? null;
  const all = newHistogram();
  for (const { histogram } of known) {
    if (histogram === null) return null;
    all.add(decodeFromCompressedBase64(histogram) as Histogram);
  }
  return describe(all);
}

/** Version of the list of buckets. Files with another version cannot be merged. */
export const BUCKETS = 1;
/** Upper edge of bucket 0, in microseconds. */
export const FIRST_US = 10;
/** Ratio of neighbouring edges. With this ratio, the error of a percentile is at most 4.9 %. */
export const FACTOR = 1.1;
/** Index of the last bucket: 10 × 1.1^171 µs is two minutes. */
export const LAST_BUCKET = 172;
/** Maximum distance of a value from the middle of its bucket, as a share: 0.0488 is 4.88 %. */
export const BUCKET_ERROR: number = Math.sqrt(FACTOR) - 1;

/** Counts of values by the index of their bucket. A missing index means 0. */
export type Buckets = Readonly<Record<string, number>>;

/** Returns a bucket's edges and geometric middle `us`, which is the only edge of the first and last. */
export function rangeOf(index: number): BucketTime {
  const edge = (i: number): number => FIRST_US * FACTOR ** i;
  if (index <= 0) return { us: FIRST_US, lowUs: 0, highUs: FIRST_US };
  const lowUs = edge(index - 1);
  if (index >= LAST_BUCKET) return { us: lowUs, lowUs, highUs: null };
  return { us: Math.sqrt(lowUs * edge(index)), lowUs, highUs: edge(index) };
}

/** Adds the counts of several machines for each bucket. */
export function addBuckets(all: readonly Buckets[]): Buckets {
  const total: Record<number, number> = {};
  for (const [index, count] of all.flatMap(Object.entries<number>)) {
    if (count > 0) total[Number(index)] = (total[Number(index)] ?? 0) + count;
  }
  return total; // objects list integer keys in ascending order
}

/** Returns the number of values in all buckets. */
export function totalOf(buckets: Buckets): number {
  return sum(Object.values(buckets));
}

/**
 * Returns the index of the bucket that contains a percentile (0.99: the 99th); null without values. It is
 * the smallest value that is at least as large as the share `p` of all values.
 */
export function bucketAt(buckets: Buckets, p: number): number | null {
  const total = totalOf(buckets);
  const wanted = Math.max(1, Math.ceil(p * total - 1e-9 * total));
  let seen = 0;
  for (const [index, count] of Object.entries(addBuckets([buckets]))) {
    seen += count;
    if (seen >= wanted) return Number(index);
  }
  return null;
}
