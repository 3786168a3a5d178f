import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Estimate, relativeWidth } from "../model/estimate.ts";
import { estimateOf, typical } from "./median.ts";

interface RoundValue {
  readonly round: number;
  readonly value: number | null;
}

const estimate = (rounds: readonly RoundValue[]): Estimate => {
  const estimate = estimateOf(rounds, ({ round }) => round, ({ value }) => value);
  if (estimate === null) throw new Error("There is no estimate");
  return estimate;
};

const rounds = (...values: (number | null)[]): RoundValue[] =>
  values.map((value, i) => ({ round: i + 1, value }));

Deno.test("estimate puts rounds together", () => {
  const { confidenceInterval, cv, minimumDetectableChange, ...rest } = estimate(
    rounds(104, 96, 100, 98, 102, 100),
  );
  deepStrictEqual(rest, { median: 100, min: 96, max: 104, mad: 2, outlierRounds: [] });
  // Both extremes of six: 1 - 2 / 2^6
  deepStrictEqual(confidenceInterval, { low: 96, high: 104, coverage: 0.96875 });
  strictEqual(cv?.toFixed(6), (Math.sqrt(40 / 5) / 100).toFixed(6));
  ok((minimumDetectableChange ?? 0) > (cv ?? 0));
});

Deno.test("estimate has no interval below six rounds, and no variation of one", () => {
  strictEqual(estimate(rounds(1, 2, 3, 4, null, 5)).confidenceInterval, null);
  const one = estimate(rounds(7));
  deepStrictEqual([one.median, one.min, one.max, one.mad], [7, 7, 7, 0]);
  deepStrictEqual([one.confidenceInterval, one.cv, one.minimumDetectableChange], [
    null,
    null,
    null,
  ]);
  strictEqual(estimateOf(rounds(null), ({ round }) => round, ({ value }) => value), null);
});

Deno.test("estimate promises no effect that too few rounds would never find", () => {
  strictEqual(estimate(rounds(1, 2, 3)).minimumDetectableChange, null);
  ok((estimate(rounds(1, 2, 3, 4)).minimumDetectableChange ?? 0) > 0);
  strictEqual(estimate(rounds(5, 5, 5, 5)).minimumDetectableChange, 0);
  const zero = estimate(rounds(0, 0, 0, 0));
  deepStrictEqual([zero.cv, zero.minimumDetectableChange], [null, null], "no share of nothing");
});

Deno.test("estimate names outliers by their rounds, not by their places, and keeps them", () => {
  const values = [100, 101, 99, 300, 100.5, 99.5];
  const late = values.map((value, i) => ({ round: 2 * i + 3, value }));
  const { outlierRounds, max } = estimate(late);
  deepStrictEqual([outlierRounds, max], [[9], 300]);
});

Deno.test("typical is the median of what is known, null if nothing is", () => {
  strictEqual(typical([3, null, 1, null, 2], (value) => value), 2);
  strictEqual(typical([null, null], (value) => value), null);
  strictEqual(typical([], (value) => value), null);
  strictEqual(typical([{ a: 0 }, { a: 4 }], ({ a }) => a), 2);
});

Deno.test("relativeWidth is half the interval over the median", () => {
  strictEqual(relativeWidth(estimate(rounds(97, 98, 99, 101, 102, 103))), 0.03);
  strictEqual(relativeWidth(estimate(rounds(97, 103))), null);
});
