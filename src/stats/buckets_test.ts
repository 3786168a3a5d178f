import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  addBuckets,
  BUCKET_ERROR,
  bucketAt,
  bucketOf,
  LAST_BUCKET,
  rangeOf,
  totalOf,
} from "./buckets.ts";

Deno.test("each bucket holds what lies between its edges, and its middle is within the error", () => {
  for (let i = 1; i < LAST_BUCKET; i++) {
    const { us, lowUs, highUs } = rangeOf(i);
    for (const inside of [lowUs * 1.0001, us, (highUs ?? 0) * 0.9999]) {
      strictEqual(bucketOf(inside), i);
      ok(Math.abs(us / inside - 1) <= BUCKET_ERROR + 1e-9, `${us} for ${inside}`);
    }
  }
  ok(BUCKET_ERROR < 0.05);
});

Deno.test("what is too short or too long for any other lies in the first and the last bucket", () => {
  deepStrictEqual([0, -1, NaN, 9.99].map(bucketOf), [0, 0, 0, 0]);
  deepStrictEqual([121e6, 1e12, Infinity].map(bucketOf), [172, 172, 172]);
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
