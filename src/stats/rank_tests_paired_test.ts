import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { pairedRatio } from "./rank_tests.ts";
import { isClose, noise, sample, shareOf } from "./stats_testdata.ts";

const A = [1041, 1012, 1100, 987, 1068, 1023, 1077, 1055];
const B = [1003, 1018, 1024, 995, 1017, 1002, 1021, 1008];

/** Returns rounds with these powers of 2 as their ratios. */
function powers(exponents: readonly number[]): [number[], number[]] {
  return [exponents.map((exponent) => 2 ** exponent), exponents.map(() => 1)];
}

Deno.test("pairedRatio agrees with NumPy and SciPy", () => {
  // NumPy 2.4.6: d = np.log(a) - np.log(b); i, j = np.triu_indices(8)
  // w = np.exp(np.sort((d[i] + d[j]) / 2)); np.median(w), w[4 - 1], w[36 - 4]
  // SciPy 1.17.1: stats.wilcoxon(d, method="exact").pvalue
  const ratio = pairedRatio(A, B);
  ok(isClose(ratio?.estimate, 1.0345810346664477));
  ok(isClose(ratio?.confidenceInterval?.low, 1.0063544979879695));
  ok(isClose(ratio?.confidenceInterval?.high, 1.060333122469141));
  strictEqual(ratio?.pValue, 0.0390625);
});

Deno.test("pairedRatio has the exact p-value, zeros dropped, ties at their middle ranks", () => {
  // SciPy 1.17.1: stats.wilcoxon(d, method=stats.PermutationMethod(n_resamples=np.inf)), which takes
  // all 2^n signs; for the last one stats.wilcoxon(d, method="exact")
  const table = [
    [[1, -1, 2, 3, 3, 0, 4, -2, 5, 3], 0.0390625],
    [[1, 1, 1, 1, -1, 2, 2], 0.09375],
    [[0, 0, 0, 0, 0, 0], 1],
    [
      [-1, 38, 75, -11, 48, 85, -21, 58, 95, -31, 68, 4, -41, 78, 14, -51, 88, 24, -61, 98],
      0.03623390197753906,
    ],
  ] as const;
  for (const [exponents, pValue] of table) {
    strictEqual(pairedRatio(...powers(exponents))?.pValue, pValue, exponents.join());
  }
});

Deno.test("equal ratios tie whatever the numbers are, so that scale changes nothing", () => {
  // 11/10 up and down: a tie that ln(110) - ln(100) and ln(10) - ln(11) would miss by rounding
  const ratio = pairedRatio([110, 10, 22, 33, 44, 13], [100, 11, 20, 30, 40, 10]);
  strictEqual(ratio?.pValue, pairedRatio(...powers([1, -1, 1, 1, 1, 2]))?.pValue);
});

Deno.test("no p-value is smaller than 2 / 2^n", () => {
  for (const [n, least] of [[6, 0.03125], [8, 0.0078125], [9, 0.00390625], [10, 0.001953125]]) {
    strictEqual(pairedRatio(...powers(sample(n ?? 0, (i) => i + 1)))?.pValue, least);
  }
});

Deno.test("the interval takes the published ranks of the Walsh averages", () => {
  // n and k of [W(k), W(M + 1 - k)], the largest k for which, in Python's exact integers,
  // c = Counter(sum(i + 1 for i in range(n) if m >> i & 1) for m in range(2**n))
  // 1 - 2 * sum(c[i] for i in range(k)) / 2**n >= 0.95
  const table = [[6, 1], [7, 3], [8, 4], [9, 6], [10, 9], [12, 14], [15, 26]] as const;
  for (const [n, k] of table) {
    // Powers of 3 make all averages distinct
    const logs = sample(n, (i) => 3 ** i / 3 ** n);
    const walsh = logs.flatMap((x, i) => logs.slice(i).map((y) => (x + y) / 2))
      .toSorted((x, y) => x - y);
    const confidenceInterval = pairedRatio(logs.map(Math.exp), logs.map(() => 1))
      ?.confidenceInterval;
    ok(isClose(confidenceInterval?.low, Math.exp(walsh[k - 1] ?? NaN)), `low for n = ${n}`);
    ok(isClose(confidenceInterval?.high, Math.exp(walsh.at(-k) ?? NaN)), `high for n = ${n}`);
    ok((confidenceInterval?.coverage ?? 0) >= 0.95);
  }
  strictEqual(pairedRatio(A, B)?.confidenceInterval?.coverage, 1 - 2 * 5 / 2 ** 8);
});

Deno.test("too few rounds give an estimate without an interval, none give nothing", () => {
  strictEqual(pairedRatio([], []), null);
  deepStrictEqual(pairedRatio([4], [2]), { estimate: 2, confidenceInterval: null, pValue: 1 });
  strictEqual(pairedRatio(A.slice(0, 5), B.slice(0, 5))?.confidenceInterval, null);
  strictEqual(pairedRatio(A.slice(0, 5), B.slice(0, 5), 0.9)?.confidenceInterval?.coverage, 0.9375);
});

Deno.test("swapping sides turns the ratio over, and units do not matter", () => {
  const ratio = pairedRatio(A, B);
  const turned = pairedRatio(B, A);
  ok(isClose(turned?.estimate, 1 / (ratio?.estimate ?? NaN)));
  ok(isClose(turned?.confidenceInterval?.low, 1 / (ratio?.confidenceInterval?.high ?? NaN)));
  ok(isClose(turned?.confidenceInterval?.high, 1 / (ratio?.confidenceInterval?.low ?? NaN)));
  strictEqual(turned?.pValue, ratio?.pValue);
  const inOtherUnit = (values: number[]): number[] => values.map((value) => value / 1024);
  deepStrictEqual(pairedRatio(inOtherUnit(A), inOtherUnit(B)), ratio);
});

Deno.test("the interval leaves out 1 where the p-value is at most 5 %, and only there", () => {
  const next = noise(3);
  const significant = sample(300, () => {
    const a = sample(8, () => Math.exp(next() + 1));
    const ratio = pairedRatio(a, sample(8, () => Math.exp(next())));
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
  const next = noise(20_260_801);
  const share = shareOf(2000, () => {
    const b = sample(8, () => Math.exp(0.2 * next()));
    const a = b.map((value) => value * 1.03 * Math.exp(0.02 * next()));
    const confidenceInterval = pairedRatio(a, b)?.confidenceInterval;
    return confidenceInterval
      ? confidenceInterval.low <= 1.03 && 1.03 <= confidenceInterval.high
      : false;
  });
  // 0.961 with a standard error of 0.0043
  ok(share > 0.945 && share < 0.977, `covered ${share}`);
});

Deno.test("pairedRatio refuses what has no pair or no ratio", () => {
  throws(() => pairedRatio([1, 2], [1]), RangeError);
  for (const wrong of [0, -1, NaN, Infinity]) {
    throws(() => pairedRatio([1, wrong], [1, 1]), RangeError);
    throws(() => pairedRatio([1, 1], [1, wrong]), RangeError);
  }
});
