import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import {
  detectableChange,
  holm,
  minimumDetectableChange,
  roundsFor,
  smallestIndependentP,
  smallestPairedP,
} from "./power.ts";
import { mannWhitney } from "./rank_tests.ts";
import { isClose, noise, sample, shareOf } from "./stats_testdata.ts";

Deno.test("minimumDetectableChange is 2.8 cv sqrt(2 / n) / sqrt(0.955)", () => {
  const table = [
    [0.02, 6, 3.3],
    [0.02, 10, 2.6],
    [0.02, 20, 1.8],
    [0.05, 6, 8.3],
    [0.05, 20, 4.5],
  ] as const;
  for (const [cv, n, percent] of table) {
    strictEqual((100 * (minimumDetectableChange(cv, n) ?? NaN)).toFixed(1), percent.toFixed(1));
  }
  strictEqual(minimumDetectableChange(0, 6), 0);
});

Deno.test("minimumDetectableChange is null where no effect is large enough", () => {
  strictEqual(minimumDetectableChange(0.02, 3), null);
  ok(mannWhitney([1, 2, 3], [4, 5, 6]).pValue > 0.05);
  ok(mannWhitney([1, 2, 3, 4], [5, 6, 7, 8]).pValue < 0.05);
  for (const cv of [-0.1, NaN]) throws(() => minimumDetectableChange(cv, 6), RangeError);
});

Deno.test("the exact test finds such an effect as often as the comment says", () => {
  // SciPy 1.17.1, rng = np.random.default_rng(2), z and w = rng.normal(0, 1, (20000, n)): (mannwhitneyu(z, w
  // + effect, axis=1, method="exact").pvalue <= 0.05).mean()
  // 0.498 for n = 4, 0.675 for 6, 0.736 for 8, 0.728 for 10, 0.755 for 15, 0.780 for 20
  const next = noise(1);
  for (const [n, power] of [[4, 0.498], [6, 0.675], [10, 0.728]] as const) {
    const effect = minimumDetectableChange(1, n) ?? NaN;
    const share = shareOf(2000, () => {
      const a = sample(n, next);
      return mannWhitney(a, sample(n, () => next() + effect)).pValue <= 0.05;
    });
    ok(Math.abs(share - power) < 0.03, `${share} for n = ${n}`);
  }
});

Deno.test("detectableChange is the same for other designs and levels", () => {
  const ofRanks = minimumDetectableChange(0.02, 6) ?? NaN;
  const ofMeans = detectableChange(0.02 * Math.sqrt(2 / 6), 0.05);
  ok(Math.abs(ofMeans / ofRanks - Math.sqrt(3 / Math.PI)) < 1e-12, `${ofMeans / ofRanks}`);
  // 2.576 at the 1 % level: https://en.wikipedia.org/wiki/97.5th_percentile_point
  const ratio = detectableChange(1, 0.01) / detectableChange(1, 0.05);
  ok(Math.abs(ratio - (2.575829 + 0.841621) / (1.959964 + 0.841621)) < 1e-6, String(ratio));
  throws(() => detectableChange(-1, 0.05), RangeError);
  throws(() => detectableChange(1, 2), RangeError);
});

Deno.test("the smallest p-values are those of samples that do not overlap at all", () => {
  for (const [n, p] of [[4, 0.029], [5, 0.0079], [6, 0.0022], [8, 0.00016]] as const) {
    ok(Math.abs(smallestIndependentP(n, n) / p - 1) < 0.06, String(n));
    const apart = mannWhitney([1, 2, 3, 4, 5, 6, 7, 8].slice(0, n), sample(n, () => 9)).pValue;
    ok(apart <= smallestIndependentP(n, n) * 1.0001, String(apart));
  }
  for (const [n, p] of [[6, 0.03125], [8, 0.0078125], [10, 0.001953125]] as const) {
    strictEqual(smallestPairedP(n), p);
  }
  strictEqual(smallestIndependentP(1, 1), 1);
});

Deno.test("roundsFor is the fewest that a family of comparisons needs", () => {
  // Seven scenarios: six rounds on each side, or nine pairs
  strictEqual(roundsFor(7, (n) => smallestIndependentP(n, n)), 6);
  strictEqual(roundsFor(7, smallestPairedP), 9);
  strictEqual(roundsFor(1, smallestPairedP), 6);
});

Deno.test("holm agrees with statsmodels", () => {
  // statsmodels 0.15.0: multipletests([...], method="holm")[1]
  const adjusted = holm([0.01, 0.04, 0.03, 0.005, 0.5, 0.03, 0.9]);
  const expected = [0.06, 0.15, 0.15, 0.035, 1, 0.15, 1];
  ok(adjusted.every((p, i) => isClose(p, expected[i] ?? NaN)), adjusted.join());
  deepStrictEqual(holm([0.01, 0.7, 0.6]), [0.03, 1, 1]);
});

Deno.test("holm leaves one value alone, multiplies equal ones by their number and refuses others", () => {
  deepStrictEqual(holm([]), []);
  deepStrictEqual(holm([0.03]), [0.03]);
  deepStrictEqual(holm([0.0625, 0.0625]), [0.125, 0.125]);
  for (const wrong of [-0.1, 1.1, NaN]) throws(() => holm([0.5, wrong]), RangeError);
});
