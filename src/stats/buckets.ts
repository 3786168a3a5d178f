/**
 * Latencies as counts in buckets whose edges grow by a constant factor: counts of several machines add up, which
 * percentiles do not. The list is fixed, and has a version, so that files can name it.
 *
 * Bucket 0 holds what is below 10 µs, bucket i from 10 × 1.1^(i-1) up to 10 × 1.1^i µs, and the last one all that is
 * longer, from two minutes on. The middle of a bucket lies within 4.9 % of all that is in it.
 */

/** Version of the list of edges. */
export const BUCKETS = 1;
/** The first edge, in microseconds. */
export const FIRST_US = 10;
/** From an edge to the next. */
export const FACTOR = 1.1;
/** Index of the last bucket: 10 × 1.1^171 µs is two minutes. */
export const LAST_BUCKET = 172;
/** How far the middle of a bucket may be from what is in it: 0.0488 is 4.88 %. */
export const BUCKET_ERROR: number = Math.sqrt(FACTOR) - 1;

/** Counts by the index of their bucket; one that is not there is 0. */
export type Buckets = Readonly<Record<string, number>>;

/** What is known of a value that lies in a bucket. */
export interface BucketValue {
  /** The middle, by ratio; where a side is open, the other one. */
  readonly us: number;
  readonly lowUs: number;
  /** Null: there is none. */
  readonly highUs: number | null;
}

/** The index of the bucket that holds so many microseconds. */
export function bucketOf(us: number): number {
  if (!(us >= FIRST_US)) return 0;
  return Math.min(LAST_BUCKET, 1 + Math.floor(Math.log(us / FIRST_US) / Math.log(FACTOR)));
}

/** Where a bucket begins and ends. */
export function rangeOf(index: number): BucketValue {
  const edge = (i: number): number => FIRST_US * FACTOR ** i;
  if (index <= 0) return { us: FIRST_US, lowUs: 0, highUs: FIRST_US };
  const lowUs = edge(index - 1);
  if (index >= LAST_BUCKET) return { us: lowUs, lowUs, highUs: null };
  return { us: Math.sqrt(lowUs * edge(index)), lowUs, highUs: edge(index) };
}

/** All counts together. */
export function addBuckets(all: readonly Buckets[]): Buckets {
  const sum = new Map<number, number>();
  for (const buckets of all) {
    for (const [index, count] of Object.entries(buckets)) {
      if (count > 0) sum.set(Number(index), (sum.get(Number(index)) ?? 0) + count);
    }
  }
  return Object.fromEntries([...sum].sort(([a], [b]) => a - b));
}

/** How many there are in all buckets. */
export function totalOf(buckets: Buckets): number {
  return Object.values(buckets).reduce((sum, count) => sum + count, 0);
}

/**
 * The bucket that holds a percentile; null where there is nothing.
 *
 * @param p 0.99 for the 99th: the smallest value that so large a share of all does not exceed
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
