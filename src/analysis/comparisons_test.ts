import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { BlockResult } from "../model/block.ts";
import type { Comparison, Result } from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import { compareServers, noiseOf, rank } from "./comparisons.ts";
import { blockOf, windowOf as trialResult } from "./slices_testdata.ts";

const ROUNDS = [1, 2, 3, 4, 5, 6];

const rounds = (variant: string, perS: number, cpuUs: number | null = 10): TrialResult[] =>
  ROUNDS.map((round) => trialResult(variant, round, perS, cpuUs));

function result(variant: string, change: Partial<Result> = {}): Result {
  const result = {
    scenario: "text",
    connections: 10,
    perS: null,
    status: "ok",
    isLowerBound: false,
    climbing: null,
    rank: null,
  };
  return { variant, ...result, serverCpuUs: {}, ...change } as Result;
}

/** Returns a short form of comparisons. */
const brief = (comparisons: readonly Comparison[]): unknown[] =>
  comparisons.map(({ a, b, metric, ratio }) => [a, b, metric, Number(ratio.toFixed(6))]);

Deno.test("compareServers compares every pair by the rate", () => {
  const trialResults = [...rounds("a", 100), ...rounds("b", 200), ...rounds("c", 400)];
  const comparisons = compareServers({ trialResults, blocks: [] }, [
    result("a"),
    result("b"),
    result("c"),
  ]);
  deepStrictEqual(brief(comparisons), [
    ["a", "b", "requestsPerS", 0.5],
    ["a", "c", "requestsPerS", 0.25],
    ["b", "c", "requestsPerS", 0.5],
  ]);
});

Deno.test("compareServers compares all by their cost if one rate is a lower bound", () => {
  const trialResults = [...rounds("a", 100, 10), ...rounds("b", 100, 20), ...rounds("c", 100, 5)];
  const results = [result("a"), result("b", { isLowerBound: true }), result("c")];
  deepStrictEqual(brief(compareServers({ trialResults, blocks: [] }, results)), [
    ["a", "b", "serverCpuUs", 0.5],
    ["a", "c", "serverCpuUs", 2],
    ["b", "c", "serverCpuUs", 4],
  ]);
  const dear = [result("a"), result("b", { isLowerBound: true, serverCpuUs: null })];
  deepStrictEqual(brief(compareServers({ trialResults, blocks: [] }, dear)), [[
    "a",
    "b",
    "requestsPerS",
    1,
  ]]);
});

Deno.test("compareServers compares servers at a given rate by their cost, unless one is too slow", () => {
  const pairWith = (perS: number): unknown => {
    const at = (variant: string, median: number): Result =>
      result(variant, { perS: 500, requestsPerS: { median } } as Partial<Result>);
    const trialResults = [...rounds("a", 500, 10), ...rounds("b", perS, 20)].map((one) => ({
      ...one,
      trial: { ...one.trial, load: { ...one.trial.load, open: { perS: 500 } } },
    })) as TrialResult[];
    return brief(
      compareServers({ trialResults, blocks: [] }, [at("a", 500), at("b", perS)]),
    )[0];
  };
  deepStrictEqual(pairWith(500), ["a", "b", "serverCpuUs", 0.5]);
  deepStrictEqual(pairWith(250), ["a", "b", "requestsPerS", 2]);
});

Deno.test("compareServers pairs only rounds that both have, by their numbers", () => {
  // A disturbance of a round affects both servers, so the paired ratio stays the same
  const disturbed = (variant: string, rate: number, own: number[]): TrialResult[] =>
    own.map((round) => trialResult(variant, round, rate * round));
  const trialResults = [
    ...disturbed("a", 200, [7, 1, 2, 3, 4, 5, 6]),
    ...disturbed("b", 100, [6, 5, 4, 3, 2, 1, 9]),
    { ...trialResult("b", 7, 1), window: null },
    trialResult("b", 7, 1, 10, "scale"),
  ];
  const [pair] = compareServers({ trialResults, blocks: [] }, [result("a"), result("b")]);
  deepStrictEqual([pair?.rounds, pair?.ratio.toFixed(9)], [6, "2.000000000"]);
  strictEqual(pair?.confidenceInterval?.low, pair?.confidenceInterval?.high);
  const none = [...rounds("a", 5), ...rounds("b", 0)];
  deepStrictEqual(
    compareServers({ trialResults: none, blocks: [] }, [result("a"), result("b")]),
    [],
    "no ratio to nothing",
  );
});

