/**
 * Counts latencies in buckets with edges that grow by a constant factor. Counts of several machines can be
 * added; percentiles cannot. The list of buckets is fixed and has a version, which files name.
 *
 * Bucket 0 counts values below 10 µs, bucket i from 10 × 1.1^(i-1) to 10 × 1.1^i µs, and the last one
 * everything from two minutes on. The middle of a bucket is within 4.9 % of all its values.
 */

/** Version of the list of edges. */
export const BUCKETS = 1;
/** The first edge, in microseconds. */
export const FIRST_US = 10;
/** Ratio of neighbouring edges. It limits the error of a percentile to 4.9 %. */
export const FACTOR = 1.1;
/** Index of the last bucket: 10 × 1.1^171 µs is two minutes. */
export const LAST_BUCKET = 172;
/** Maximum distance of a value from the middle of its bucket, as a share: 0.0488 is 4.88 %. */
export const BUCKET_ERROR: number = Math.sqrt(FACTOR) - 1;

/** Counts by bucket index; a missing index is 0. */
export type Buckets = Readonly<Record<string, number>>;

/** The range of a value in a bucket. */
export interface BucketValue {
  /** Geometric middle of the bucket; the only edge of an open bucket. */
  readonly us: number;
  readonly lowUs: number;
  /** Null for the last bucket, which has no upper edge. */
  readonly highUs: number | null;
}

/** Returns the index of the bucket for a number of microseconds. */
export function bucketOf(us: number): number {
  if (!(us >= FIRST_US)) return 0;
  return Math.min(LAST_BUCKET, 1 + Math.floor(Math.log(us / FIRST_US) / Math.log(FACTOR)));
}

/** Returns the range of a bucket in microseconds. */
export function rangeOf(index: number): BucketValue {
  const edge = (i: number): number => FIRST_US * FACTOR ** i;
  if (index <= 0) return { us: FIRST_US, lowUs: 0, highUs: FIRST_US };
  const lowUs = edge(index - 1);
  if (index >= LAST_BUCKET) return { us: lowUs, lowUs, highUs: null };
  return { us: Math.sqrt(lowUs * edge(index)), lowUs, highUs: edge(index) };
}

/** Adds the counts of several machines. */
export function addBuckets(all: readonly Buckets[]): Buckets {
  const sum = new Map<number, number>();
  for (const buckets of all) {
    for (const [index, count] of Object.entries(buckets)) {
      if (count > 0) sum.set(Number(index), (sum.get(Number(index)) ?? 0) + count);
    }
  }
  return Object.fromEntries([...sum].sort(([a], [b]) => a - b));
}

/** Returns the total count of all buckets. */
export function totalOf(buckets: Buckets): number {
  return Object.values(buckets).reduce((sum, count) => sum + count, 0);
}

/**
 * Returns the bucket of a percentile; null without values.
 *
 * @param p 0.99 for the 99th: the smallest value that is at least as large as this share of all values
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
