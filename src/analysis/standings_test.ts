import { deepStrictEqual } from "node:assert/strict";
import type { Cell, Comparison } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { rank } from "./comparisons.ts";
import { type Standing, standingsOf } from "./standings.ts";

const TASK = { scenario: "text", connections: 10, perS: null };

/** A pair in which a is so many times as fast as b; proven unless it is 1. */
function pair(a: string, b: string, ratio: number, metric: Comparison["metric"]): Comparison {
  const better = ratio === 1 ? null : (ratio > 1) === (metric === "requestsPerS") ? a : b;
  const interval = { low: ratio * 0.99, high: ratio * 1.01, coverage: 0.95 };
  return { ...TASK, a, b, metric, method: "slices", rounds: 6, ratio, interval, pValue: 0, better };
}

/** A report of these pairs, of servers with one worker unless it says another number. */
function reportOf(comparisons: Comparison[], workers: Record<string, number> = {}): Report {
  const ids = [...new Set(comparisons.flatMap(({ a, b }) => [a, b]))];
  const cells = ids.map((arm) => ({ ...TASK, arm, status: "ok", rank: null }) as unknown as Cell);
  const leagues = new Map(ids.map((id) => [id, workers[id] ?? 1]));
  return {
    cells: rank(cells, comparisons, leagues),
    comparisons,
    servers: ids.map((id) => ({ id, workers: workers[id] ?? 1 })),
    experiment: { arms: ids.map((id) => ({ id, server: "another" })) },
  } as unknown as Report;
}

const brief = ({ leaders, others, metric, workers, isTie }: Standing): unknown => ({
  leaders,
  isTie,
  others: others.map(({ arm, behind, factor }) => [arm, behind, factor.toFixed(2)]),
  metric,
  workers,
});

Deno.test("standings have who is proven worse than none first, and the others by how much worse", () => {
  const rates = standingsOf(reportOf([
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
  const cpu = standingsOf(reportOf([pair("deno", "node", 0.5, "serverCpuUs")]));
  deepStrictEqual(cpu.map(brief), [{
    leaders: ["deno"],
    isTie: true,
    others: [["node", ["deno"], "2.00"]],
    metric: "serverCpuUs",
    workers: 1,
  }]);
});

Deno.test("standings name the leaders that a server is proven behind, where it is not all", () => {
  const [standing] = standingsOf(reportOf([
    pair("bun", "deno", 1, "requestsPerS"),
    pair("bun", "node", 1.1, "requestsPerS"),
    pair("deno", "node", 1, "requestsPerS"),
  ]));
  deepStrictEqual(standing && brief(standing), {
    leaders: ["bun", "deno"],
    isTie: true,
    others: [["node", ["bun"], "1.10"]],
    metric: "requestsPerS",
    workers: 1,
  });
});

Deno.test("standings are within a league, and there is none of one server alone", () => {
  const pairs = [
    pair("a", "b", 2, "requestsPerS"),
    pair("a", "c", 1, "requestsPerS"),
    pair("b", "c", 0.5, "requestsPerS"),
  ];
  const standings = standingsOf(reportOf(pairs, { c: 4 }));
  deepStrictEqual(standings.map(({ leaders, workers, isLeague }) => [leaders, workers, isLeague]), [
    [["a"], 1, true],
  ]);
  deepStrictEqual(standingsOf(reportOf([])), []);
});

Deno.test("standings call no tie what could only not be told apart", () => {
  const open = {
    ...pair("a", "b", 1, "requestsPerS"),
    interval: { low: 0.8, high: 2.4, coverage: 0.95 },
  };
  deepStrictEqual(standingsOf(reportOf([open])).map(({ isTie }) => isTie), [false]);
});