Deno.test("compareServers leaves out results without a rate, and other scenarios", () => {
  const trialResults = [...rounds("a", 100), ...rounds("b", 200), ...rounds("c", 300)];
  const results = [
    result("a"),
    result("b", { status: "invalid" }),
    result("c", { scenario: "json" }),
  ];
  deepStrictEqual(compareServers({ trialResults, blocks: [] }, results), []);
});

Deno.test("compareServers keeps numbers of connections apart", () => {
  const at = (connections: number): TrialResult[] =>
    [...rounds("a", 100 * connections), ...rounds("b", 100)].map((trialResult) => ({
      ...trialResult,
      trial: { ...trialResult.trial, load: { ...trialResult.trial.load, connections } },
    }));
  const results = [1, 8].flatMap((
    connections,
  ) => [result("a", { connections }), result("b", { connections })]);
  deepStrictEqual(
    compareServers({ trialResults: [...at(8), ...at(1)], blocks: [] }, results).map((
      { connections, ratio },
    ) => [connections, ratio.toFixed(2)]),
    [[1, "1.00"], [8, "8.00"]],
  );
});

Deno.test("compareServers calls that better whose interval lies on one side, a lower cost for one", () => {
  const better = (a: number[], b: number[]): string | null | undefined => {
    const trialResults = ROUNDS.flatMap((round, i) => [
      trialResult("a", round, a[i] ?? 0, 1000 / (a[i] ?? 1)),
      trialResult("b", round, b[i] ?? 0, 1000 / (b[i] ?? 1)),
    ]);
    const byRate = compareServers({ trialResults, blocks: [] }, [result("a"), result("b")])[0]
      ?.better;
    const results = [result("a", { isLowerBound: true }), result("b")];
    strictEqual(
      compareServers({ trialResults, blocks: [] }, results)[0]?.better,
      byRate,
      "a cost is one over a rate",
    );
    return byRate;
  };
  const same = [100, 100, 100, 100, 100, 100];
  const more = [104, 102, 101, 103, 105, 102];
  strictEqual(better(more, same), "a");
  strictEqual(better(same, more), "b");
  strictEqual(better([98, ...more.slice(1)], same), null);
  strictEqual(better(same, same), null, "an end at 1 proves nothing");
});

/** Makes a comparison that a, b or neither wins. */
function pair(a: string, b: string, better: string | null, change: object = {}): Comparison {
  const confidenceInterval = { low: 0.9, high: 0.99, coverage: 0.97 };
  const workload = { scenario: "text", connections: 10, perS: null };
  return { ...workload, a, b, confidenceInterval, better, ...change } as Comparison;
}

const WORKER_GROUPS = new Map([["a", 1], ["b", 1], ["c", 1], ["d", 1]]);
const ranks = (results: Result[], ...comparisons: Comparison[]): (number | null)[] =>
  rank(results, comparisons, WORKER_GROUPS).map(({ rank }) => rank);

Deno.test("compareServers calls no server better below the noise floor, also by windows", () => {
  const better = (rate: number): string | null | undefined => {
    const trialResults = [...rounds("a", 1000), ...rounds("b", rate)];
    const [pair] = compareServers({ trialResults, blocks: [] }, [result("a"), result("b")]);
    strictEqual((pair?.confidenceInterval?.low ?? 1) > 1, true, "the interval is on one side");
    return pair?.better;
  };
  deepStrictEqual([995, 985].map(better), [null, "a"]);
});

Deno.test("rank is one more than the servers that are proven better, so that ties share it", () => {
  const results = [result("a"), result("b"), result("c")];
  const of = (ab: string | null, ac: string | null, bc: string | null): unknown =>
    ranks(results, pair("a", "b", ab), pair("a", "c", ac), pair("b", "c", bc));
  deepStrictEqual([of(null, "a", "b"), of("b", "c", null), of(null, null, null)], [
    [1, 1, 3],
    [3, 1, 1],
    [1, 1, 1],
  ]);
  deepStrictEqual(ranks(results, pair("a", "c", null, { confidenceInterval: null })), [
    null,
    null,
    null,
  ]);
});

