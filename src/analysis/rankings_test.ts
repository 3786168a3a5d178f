import { deepStrictEqual } from "node:assert/strict";
import type { Comparison, Estimate, Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { rank } from "./comparisons.ts";
import { baselineRatiosOf, inOrder, type Ranking, rankingsOf } from "./rankings.ts";
import { windowOf } from "./slices_testdata.ts";

/** Makes an estimate; only its median matters. */
const estimate = (median: number): Estimate =>
  ({ median, confidenceInterval: null }) as unknown as Estimate;
const WORKLOAD = { scenario: "text", connections: 10, perS: null };

/** Makes a pair in which a is a number of times faster than b. It is proven unless the ratio is 1. */
function pair(a: string, b: string, ratio: number, metric: Comparison["metric"]): Comparison {
  const better = ratio === 1 ? null : (ratio > 1) === (metric === "requestsPerS") ? a : b;
  const confidenceInterval = { low: ratio * 0.99, high: ratio * 1.01, coverage: 0.95 };
  return {
    ...WORKLOAD,
    a,
    b,
    metric,
    method: "slices",
    rounds: 6,
    ratio,
    confidenceInterval,
    pValue: 0,
    better,
  };
}

/** Makes a report of these pairs. Servers have one worker unless another number is given. */
function reportOf(comparisons: Comparison[], workers: Record<string, number> = {}): Report {
  const ids = [...new Set(comparisons.flatMap(({ a, b }) => [a, b]))];
  const results = ids.map((variant) =>
    ({
      ...WORKLOAD,
      variant,
      status: "ok",
      rank: null,
      requestsPerS: null,
      serverCpuUs: null,
      relativeCpu: null,
      climbing: null,
    }) as unknown as Result
  );
  const workerGroups = new Map(ids.map((id) => [id, workers[id] ?? 1]));
  return {
    results: rank(results, comparisons, workerGroups),
    comparisons,
    trialResults: [],
    blocks: [],
    servers: ids.map((id) => ({ id, workers: workers[id] ?? 1 })),
    experiment: { scenarios: ["text"], variants: ids.map((id) => ({ id, server: "another" })) },
  } as unknown as Report;
}

const brief = ({ leaders, others, metric, workers, isTie }: Ranking): unknown => ({
  leaders,
  isTie,
  others: others.map(({ variant, behind, factor }) => [variant, behind, factor.toFixed(2)]),
  metric,
  workers,
});

Deno.test("rankings have who is proven worse than none first, and the others by how much worse", () => {
  const rates = rankingsOf(reportOf([
    pair("bun", "deno", 1, "requestsPerS"),
    pair("bun", "express", 3.1, "requestsPerS"),
    pair("bun", "node", 2, "requestsPerS"),
    pair("deno", "express", 3, "requestsPerS"),
    pair("node", "deno", 0.5, "requestsPerS"),
    pair("node", "express", 1.5, "requestsPerS"),
  ]));
  deepStrictEqual(rates.map(brief), [{
    leaders: ["bun", "deno"],
    isTie: true,
    others: [["node", ["bun", "deno"], "2.00"], ["express", ["bun", "deno"], "3.00"]],
    metric: "requestsPerS",
    workers: 1,
  }]);
  const cpu = rankingsOf(reportOf([pair("deno", "node", 0.5, "serverCpuUs")]));
  deepStrictEqual(cpu.map(brief), [{
    leaders: ["deno"],
    isTie: true,
    others: [["node", ["deno"], "2.00"]],
    metric: "serverCpuUs",
    workers: 1,
  }]);
});

Deno.test("rankings name the leaders that a server is proven behind, where it is not all", () => {
  const [ranking] = rankingsOf(reportOf([
    pair("bun", "deno", 1, "requestsPerS"),
    pair("bun", "node", 1.1, "requestsPerS"),
    pair("deno", "node", 1, "requestsPerS"),
  ]));
  deepStrictEqual(ranking && brief(ranking), {
    leaders: ["bun", "deno"],
    isTie: true,
    others: [["node", ["bun"], "1.10"]],
    metric: "requestsPerS",
    workers: 1,
  });
});

Deno.test("rankings are within a worker group, and there is none of one server alone", () => {
  const pairs = [
    pair("a", "b", 2, "requestsPerS"),
    pair("a", "c", 1, "requestsPerS"),
    pair("b", "c", 0.5, "requestsPerS"),
  ];
  const rankings = rankingsOf(reportOf(pairs, { c: 4 }));
  deepStrictEqual(
    rankings.map((
      { leaders, workers, hasOtherWorkerGroups },
    ) => [leaders, workers, hasOtherWorkerGroups]),
    [
      [["a"], 1, true],
    ],
  );
  deepStrictEqual(rankingsOf(reportOf([])), []);
});

Deno.test("rankings call no tie what could only not be told apart", () => {
  const open = {
    ...pair("a", "b", 1, "requestsPerS"),
    confidenceInterval: { low: 0.8, high: 2.4, coverage: 0.95 },
  };
  deepStrictEqual(rankingsOf(reportOf([open])).map(({ isTie }) => isTie), [false]);
});

Deno.test("each follower has the interval of its factor, whichever server the pair names first", () => {
  const [rates] = rankingsOf(reportOf([pair("a", "b", 2, "requestsPerS")]));
  deepStrictEqual(rates?.others[0]?.confidenceInterval, { low: 1.98, high: 2.02, coverage: 0.95 });
  const [cpu] = rankingsOf(reportOf([pair("a", "b", 0.5, "serverCpuUs")]));
  deepStrictEqual(cpu?.others[0]?.confidenceInterval, { low: 1 / 0.505, high: 1 / 0.495 });
});

Deno.test("the server with the highest rate is named if another one needs least CPU", () => {
  const rounds = [1, 2, 3, 4, 5, 6];
  const ranked = reportOf([pair("a", "b", 0.5, "serverCpuUs")]);
  const rivalOf = (perS: number): Ranking["rival"] => {
    const results = ranked.results.map((result) => ({
      ...result,
      requestsPerS: estimate(result.variant === "a" ? 1000 : perS),
      serverCpuUs: estimate(result.variant === "a" ? 5 : 10),
    }));
    const trialResults = rounds.flatMap((round) => [
      windowOf("a", round, 1000, 5),
      windowOf("b", round, perS, 10),
    ]);
    return rankingsOf({ ...ranked, results, trialResults })[0]?.rival ?? null;
  };
  const rival = rivalOf(2000);
  deepStrictEqual([rival?.variant, rival?.leader, rival?.metric], ["b", "a", "requestsPerS"]);
  deepStrictEqual(rival?.factor.toFixed(2), "2.00");
  deepStrictEqual(rivalOf(900), null);
});

Deno.test("a server with a climbing rate is not drawn with the others, which keep their pairs", () => {
  const report = reportOf([pair("a", "b", 2, "requestsPerS")]);
  const climbing = { kind: "still-climbing", where: null, what: "windows", climbing: 5, of: 6 };
  const results = [
    ...report.results.map((result) => ({ ...result, requestsPerS: estimate(100) })),
    { ...report.results[0], variant: "c", climbing, rank: null, requestsPerS: estimate(900) },
  ] as Result[];
  deepStrictEqual(
    baselineRatiosOf({ ...report, results }).map(({ metric, base, items }) => [
      metric,
      base,
      items.map(({ result, ratio, confidenceInterval }) => [
        result.variant,
        ratio,
        confidenceInterval !== null,
      ]),
    ]),
    [["requestsPerS", "a", [["a", 1, false], ["b", 0.5, true]]]],
  );
});

Deno.test("CPU time in microseconds orders a group in which one server has no Rel. CPU", () => {
  const report = reportOf([]);
  const results = [["a", 12, 70], ["b", null, 15]].map(([variant, ratio, us]) => ({
    ...WORKLOAD,
    variant,
    status: "ok",
    rank: null,
    isLowerBound: true,
    bottleneck: { kind: "machine" },
    serverCpuUs: estimate(us as number),
    relativeCpu: ratio === null ? null : { ratio },
  })) as unknown as Result[];
  const order = inOrder(report, results).map((group) => group.map(({ variant }) => variant));
  deepStrictEqual(order, [["b", "a"]]);
});

Deno.test("results stand in one order: workers, rank, then the figure that ranks", () => {
  const report = reportOf([
    pair("a", "b", 1, "serverCpuUs"),
    pair("a", "c", 2, "serverCpuUs"),
    pair("b", "c", 2, "serverCpuUs"),
    pair("d", "e", 0.5, "serverCpuUs"),
  ], { d: 4, e: 4 });
  const cpu: Record<string, number> = { a: 5, b: 4, c: 2, d: 1, e: 2 };
  const results = report.results.map((result) => ({
    ...result,
    serverCpuUs: estimate(cpu[result.variant] ?? 0),
  }));
  const order = inOrder(report, results).map((group) =>
    group.map(({ variant }) => variant).join("")
  );
  deepStrictEqual(order, ["cbade"]);
});
