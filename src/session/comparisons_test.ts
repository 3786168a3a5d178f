import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Cell, Comparison } from "../findings.ts";
import { absent } from "../load/witness.ts";
import type { TrialResult } from "../model.ts";
import { compareServers, noiseOf, rank } from "./comparisons.ts";

const ROUNDS = [1, 2, 3, 4, 5, 6];

/** One window of a server that makes so many answers a second, at a cost for each. */
function result(
  target: string,
  round: number,
  perS: number,
  cpuUs: number | null = 10,
  purpose = "measure",
): TrialResult {
  const server = cpuUs === null ? null : { userUs: cpuUs * perS, systemUs: 0 };
  return {
    trial: { target, scenario: "text", round, purpose },
    window: {
      measurement: { durationS: 1, statuses: { "200": perS } },
      usage: { durationS: 1, server },
      witness: absent("there is none"),
    },
  } as unknown as TrialResult;
}

const rounds = (target: string, perS: number, cpuUs: number | null = 10): TrialResult[] =>
  ROUNDS.map((round) => result(target, round, perS, cpuUs));

function cell(target: string, change: Partial<Cell> = {}): Cell {
  const cell = { scenario: "text", status: "ok", isLowerBound: false, serverCpuUs: {}, rank: null };
  return { target, ...cell, ...change } as Cell;
}

/** What a list of comparisons says, in short. */
const brief = (comparisons: readonly Comparison[]): unknown[] =>
  comparisons.map(({ a, b, metric, ratio }) => [a, b, metric, Number(ratio.toFixed(6))]);

Deno.test("compareServers compares every pair by the rate", () => {
  const results = [...rounds("a", 100), ...rounds("b", 200), ...rounds("c", 400)];
  const comparisons = compareServers(results, [cell("a"), cell("b"), cell("c")]);
  deepStrictEqual(brief(comparisons), [
    ["a", "b", "requestsPerS", 0.5],
    ["a", "c", "requestsPerS", 0.25],
    ["b", "c", "requestsPerS", 0.5],
  ]);
});

Deno.test("compareServers compares all by their cost if one rate is a lower bound", () => {
  const results = [...rounds("a", 100, 10), ...rounds("b", 100, 20), ...rounds("c", 100, 5)];
  const cells = [cell("a"), cell("b", { isLowerBound: true }), cell("c")];
  deepStrictEqual(brief(compareServers(results, cells)), [
    ["a", "b", "serverCpuUs", 0.5],
    ["a", "c", "serverCpuUs", 2],
    ["b", "c", "serverCpuUs", 4],
  ]);
  const dear = [cell("a"), cell("b", { isLowerBound: true, serverCpuUs: null })];
  deepStrictEqual(brief(compareServers(results, dear)), [["a", "b", "requestsPerS", 1]]);
});

Deno.test("compareServers pairs only rounds that both have, by their numbers", () => {
  // What disturbs a round disturbs both: paired, the ratio is the same in each
  const disturbed = (target: string, rate: number, own: number[]): TrialResult[] =>
    own.map((round) => result(target, round, rate * round));
  const results = [
    ...disturbed("a", 200, [7, 1, 2, 3, 4, 5, 6]),
    ...disturbed("b", 100, [6, 5, 4, 3, 2, 1, 9]),
    { ...result("b", 7, 1), window: null },
    result("b", 7, 1, 10, "scale"),
  ];
  const [pair] = compareServers(results, [cell("a"), cell("b")]);
  deepStrictEqual([pair?.rounds, pair?.ratio.toFixed(9)], [6, "2.000000000"]);
  strictEqual(pair?.interval?.low, pair?.interval?.high);
  const none = [...rounds("a", 5), ...rounds("b", 0)];
  deepStrictEqual(compareServers(none, [cell("a"), cell("b")]), [], "no ratio to nothing");
});

Deno.test("compareServers leaves out cells without a rate, and other scenarios", () => {
  const results = [...rounds("a", 100), ...rounds("b", 200), ...rounds("c", 300)];
  const cells = [cell("a"), cell("b", { status: "invalid" }), cell("c", { scenario: "json" })];
  deepStrictEqual(compareServers(results, cells), []);
});

