import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { blockOf } from "../analysis/slices_testdata.ts";
import { Planner } from "../experiment/planner.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { BlockResult } from "../model/block.ts";
import type { ResultKey } from "../model/derived.ts";
import type { Design } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import { runAdaptiveRounds } from "./rounds.ts";
import type { Recorder } from "./recorder.ts";

function keyOf(scenario: string): ResultKey {
  return { variant: "head", scenario, connections: 10, perS: null };
}

/** Runs adaptive rounds with slices only. The CPU time of head depends on the round. */
async function sliced(
  headUs: (round: number) => number,
  change: Partial<Design> = {},
  { breaches = [], unclear = [] }: Partial<
    Readonly<Record<"breaches" | "unclear", readonly string[]>>
  > = {},
): Promise<string[]> {
  const scenarios = ["x", "y"].map((id) => ({ id, cycle: null }) as Scenario);
  const variants = ["base", "head"].map((id) => variantOf(id, scenarios));
  const experiment = experimentOf(variants, scenarios, {
    rounds: 6,
    maxRounds: 8,
    budgetS: 3600,
    ratiosOnly: true,
    slices: { durationS: 1, sliceMs: 10, responses: 50 },
    ...change,
  });
  const planner = new Planner(experiment);
  const blocks: BlockResult[] = [];
  const log: string[] = [];
  const first = planner.firstRounds();
  await runAdaptiveRounds({
    planner,
    first,
    left: first,
    experiment,
    nowMs: () => performance.now(),
    recorder: { trialResults: [], blocks, results: () => [] } as Partial<Recorder> as Recorder,
    breaches: () => breaches.map(keyOf),
    unclear: () => unclear.map(keyOf),
    canScale: true,
    measure: (plan) => {
      strictEqual(plan.trials.length, 0);
      const names = plan.blocks.map(({ round, scenario, purpose }) =>
        `${round}${scenario}${purpose === "confirm" ? "!" : ""}`
      );
      log.push(blocks.length === 0 ? "first" : names.sort().join(" "));
      blocks.push(...plan.blocks.map((block) => {
        const cpuUs = block.scenario === "x" ? headUs(block.round) : 10;
        return blockOf(block.round, { base: {}, head: { cpuUs } }, block);
      }));
      return Promise.resolve();
    },
    emit: (event) => {
      if (event.kind === "more") log.push(`${event.plan.blocks.length} more: ${event.why.kind}`);
      return Promise.resolve();
    },
  });
  return log;
}

Deno.test("rounds of slices are added where a ratio is wide, and there alone", async () => {
  deepStrictEqual(await sliced(() => 12), ["first"]);
  deepStrictEqual(await sliced((round) => round % 2 === 0 ? 10.5 : 9.5), [
    "first",
    "1 more: width",
    "7x",
    "1 more: width",
    "8x",
  ]);
});

Deno.test("what a gate would fail on is measured again, as often as at first", async () => {
  const log = await sliced(() => 12, { rounds: 6, maxRounds: 6, failOn: 0.05 }, {
    breaches: ["x"],
  });
  deepStrictEqual(log.filter((line) => !line.includes("more")), [
    "first",
    ...[7, 8, 9, 10, 11, 12].map((round) => `${round}x!`),
  ]);
  strictEqual(log[1], "1 more: confirm");
  const few = await sliced(() => 12, { rounds: 2, maxRounds: 2, failOn: 0.05 }, {
    breaches: ["x"],
  });
  strictEqual(few.filter((line) => line.endsWith("x!")).length, 6, "fewer have no interval");
});

Deno.test("rounds are added once if a change is unclear, up to the maximum or within a budget", async () => {
  const until = { until: "verdict", rounds: 6, maxRounds: 8 } as const;
  deepStrictEqual(await sliced(() => 12, until, { unclear: ["y"] }), [
    "first",
    "2 more: verdict",
    "7y 8y",
  ]);
  const scattered = (round: number): number => round % 2 === 0 ? 10.5 : 9.5;
  deepStrictEqual(await sliced(scattered, until), ["first"], "a wide interval adds none");
  const usual = { ...until, budgetS: null, budgetShare: 1 };
  const [, more] = await sliced(() => 12, usual, { unclear: ["x", "y"] });
  strictEqual(more, "4 more: verdict", "all of them fit without a budget");
  const little = { ...until, budgetS: 1 };
  deepStrictEqual(await sliced(() => 12, little, { unclear: ["y"] }), ["first"], "no time");
});
