/**
 * Counts latencies in buckets. Each edge is the previous edge times a constant factor. Counts of several
 * machines can be added, unlike percentiles. The list of buckets is fixed and has a version, which files
 * contain.
 *
 * Bucket 0 counts values below 10 µs. Bucket i counts values from 10 × 1.1^(i-1) to 10 × 1.1^i µs. The last
 * bucket counts all values from two minutes on. In all buckets except the first and the last, the middle is
 * within 4.9 % of every value.
 */
import type { BucketTime } from "../model/distributed.ts";

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

/**
 * Returns the edges and the geometric middle of the bucket with an index. In place of the middle, the
 * first bucket has its upper edge, and the last one its lower edge.
 */
export function rangeOf(index: number): BucketTime {
  const edge = (i: number): number => FIRST_US * FACTOR ** i;
  if (index <= 0) return { us: FIRST_US, lowUs: 0, highUs: FIRST_US };
  const lowUs = edge(index - 1);
  if (index >= LAST_BUCKET) return { us: lowUs, lowUs, highUs: null };
  return { us: Math.sqrt(lowUs * edge(index)), lowUs, highUs: edge(index) };
}

/** Adds the counts of several machines for each bucket. */
export function addBuckets(all: readonly Buckets[]): Buckets {
  const sum = new Map<number, number>();
  for (const buckets of all) {
    for (const [index, count] of Object.entries(buckets)) {
      if (count > 0) sum.set(Number(index), (sum.get(Number(index)) ?? 0) + count);
    }
  }
  return Object.fromEntries([...sum].sort(([a], [b]) => a - b));
}

/** Returns the number of values in all buckets. */
export function totalOf(buckets: Buckets): number {
  return Object.values(buckets).reduce((sum, count) => sum + count, 0);
}

/**
 * Returns the index of the bucket that contains a percentile; null without values. The percentile is the
 * smallest value that is at least as large as the share `p` of all values.
 *
 * @param p 0.99 for the 99th percentile
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
