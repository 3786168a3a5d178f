import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { BlockResult } from "../model/block.ts";
import type { Change, Changes } from "../model/derived.ts";
import type { Design, Experiment } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { breachesOf, compareVariants, roundRatios } from "./variant_changes.ts";
import { isRegression } from "./changes.ts";
import { blockOf, type VariantFigures, windowOf } from "./slices_testdata.ts";

const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8];
const NO_NOISE = { noise: [], noiseSource: null };

/** Makes rounds in which head differs from base by the given figures and by a little noise. */
function blocksOf(head: VariantFigures, change: Parameters<typeof blockOf>[2] = {}): BlockResult[] {
  return ROUNDS.map((round) => {
    const little = 1 + round / 10_000;
    const { cpuUs = 10, latencyUs = 100 } = head;
    const own = { ...head, cpuUs: (cpuUs ?? 10) * little, latencyUs: latencyUs * little };
    return blockOf(round, { base: {}, head: own }, change);
  });
}

function changesOf(blocks: readonly BlockResult[], failOn: number | null = null): Changes {
  const experiment = { variants: [{ id: "base", server: "deno" }], design: { failOn } };
  const report = { results: [], trialResults: [], blocks, experiment } as unknown as Report;
  return compareVariants(report, [["base", "head"]], NO_NOISE);
}

function breaches(blocks: readonly BlockResult[], failOn: number | null): unknown[] {
  const design = { failOn } as Design;
  const experiment = {
    variants: [{ id: "base" }, { id: "head" }],
    design,
  } as unknown as Experiment;
  return breachesOf({ blocks }, experiment).map(({ scenario }) => scenario);
}

const brief = ({ changes }: Changes): unknown[] =>
  changes.map(({ metric, verdict, ratio }) => [metric, verdict, ratio?.toFixed(2)]);

Deno.test("slices tell of CPU time, rate and median latency, each with its verdict", () => {
  deepStrictEqual(brief(changesOf(blocksOf({ cpuUs: 10.2 }))), [
    ["serverCpuUs", "slower", "1.02"],
    ["requestsPerS", "same", "1.00"],
    ["p50Us", "same", "1.00"],
  ]);
  const [relativeCpu, rate] = changesOf(blocksOf({ cpuUs: 9, latencyUs: 125 })).changes;
  deepStrictEqual([relativeCpu?.verdict, rate?.verdict], ["faster", "slower"]);
  deepStrictEqual([relativeCpu?.base, relativeCpu?.method, rate?.base], [10, "slices", 100_000]);
});

Deno.test("what two folders of the same code may differ by is no change, however often it is found", () => {
  const verdicts = (head: VariantFigures): unknown[] =>
    changesOf(blocksOf(head)).changes.map(({ verdict }) => verdict);
  deepStrictEqual(verdicts({ cpuUs: 10.04, latencyUs: 100.8 }), ["same", "same", "same"]);
  deepStrictEqual(verdicts({ cpuUs: 10.06, latencyUs: 101.2 }), ["slower", "slower", "slower"]);
});

Deno.test("one scenario that became slower leaves the others alone", () => {
  const other = ROUNDS.map((round) => {
    const cpuUs = round % 2 === 0 ? 10.01 : 9.99;
    return blockOf(round, { base: {}, head: { cpuUs } }, { scenario: "json" });
  });
  const changes = changesOf([...blocksOf({ cpuUs: 12, latencyUs: 120 }), ...other]).changes;
  const verdictsOf = (scenario: string): string[] =>
    changes.filter((change) => change.scenario === scenario).map(({ verdict }) => verdict);
  deepStrictEqual(verdictsOf("text"), ["slower", "slower", "slower"]);
  deepStrictEqual(verdictsOf("json"), ["same", "same", "same"]);
});

Deno.test("what is wrong in slices cannot be compared, and is broken if it was fine in base", () => {
  const wrong: VariantFigures = { change: { wrongResponses: 3, wrongResponse: "no" } };
  const [change, ...others] = changesOf(blocksOf(wrong)).changes;
  deepStrictEqual(others, []);
  deepStrictEqual([change?.verdict, change?.isBroken], ["incomparable", true]);
  const reason = { kind: "wrong-responses", count: 3, example: "no" };
  deepStrictEqual(change?.reasons, [{ kind: "not-ok", where: "head", status: "invalid", reason }]);
});

