import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { BlockResult } from "../model/block.ts";
import { USUAL_GROUPS } from "../model/costs.ts";
import type { Change } from "../model/derived.ts";
import type { Design, Experiment } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { noise } from "../stats/stats_testdata.ts";
import { blockOf } from "./slices_testdata.ts";
import { compareVariants, unclearOf } from "./variant_changes.ts";

const DESIGN = { until: "verdict", rounds: 10, maxRounds: 20, failOn: null, costs: [] } as const;
const NO_NOISE = { noise: [], noiseSource: null };

function experimentOf(change: Partial<Design>): Experiment {
  const variants = ["base", "head"].map((id) => ({ id, server: id }));
  const scenarios = [{ id: "text" }];
  return { variants, scenarios, design: { ...DESIGN, ...change } } as unknown as Experiment;
}

/** Returns the blocks of rounds in which head needs these shares of base's CPU time. */
function blocksOf(ratios: readonly number[], scenario = "text"): BlockResult[] {
  return ratios.map((ratio, i) =>
    blockOf(i + 1, { base: {}, head: { cpuUs: 10 * ratio } }, { scenario })
  );
}

function unclear(blocks: readonly BlockResult[], change: Partial<Design> = {}): string[] {
  return unclearOf({ blocks }, experimentOf(change)).map(({ scenario }) => scenario);
}

/** Returns the verdict on CPU time, and the p-value before Holm's correction. */
function verdictOf(
  blocks: readonly BlockResult[],
  change: Partial<Design> = {},
): Change | undefined {
  const report = { results: [], trialResults: [], blocks, experiment: experimentOf(change) };
  const { changes } = compareVariants(report as unknown as Report, [["base", "head"]], NO_NOISE);
  return changes.find(({ metric }) => metric === "serverCpuUs");
}

const EQUAL = [0.99, 1.01, 0.995, 1.005, 0.992, 1.008, 0.998, 1.002, 0.991, 1.009];
const LITTLE = EQUAL.map((ratio) => ratio * 1.011);
const MUCH = EQUAL.map((ratio) => ratio * 1.03);

Deno.test("a change is unclear if its interval shows a direction, but proves nothing", () => {
  deepStrictEqual(unclear(blocksOf(EQUAL)), []);
  deepStrictEqual(unclear(blocksOf(LITTLE)), ["text"]);
  deepStrictEqual(unclear(blocksOf(MUCH)), [], "it is proven");
  deepStrictEqual(unclear([...blocksOf(LITTLE, "json"), ...blocksOf(EQUAL)]), ["json"]);
});

Deno.test("a change is unclear if the costs that follow would hide it at the end", () => {
  const all: Partial<Design> = { costs: USUAL_GROUPS };
  strictEqual(verdictOf(blocksOf(MUCH))?.verdict, "slower");
  deepStrictEqual(unclear(blocksOf(MUCH), all), ["text"]);
  const twice = [...MUCH, ...MUCH];
  deepStrictEqual(unclear(blocksOf(twice), all), [], "more rounds prove it among all");
});

Deno.test("with a gate, a change is unclear if its interval includes the threshold", () => {
  deepStrictEqual(unclear(blocksOf(LITTLE), { failOn: 0.05 }), [], "it is below");
  deepStrictEqual(unclear(blocksOf(MUCH), { failOn: 0.03 }), ["text"]);
  deepStrictEqual(unclear(blocksOf(MUCH), { failOn: 0.015 }), [], "it is above");
});

Deno.test("two tests share the 5 %, unless the design has one", () => {
  const [two, one] = [{}, { maxRounds: 10 }].map((change) => verdictOf(blocksOf(MUCH), change));
  deepStrictEqual((two?.pValue ?? 0) / (one?.pValue ?? 0), 2);
  const width = (change: typeof one): number => {
    const { low = 0, high = 0 } = change?.confidenceInterval ?? {};
    return high - low;
  };
  ok(width(two) > width(one));
});

Deno.test("in simulated runs, equal servers do not differ, and 2 % of CPU time are found", () => {
  const normal = noise(41);
  /** Measures as a run does: ten rounds, and ten more if that is unclear. */
  const run = (change: number): string | undefined => {
    // The scatter of blocks of 1 s at `text`
    const ratios = (): number[] =>
      Array.from({ length: 10 }, () => (1 + change) * Math.exp(0.0093 * normal()));
    const first = ratios();
    const isUnclear = unclear(blocksOf(first)).length > 0;
    return verdictOf(blocksOf(isUnclear ? [...first, ...ratios()] : first))?.verdict;
  };
  const found = (change: number, runs: number): number =>
    Array.from({ length: runs }, () => run(change)).filter((one) => one !== "same").length;
  ok(found(0, 200) <= 2, "of 200 equal servers");
  ok(found(0.02, 50) >= 47, "of 50 changes of 2 %");
  ok(found(0.01, 100) >= 15, "of 100 changes of 1 %");
});
