import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { independentRatio, mannWhitney } from "./rank_tests.ts";
import { isClose, noise, sample, shareOf } from "./stats_testdata.ts";

const A = [1041, 1012, 1100, 987, 1068, 1023];
const B = [1003, 1018, 1024, 995, 1017, 1002, 1011];

Deno.test("mannWhitney is exact as in SciPy, with ties and without", () => {
  // SciPy 1.17.1: stats.mannwhitneyu(a, b, method="exact"), and for the ties method=
  // stats.PermutationMethod(n_resamples=np.inf), which takes all ways to part the values
  const table = [
    [A, B, 31, 0.18065268065268064],
    [[1, 2, 2, 3, 5, 5], [2, 3, 3, 4, 5, 6, 7], 12, 0.22727272727272727],
    [[1, 1, 1, 2, 9], [1, 1, 2, 2, 2, 3], 12.5, 0.7402597402597403],
    [
      sample(50, (i) => i * 1.618 % 1),
      sample(50, (i) => i * 1.414 % 1 + 0.1),
      1010,
      0.0988660979768666,
    ],
    [[7, 7], [7, 7, 7], 3, 1],
  ] as const;
  for (const [a, b, u, pValue] of table) {
    const test = mannWhitney(a, b);
    strictEqual(test.u, u);
    ok(isClose(test.pValue, pValue), `${test.pValue} is not ${pValue}`);
    ok(test.exact);
  }
});

Deno.test("mannWhitney approximates above 100 values as SciPy does", () => {
  // SciPy 1.17.1: stats.mannwhitneyu(a, b, method="asymptotic")
  const tied = mannWhitney(
    sample(60, (i) => (i * 7) % 23 + (i % 2 === 0 ? 4 : 0)),
    sample(70, (i) => (i * 11) % 29),
  );
  deepStrictEqual([tied.u, tied.exact], [2002.5, false]);
  ok(isClose(tied.pValue, 0.6503255813076934));
  const untied = mannWhitney(
    sample(60, (i) => i * 1.618 % 1),
    sample(50, (i) => i * 1.414 % 1 + 0.1),
  );
  deepStrictEqual([untied.u, untied.exact], [1257, false]);
  ok(isClose(untied.pValue, 0.1454678135967357));
  strictEqual(mannWhitney(sample(60, () => 7), sample(60, () => 7)).pValue, 1);
});

Deno.test("no p-value of n and n values is smaller than 2 / C(2n, n)", () => {
  for (const [n, least] of [[4, 2 / 70], [5, 2 / 252], [6, 2 / 924], [8, 2 / 12_870]] as const) {
    const apart = mannWhitney(sample(n, (i) => i), sample(n, (i) => i + n));
    strictEqual(apart.u, 0);
    ok(isClose(apart.pValue, least), `n = ${n}`);
  }
});

Deno.test("mannWhitney refuses an empty sample and what is not a number", () => {
  for (const wrong of [[], [1, NaN]]) {
    throws(() => mannWhitney(wrong, B), RangeError);
    throws(() => mannWhitney(A, wrong), RangeError);
  }
});

Deno.test("independentRatio takes the published ranks of the pairwise ratios", () => {
  // n = m and k of [D(k), D(mn + 1 - k)], the largest k for which, in Python's exact integers,
  // c = Counter(sum(s) - n * (n - 1) // 2 for s in combinations(range(2 * n), n))
  // 1 - 2 * sum(c[i] for i in range(k)) / comb(2 * n, n) >= 0.95; for n = 15 with SciPy 1.17.1:
  // 1 - 2 * scipy.stats._mannwhitneyu._MWU(15, 15).cdf(k - 1) >= 0.95
  const table = [[4, 1], [5, 3], [6, 6], [8, 14], [10, 24], [15, 65]] as const;
  for (const [n, k] of table) {
    const a = sample(n, (i) => 1 + (i * i + 1) / 1000);
    const b = sample(n, (i) => 1 + Math.sqrt(i + 2) / 1000);
    const ratios = a.flatMap((x) => b.map((y) => x / y)).toSorted((x, y) => x - y);
    const confidenceInterval = independentRatio(a, b)?.confidenceInterval;
    ok(isClose(confidenceInterval?.low, ratios[k - 1] ?? NaN), `low for n = ${n}`);
    ok(isClose(confidenceInterval?.high, ratios.at(-k) ?? NaN), `high for n = ${n}`);
    ok((confidenceInterval?.coverage ?? 0) >= 0.95);
  }
});

