import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import type { Latency } from "../model/raw.ts";
import {
  addBuckets,
  BUCKET_ERROR,
  bucketAt,
  describe,
  LAST_BUCKET,
  merge,
  newHistogram,
  rangeOf,
  record,
  totalOf,
} from "./histogram.ts";

/** Returns the latencies of these milliseconds. */
function latencyOf(values: readonly number[]): NonNullable<ReturnType<typeof describe>> {
  const histogram = newHistogram();
  for (const ms of values) record(histogram, ms);
  const latency = describe(histogram);
  ok(latency);
  return latency;
}

/** Returns the numbers from 1 to `count`, each multiplied. */
function series(count: number, factor: number): number[] {
  return Array.from({ length: count }, (_, i) => (i + 1) * factor);
}

/**
 * Returns the figures that a histogram preserves. The maximum and the mean are exact only before it is
 * encoded.
 */
function percentiles(
  { count, minUs, p50Us, p90Us, p99Us, p999Us }: Latency,
): (number | null)[] {
  return [count, minUs, p50Us, p90Us, p99Us, p999Us];
}

function isAbout(actual: number, expected: number): boolean {
  return Math.abs(actual - expected) <= expected / 1000;
}

Deno.test("a histogram keeps microseconds to three digits", () => {
  const { count, meanUs, minUs, p50Us, p90Us, p99Us, maxUs } = latencyOf(series(1000, 0.001));
  deepStrictEqual([count, minUs, p50Us, p90Us, p99Us, maxUs], [1000, 1, 500, 900, 990, 1000]);
  ok(isAbout(meanUs, 500.5));
  for (const ms of [1.234, 56.789, 4321, 98_765]) {
    const { p50Us, maxUs } = latencyOf([ms]);
    ok(isAbout(p50Us, ms * 1000) && isAbout(maxUs, ms * 1000), `${ms} ms: ${p50Us} µs`);
  }
});

Deno.test("a histogram takes what lies beyond two minutes for two minutes", () => {
  for (const ms of [120_000, 120_001, 1e7, Infinity]) {
    const { count, maxUs } = latencyOf([ms]);
    ok(count === 1 && isAbout(maxUs, 120e6), `${ms} ms: ${maxUs} µs`);
  }
});

Deno.test("a histogram takes what lies below a microsecond for one", () => {
  for (const ms of [0, 0.0001, -3]) {
    const { minUs, maxUs } = latencyOf([ms]);
    deepStrictEqual([minUs, maxUs], [1, 1], `${ms} ms`);
  }
});

Deno.test("an empty histogram says nothing", () => {
  strictEqual(describe(newHistogram()), null);
});

Deno.test("a description holds the whole histogram", () => {
  const whole = newHistogram();
  for (const ms of [...series(1000, 0.001), ...series(100, 1200)]) record(whole, ms);
  const decoded = decodeFromCompressedBase64(describe(whole)?.histogram ?? "");
  strictEqual(decoded.totalCount, 1100);
  for (const percent of [1, 50, 90, 95, 99, 99.9]) {
    strictEqual(decoded.getValueAtPercentile(percent), whole.getValueAtPercentile(percent));
  }
});

Deno.test("merged percentiles are those of all values, not an average of percentiles", () => {
  const parts = [series(900, 0.1), series(90, 3), series(10, 11_000)];
  const latencies = parts.map(latencyOf);
  const merged = merge(latencies) as ReturnType<typeof describe>;
  ok(merged);
  const together = latencyOf(parts.flat());
  deepStrictEqual(percentiles(merged), percentiles(together));
  ok(isAbout(merged.maxUs, together.maxUs) && isAbout(merged.meanUs, together.meanUs));
  const average = latencies.reduce((sum, { p99Us }) => sum + p99Us, 0) / parts.length;
  notStrictEqual(Math.round(merged.p99Us / 1e5), Math.round(average / 1e5));
  // Merged latencies can be merged again.
  const [first = null, ...rest] = latencies;
  const twice = merge([first, merge(rest)]);
  deepStrictEqual(twice && percentiles(twice), percentiles(together));
});

Deno.test("nothing is merged where there is nothing, or one alone", () => {
  const latency = latencyOf([1, 2, 3]);
  strictEqual(merge([]), null);
  strictEqual(merge([null, null]), null);
  strictEqual(merge([null, latency, null]), latency);
});

Deno.test("what has no histogram cannot be merged", () => {
  const whole = latencyOf([1]);
  strictEqual(merge([whole, { ...whole, histogram: null }]), null);
  deepStrictEqual(merge([null, { ...whole, histogram: null }])?.p50Us, whole.p50Us);
});

Deno.test("buckets follow one another, and the middle of each is within the error of its edges", () => {
  for (let i = 1; i < LAST_BUCKET; i++) {
    const { us, lowUs, highUs } = rangeOf(i);
    strictEqual(highUs, rangeOf(i + 1).lowUs);
    for (const edge of [lowUs, highUs ?? 0]) {
      ok(Math.abs(us / edge - 1) <= BUCKET_ERROR + 1e-9, `${us} for ${edge}`);
    }
  }
  ok(BUCKET_ERROR < 0.05);
});

Deno.test("the first bucket begins at 0, and the last one has no end", () => {
  deepStrictEqual(rangeOf(0), { us: 10, lowUs: 0, highUs: 10 });
  strictEqual(rangeOf(LAST_BUCKET).highUs, null);
  ok(Math.abs(rangeOf(LAST_BUCKET).lowUs / 120e6 - 1) < 0.01);
});

Deno.test("buckets add up, and a percentile is the bucket in which it lies", () => {
  const sum = addBuckets([{ 3: 50, 100: 1 }, { 3: 40, 7: 9 }, {}]);
  deepStrictEqual(sum, { 3: 90, 7: 9, 100: 1 });
  strictEqual(totalOf(sum), 100);
  deepStrictEqual([0.5, 0.9, 0.901, 0.99, 0.999, 1].map((p) => bucketAt(sum, p)), [
    3,
    3,
    7,
    7,
    100,
    100,
  ]);
  strictEqual(bucketAt({}, 0.5), null);
});