/** A comparison whose interval lies below 1, above it, or around it. */
function pair(
  a: string,
  b: string,
  side: -1 | 0 | 1,
  change: Partial<Comparison> = {},
): Comparison {
  const interval = { low: side > 0 ? 1.01 : 0.9, high: side < 0 ? 0.99 : 1.1, coverage: 0.97 };
  return {
    ...{ scenario: "text", a, b, metric: "requestsPerS", rounds: 6, ratio: 1, interval, pValue: 1 },
    ...change,
  };
}

const ranks = (cells: Cell[], ...comparisons: Comparison[]): (number | null)[] =>
  rank(cells, comparisons).map(({ rank }) => rank);

Deno.test("rank is one more than those who are proven better, so that ties share it", () => {
  const cells = [cell("a"), cell("b"), cell("c")];
  const of = (...sides: (-1 | 0 | 1)[]): unknown =>
    ranks(cells, ...sides.map((side, i) => pair(i < 2 ? "a" : "b", i < 1 ? "b" : "c", side)));
  deepStrictEqual([of(0, 1, 1), of(-1, -1, 0), of(0, 0, 0)], [[1, 1, 3], [3, 1, 1], [1, 1, 1]]);
  deepStrictEqual(ranks(cells, pair("a", "c", 1, { interval: null })), [null, null, null]);
  for (const [low, high] of [[1, 1.2], [0.8, 1]] as const) {
    const touching = { interval: { low, high, coverage: 0.97 } };
    deepStrictEqual(ranks([cell("a"), cell("b")], pair("a", "b", 0, touching)), [1, 1]);
  }
});

Deno.test("rank takes a lower cost for better", () => {
  const cells = [cell("a"), cell("b")];
  deepStrictEqual(ranks(cells, pair("a", "b", -1, { metric: "serverCpuUs" })), [1, 2]);
  deepStrictEqual(ranks(cells, pair("a", "b", 1, { metric: "serverCpuUs" })), [2, 1]);
});

Deno.test("rank leaves out who was compared with nobody, or at another scenario", () => {
  const cells = [cell("a"), cell("b"), cell("c", { status: "invalid" }), cell("d")];
  const elsewhere = pair("b", "d", 1, { scenario: "json" });
  deepStrictEqual(ranks(cells, pair("a", "b", 1), elsewhere), [1, 2, null, null]);
});

Deno.test("noiseOf says how far the interval of both figures reaches from 1", () => {
  const factors = [0.95, 1.1, 1, 1.02, 0.97, 1.01];
  const results = ROUNDS.flatMap((round, i) => [
    result("a", round, 1000 * (factors[i] ?? 0), null),
    result("a-again", round, 1000, null),
  ]);
  const cells = [cell("a"), cell("a-again")];
  const [noise] = noiseOf(results, cells, ["a", "a-again"]);
  deepStrictEqual([noise?.target, noise?.scenario, noise?.serverCpuUs], ["a", "text", null]);
  strictEqual(noise?.requestsPerS?.floor?.toFixed(9), "0.100000000");
  const [turned] = noiseOf(results, cells, ["a-again", "a"]);
  strictEqual(turned?.requestsPerS?.floor?.toFixed(9), (1 - 1 / 1.1).toFixed(9));
});

Deno.test("noiseOf has no floor without an interval, and nothing of an invalid twin", () => {
  const results = [result("a", 1, 100), result("b", 1, 50)];
  const [noise] = noiseOf(results, [cell("a"), cell("b")], ["a", "b"]);
  deepStrictEqual(noise?.requestsPerS, { rounds: 1, ratio: 2, interval: null, floor: null });
  strictEqual(noise?.serverCpuUs?.ratio, 1);
  for (const invalid of ["a", "b"]) {
    const cells = ["a", "b"].map((id) => cell(id, id === invalid ? { status: "invalid" } : {}));
    deepStrictEqual(noiseOf(results, cells, ["a", "b"]), [], invalid);
  }
});
