import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { BlockResult } from "../model/block.ts";
import type { Metric } from "../model/figures.ts";
import { blockRatios, isSliced, slicesFigure, slicesProblem, slicesRatio } from "./slice_ratios.ts";
import { blockOf, type VariantFigures } from "./slices_testdata.ts";

const WORKLOAD = { scenario: "text", connections: 10, perS: null };
const ROUNDS = [1, 2, 3, 4, 5, 6];
const pair = (metric: Metric) => ({ ...WORKLOAD, a: "b", b: "a", metric }) as const;
const ratios = (blocks: readonly BlockResult[], metric: Metric): string[] =>
  blockRatios(blocks, pair(metric)).map((ratio) => ratio.toFixed(6));

Deno.test("a block's ratio is that of one variant's figure to the other's, of each figure its own", () => {
  const block = blockOf(1, { a: { cpuUs: 10, latencyUs: 100 }, b: { cpuUs: 11, latencyUs: 125 } });
  deepStrictEqual(ratios([block], "serverCpuUs"), ["1.100000"]);
  deepStrictEqual(ratios([block], "requestsPerS"), ["0.800000"], "by Little's law");
  deepStrictEqual(ratios([block], "p50Us"), ["1.250000"]);
});

Deno.test("a slice that was disturbed changes no block", () => {
  const cpuUs = [1000, 1000, 9000, 1000];
  const block = blockOf(1, { a: {}, b: { change: { cpuUs } } });
  deepStrictEqual(ratios([block], "serverCpuUs"), ["1.000000"]);
});

Deno.test("variants with a slice without a response, and figures that are not known, are left out", () => {
  const silent = {
    responses: [100, 0, 100, 100],
    busyUs: [1e4, 0, 1e4, 1e4],
    p50Us: [100, 0, 9, 9],
  };
  const block = blockOf(1, { a: {}, b: { change: silent } });
  deepStrictEqual(ratios([block], "requestsPerS"), []);
  deepStrictEqual(ratios([blockOf(1, { a: {}, b: { cpuUs: null } })], "serverCpuUs"), []);
});

Deno.test("over the rounds, blocks are what is repeated: six have an interval", () => {
  const shown = (round: number): Record<string, VariantFigures> => ({
    a: {},
    b: { cpuUs: 10 * (1.02 + round / 10_000) },
  });
  const blocks = ROUNDS.map((round) => blockOf(round, shown(round)));
  const ratio = slicesRatio(blocks, pair("serverCpuUs"));
  deepStrictEqual([ratio?.rounds, ratio?.estimate.toFixed(4)], [6, "1.0203"]);
  deepStrictEqual(
    [ratio?.confidenceInterval?.low.toFixed(4), ratio?.confidenceInterval?.high.toFixed(4)],
    ["1.0201", "1.0206"],
  );
  strictEqual(slicesRatio(blocks.slice(0, 5), pair("serverCpuUs"))?.confidenceInterval, null);
  strictEqual(slicesRatio([], pair("serverCpuUs")), null);
});

Deno.test("blocks of other workloads, of other purposes and without one of the variants do not count", () => {
  const blocks = [
    blockOf(1, { a: {}, b: {} }),
    blockOf(1, { a: {}, b: {} }, { scenario: "json" }),
    blockOf(1, { a: {}, b: {} }, { connections: 20 }),
    blockOf(2, { a: {}, b: {} }, { purpose: "confirm" }),
    blockOf(3, { a: {}, c: {} }),
    blockOf(4, {}),
  ];
  strictEqual(ratios(blocks, "serverCpuUs").length, 1);
  strictEqual(slicesRatio(blocks, pair("serverCpuUs"), 0.95, "confirm")?.rounds, 1);
  strictEqual(isSliced(blocks, { scenario: "json", connections: 10, perS: null }), true);
  strictEqual(isSliced(blocks, { scenario: "sql1", connections: 10, perS: null }), false);
});

Deno.test("a variant's own figure is the median of its blocks", () => {
  const blocks = [10, 12, 50].map((cpuUs, i) => blockOf(i + 1, { a: { cpuUs, latencyUs: 200 } }));
  strictEqual(slicesFigure(blocks, { ...WORKLOAD, variant: "a" }, "serverCpuUs"), 12);
  strictEqual(slicesFigure(blocks, { ...WORKLOAD, variant: "a" }, "requestsPerS"), 50_000);
  strictEqual(slicesFigure(blocks, { ...WORKLOAD, variant: "b" }, "requestsPerS"), null);
});

Deno.test("one wrong response makes a variant's slices worthless, as does much that failed", () => {
  const problem = (shown: VariantFigures): unknown =>
    slicesProblem([blockOf(1, { a: {} }), blockOf(2, { a: shown })], { ...WORKLOAD, variant: "a" });
  strictEqual(problem({}), null);
  deepStrictEqual(problem({ change: { wrongResponses: 1, wrongResponse: "no" } }), {
    status: "invalid",
    reason: { kind: "wrong-responses", count: 1, example: "no" },
  });
  for (const change of [{ statuses: {} }, { responses: [100, 100, 0, 100] }]) {
    deepStrictEqual(problem({ change }), { status: "invalid", reason: { kind: "no-response" } });
  }
  const statuses = { "200": 980, "503": 20 };
  deepStrictEqual(problem({ change: { statuses } }), {
    status: "invalid",
    reason: {
      kind: "requests-failed",
      share: 0.02,
      statuses: { "503": 20 },
      transportErrors: 0,
      timeouts: 0,
      probeErrors: 0,
      probeError: null,
    },
  });
  strictEqual(problem({ change: { timeouts: 0, transportErrors: 0 } }), null);
});

Deno.test("a variant that was wrong before the load is invalid; one that never ran has failed", () => {
  const failed = (kind: "start" | "verification") => (round: number): BlockResult =>
    blockOf(round, {}, { failures: [{ variant: "a", kind, message: "it hung" }] });
  const reason = { kind: "message", text: "it hung" };
  const key = { ...WORKLOAD, variant: "a" };
  const fine = blockOf(1, { a: {} });
  deepStrictEqual(slicesProblem([fine, failed("verification")(2)], key), {
    status: "invalid",
    reason,
  });
  deepStrictEqual(slicesProblem([failed("start")(1)], key), { status: "failed", reason });
  strictEqual(slicesProblem([fine, failed("start")(2)], key), null, "other rounds stand");
  deepStrictEqual(slicesProblem([], key), { status: "failed", reason: null });
});