Deno.test("independentRatio has the median of the pairwise ratios and the p-value of the test", () => {
  const ratio = independentRatio(A, B);
  // NumPy 2.4.6: np.exp(np.median(np.log(a)[:, None] - np.log(b)[None, :]))
  ok(isClose(ratio?.estimate, 1.0217753749076377));
  strictEqual(ratio?.pValue, mannWhitney(A, B).pValue);
});

Deno.test("too few values give an estimate without an interval, none give nothing", () => {
  strictEqual(independentRatio([], B), null);
  strictEqual(independentRatio(A, []), null);
  deepStrictEqual(independentRatio([4], [2]), { estimate: 2, confidenceInterval: null, pValue: 1 });
  strictEqual(independentRatio([1, 2, 3], [4, 5, 6])?.confidenceInterval, null);
  ok(isClose(independentRatio([1, 2, 3], [4, 5, 6], 0.9)?.confidenceInterval?.coverage, 0.9));
});

Deno.test("swapping sides turns the ratio over, and units do not matter", () => {
  const ratio = independentRatio(A, B);
  const turned = independentRatio(B, A);
  ok(isClose(turned?.estimate, 1 / (ratio?.estimate ?? NaN)));
  ok(isClose(turned?.confidenceInterval?.low, 1 / (ratio?.confidenceInterval?.high ?? NaN)));
  ok(isClose(turned?.confidenceInterval?.high, 1 / (ratio?.confidenceInterval?.low ?? NaN)));
  ok(isClose(turned?.pValue, ratio?.pValue ?? NaN));
  const inOtherUnit = (values: number[]): number[] => values.map((value) => value / 1024);
  deepStrictEqual(independentRatio(inOtherUnit(A), inOtherUnit(B)), ratio);
});

Deno.test("the interval leaves out 1 where the p-value is at most 5 %, and only there", () => {
  const next = noise(3);
  const significant = sample(300, () => {
    const a = sample(6, () => Math.exp(next() + 1));
    const ratio = independentRatio(a, sample(6, () => Math.exp(next())));
    const confidenceInterval = ratio?.confidenceInterval ?? { low: NaN, high: NaN };
    strictEqual(
      confidenceInterval.low > 1 || confidenceInterval.high < 1,
      (ratio?.pValue ?? NaN) <= 0.05,
    );
    return (ratio?.pValue ?? NaN) <= 0.05;
  });
  deepStrictEqual(new Set(significant), new Set([true, false]));
});

Deno.test("the interval covers the true ratio as often as it says", () => {
  const next = noise(7);
  const share = shareOf(2000, () => {
    const a = sample(6, () => 1.03 * Math.exp(0.02 * next()));
    const b = sample(6, () => Math.exp(0.02 * next()));
    const confidenceInterval = independentRatio(a, b)?.confidenceInterval;
    return confidenceInterval
      ? confidenceInterval.low <= 1.03 && 1.03 <= confidenceInterval.high
      : false;
  });
  // 0.959 with a standard error of 0.0044
  ok(share > 0.943 && share < 0.975, `covered ${share}`);
});

Deno.test("independentRatio refuses what has no ratio", () => {
  for (const wrong of [0, -1, NaN, Infinity]) {
    throws(() => independentRatio([1, wrong], [1, 1]), RangeError);
    throws(() => independentRatio([1, 1], [1, wrong]), RangeError);
  }
});