Deno.test("a breach of the gate is what slices prove to be beyond it", () => {
  const slow = blocksOf({ cpuUs: 12 });
  deepStrictEqual(breaches(slow, 0.05), ["text"]);
  deepStrictEqual(breaches(slow, 0.3), []);
  deepStrictEqual(breaches(slow, null), []);
});

Deno.test("a breach that fresh rounds do not find again fails no gate", () => {
  const slow = blocksOf({ cpuUs: 12 });
  const again = (cpuUs: number): BlockResult[] => blocksOf({ cpuUs }, { purpose: "confirm" });
  const relativeCpu = (blocks: readonly BlockResult[]): Change | undefined =>
    changesOf(blocks, 0.05).changes[0];
  const judged = (blocks: readonly BlockResult[]): unknown[] => {
    const change = relativeCpu(blocks);
    return [change?.isConfirmed, change !== undefined && isRegression(change, 0.05)];
  };
  deepStrictEqual(judged(slow), [null, true], "not looked at again");
  deepStrictEqual(judged([...slow, ...again(12)]), [true, true]);
  deepStrictEqual(judged([...slow, ...again(10)]), [false, false]);
  const interrupted = again(10).slice(0, 3);
  deepStrictEqual(judged([...slow, ...interrupted]), [null, true], "too few rounds refute nothing");
  const { changes: [, ...others] } = changesOf([...slow, ...again(12)], 0.05);
  ok(others.every(({ isConfirmed }) => isConfirmed === null), "they were not beyond it at first");
  strictEqual(
    relativeCpu([...slow, ...again(10)])?.ratio?.toFixed(2),
    "1.20",
    "they count for nothing else",
  );
});

Deno.test("each change has a ratio for each of its rounds, by slices or by windows", () => {
  const blocks = blocksOf({ cpuUs: 12 });
  const experiment = { variants: [{ id: "base" }, { id: "head" }] };
  const [change] = changesOf(blocks).changes;
  const report = { trialResults: [], blocks, experiment } as unknown as Report;
  deepStrictEqual(
    roundRatios(report, change as Change).map((ratio) => ratio.toFixed(2)),
    ROUNDS.map(() => "1.20"),
  );
  const trialResults = [
    windowOf("base", 1, 1000),
    windowOf("head", 1, 900),
    windowOf("base", 2, 1000),
    windowOf("head", 3, 1000),
  ];
  const byWindows = { ...change as Change, method: "windows", metric: "requestsPerS" } as const;
  deepStrictEqual(roundRatios({ ...report, trialResults, blocks: [] }, byWindows), [0.9]);
});

Deno.test("a change is not compared if its servers were still moving by more than that", () => {
  const moving = (cpuUs: (pass: number) => number): unknown[] => {
    const passes = Array.from({ length: 20 }, (_, i) => i);
    const each = (value: number): number[] => passes.map(() => value);
    const change = { responses: each(100), busyUs: each(10_000), p50Us: each(100) };
    return changesOf(ROUNDS.map((round) =>
      blockOf(round, {
        base: { change: { ...change, cpuUs: each(1000) } },
        head: {
          change: { ...change, cpuUs: passes.map((i) => 100 * cpuUs(i) * (1 + round / 10_000)) },
        },
      })
    )).changes.map(({ metric, verdict, reasons: [reason] }) => [metric, verdict, reason?.kind]);
  };
  deepStrictEqual(moving((i) => 10 + 3 * (1 - i / 19)), [
    ["requestsPerS", "incomparable", "still-climbing"],
  ]);
  deepStrictEqual(moving((i) => 250 + 75 * (1 - i / 19))[0], ["serverCpuUs", "slower", undefined]);
});

Deno.test("the side that failed is named, and not the one that had no other side to run with", () => {
  for (const variant of ["base", "head"]) {
    const failures = [{ variant, kind: "start", message: "it ended" }] as const;
    const blocks = ROUNDS.map((round) => blockOf(round, {}, { failures }));
    const [change] = changesOf(blocks).changes;
    const reason = { kind: "message", text: "it ended" };
    deepStrictEqual(change?.reasons, [
      { kind: "not-ok", where: variant, status: "failed", reason },
    ]);
    strictEqual(change?.isBroken, variant === "head");
  }
});
