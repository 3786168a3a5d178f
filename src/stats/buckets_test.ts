import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { addBuckets, BUCKET_ERROR, bucketAt, LAST_BUCKET, rangeOf, totalOf } from "./buckets.ts";

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
