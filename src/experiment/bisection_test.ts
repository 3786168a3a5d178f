import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { coverageOf, judge, mostMiddles, nextStep, type Verdict } from "./bisection.ts";

/** Searches with true verdicts; returns the culprits and the number of measured candidates. */
function search(
  length: number,
  culprit: number,
  skipped: ReadonlySet<number> = new Set(),
): { readonly culprits: readonly number[]; readonly measured: number } {
  const verdicts: Verdict[] = Array.from({ length }, () => null);
  for (let measured = 0;; measured++) {
    const step = nextStep(verdicts);
    if ("culprits" in step) return { ...step, measured };
    ok(verdicts[step.middle] === null && step.middle < length - 1);
    verdicts[step.middle] = skipped.has(step.middle)
      ? "skipped"
      : step.middle >= culprit
      ? "slow"
      : "fast";
  }
}

Deno.test("each culprit among any number of candidates is found in the fewest steps", () => {
  for (let length = 1; length <= 70; length++) {
    for (let culprit = 0; culprit < length; culprit++) {
      const { culprits, measured } = search(length, culprit);
      deepStrictEqual(culprits, [culprit]);
      ok(measured <= mostMiddles(length), `${measured} of ${length}`);
    }
  }
  strictEqual(mostMiddles(64), 6);
  strictEqual(mostMiddles(1), 0);
});

Deno.test("the culprits are the skipped candidates next to the first slow one, and it", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 40 }).chain((length) =>
      fc.record({
        length: fc.constant(length),
        culprit: fc.nat(length - 1),
        skipped: fc.uniqueArray(fc.nat(length)),
      })
    ),
    ({ length, culprit, skipped }) => {
      const unmeasurable = new Set(skipped.filter((i) => i !== length - 1));
      const { culprits } = search(length, culprit, unmeasurable);
      ok(culprits.includes(culprit));
      const last = culprits.at(-1) as number;
      ok(!unmeasurable.has(last) && last >= culprit);
      ok(culprits.slice(0, -1).every((i) => unmeasurable.has(i)));
    },
  ));
});

Deno.test("a candidate is judged by which side of the middle its interval is on", () => {
  const coverage = coverageOf(64);
  strictEqual(coverage, 1 - 0.05 / 12);
  const around = (ratio: number, spread: number): number[] =>
    Array.from({ length: 12 }, (_round, i) => ratio * (1 + spread * (i / 11 - 0.5)));
  strictEqual(judge(around(1, 0.02), 1.05, coverage).verdict, "fast");
  strictEqual(judge(around(1.05, 0.02), 1.05, coverage).verdict, "slow");
  strictEqual(judge(around(1.025, 0.02), 1.05, coverage).verdict, null);
  strictEqual(judge(around(0.9, 0.02), 0.9, coverage).verdict, "slow"); // a rate
  strictEqual(judge(around(1, 0.02), 0.9, coverage).verdict, "fast");
  const { ratio, low, high } = judge(around(1.05, 0.02), 1.05, coverage);
  ok(ratio !== null && low !== null && high !== null && low < ratio && ratio < high);
  // With too few rounds there is no interval at this level
  strictEqual(judge([1.05, 1.05, 1.05], 1.05, coverage).verdict, null);
});