Deno.test("rank leaves out servers that were compared with none, or at another workload", () => {
  const results = [result("a"), result("b"), result("c", { status: "invalid" }), result("d")];
  const elsewhere = [
    pair("b", "d", "b", { scenario: "json" }),
    pair("b", "d", "b", { connections: 1 }),
    pair("b", "d", "b", { perS: 100 }),
  ];
  deepStrictEqual(ranks(results, pair("a", "b", "a"), ...elsewhere), [1, 2, null, null]);
});

Deno.test("rank is among servers with as many workers", () => {
  const results = [result("a"), result("b"), result("c")];
  const workerGroups = new Map([["a", 1], ["b", 4], ["c", 1]]);
  const pairs = [pair("a", "b", "b"), pair("b", "c", "b"), pair("a", "c", "a")];
  deepStrictEqual(rank(results, pairs, workerGroups).map(({ rank }) => rank), [1, null, 2]);
});

Deno.test("noiseOf says how far the interval of both figures reaches from 1", () => {
  const factors = [0.95, 1.1, 1, 1.02, 0.97, 1.01];
  const trialResults = ROUNDS.flatMap((round, i) => [
    trialResult("a", round, 1000 * (factors[i] ?? 0), null),
    trialResult("a-again", round, 1000, null),
  ]);
  const results = [result("a"), result("a-again")];
  const [noise] = noiseOf({ trialResults, blocks: [] }, results, ["a", "a-again"]);
  deepStrictEqual([noise?.variant, noise?.scenario, noise?.serverCpuUs], ["a", "text", null]);
  strictEqual(noise?.requestsPerS?.floor?.toFixed(9), "0.100000000");
  const [turned] = noiseOf({ trialResults, blocks: [] }, results, ["a-again", "a"]);
  strictEqual(turned?.requestsPerS?.floor?.toFixed(9), (1 - 1 / 1.1).toFixed(9));
});

Deno.test("noiseOf has no floor without an interval, and nothing of an invalid twin", () => {
  const trialResults = [trialResult("a", 1, 100), trialResult("b", 1, 50)];
  const [noise] = noiseOf({ trialResults, blocks: [] }, [result("a"), result("b")], ["a", "b"]);
  deepStrictEqual(noise?.requestsPerS, {
    rounds: 1,
    ratio: 2,
    confidenceInterval: null,
    floor: null,
  });
  strictEqual(noise?.serverCpuUs?.ratio, 1);
  for (const invalid of ["a", "b"]) {
    const results = ["a", "b"].map((id) => result(id, id === invalid ? { status: "invalid" } : {}));
    deepStrictEqual(noiseOf({ trialResults, blocks: [] }, results, ["a", "b"]), [], invalid);
  }
});

/** Makes rounds of slices in which one variant needs a multiple of the other's CPU time. */
const slicesOf = (a: string, b: string, times: number): BlockResult[] =>
  ROUNDS.map((round) => blockOf(round, { [a]: { cpuUs: 10 * times }, [b]: { cpuUs: 10 } }));

Deno.test("servers are compared by their slices where there are any, whatever windows say", () => {
  const trialResults = [...rounds("a", 100, 10), ...rounds("b", 100, 20)];
  const results = [result("a", { isLowerBound: true }), result("b")];
  const [bySlices] = compareServers({ trialResults, blocks: slicesOf("a", "b", 2) }, results);
  deepStrictEqual([bySlices?.method, bySlices?.ratio.toFixed(3), bySlices?.better], [
    "slices",
    "2.000",
    "b",
  ]);
  strictEqual(compareServers({ trialResults, blocks: [] }, results)[0]?.method, "windows");
});

Deno.test("noiseOf has a floor of slices and one of windows, each its own", () => {
  const trialResults = [...rounds("a", 110), ...rounds("b", 100)];
  const results = [result("a"), result("b")];
  const noise = noiseOf({ trialResults, blocks: slicesOf("a", "b", 1.01) }, results, ["a", "b"]);
  deepStrictEqual(
    noise.map(({ method, requestsPerS, serverCpuUs }) => [
      method,
      requestsPerS?.floor?.toFixed(3),
      serverCpuUs?.floor?.toFixed(3),
    ]),
    [["slices", "0.000", "0.010"], ["windows", "0.100", "0.000"]],
  );
});
