import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { blockOf } from "../analysis/slices_testdata.ts";
import type { Plan } from "../model/events.ts";
import type { Design, LoadPlan, Trial } from "../model/experiment.ts";
import type { TrialFailure, TrialResult } from "../model/raw.ts";
import type { Scenario } from "../model/scenario.ts";
import { experimentOf, variantOf } from "./experiment_testdata.ts";
import { lastRoundOf, type Measurements, partsOf, resume } from "./parts.ts";
import { Planner } from "./planner.ts";

const SCENARIOS = ["text", "json"].map((id) => ({ id, cycle: null, connections: 10 }) as Scenario);
const SERVERS = ["a", "b"].map((id) => variantOf(id, SCENARIOS));
const SLICES = { durationS: 1, sliceMs: 10, responses: 50 };

function planOf(rounds: number, change: Partial<LoadPlan & Design> = { slices: SLICES }): Plan {
  return new Planner(experimentOf(SERVERS, SCENARIOS, { ...change, rounds })).firstRounds();
}

function windowOf(trial: Trial, failure: TrialFailure | null = null): TrialResult {
  return { trial, startedAt: "2026-01-01T00:00:00.000Z", window: null, failure };
}

/** Returns the measurements of a whole plan. */
function measured({ trials, blocks }: Plan): Measurements {
  return {
    trialResults: trials.map((trial) => windowOf(trial)),
    blocks: blocks.map((block) => blockOf(block.round, { a: {}, b: {} }, block)),
  };
}

function namesOf({ trials, blocks }: Plan): string[] {
  return [
    ...trials.map(({ round, scenario, variant }) => `${round} ${scenario} ${variant}`),
    ...blocks.map(({ round, scenario }) => `${round} ${scenario} slices`),
  ].sort();
}

function keptOf({ trialResults, blocks }: Measurements): string[] {
  return namesOf({
    trials: trialResults.map(({ trial }) => trial),
    blocks: blocks.map(({ block }) => block),
  });
}

Deno.test("a plan has a part for each round or, with fresh processes, for each scenario of a round", () => {
  const plan = planOf(2);
  deepStrictEqual(partsOf(plan, false).map((part) => part.trials.length), [4, 4]);
  const parts = partsOf(plan, true);
  deepStrictEqual(parts.map(({ trials }) => trials[0]?.round), [1, 1, 2, 2]);
  for (const { trials, blocks } of parts) {
    strictEqual(new Set([...trials, ...blocks].map(({ scenario }) => scenario)).size, 1);
    deepStrictEqual([trials.length, blocks.length], [2, 1]);
  }
});

Deno.test("a resumed run measures the rounds that its report lacks", () => {
  const { left, kept } = resume(planOf(3), measured(planOf(2)), true);
  deepStrictEqual(kept, measured(planOf(2)));
  deepStrictEqual(namesOf(left), [
    "3 json a",
    "3 json b",
    "3 json slices",
    "3 text a",
    "3 text b",
    "3 text slices",
  ]);
  deepStrictEqual(resume(planOf(2), measured(planOf(2)), true).left, { trials: [], blocks: [] });
});

Deno.test("a resumed run measures an incomplete part again, and drops what it had", () => {
  const { trialResults, blocks } = measured(planOf(2));
  const last = trialResults.at(-1)?.trial.scenario;
  const other = last === "text" ? "json" : "text";
  // Interrupted in round 2, after the windows of its last scenario
  const earlier = {
    trialResults,
    blocks: blocks.filter(({ block }) => block.round === 1 || block.scenario === other),
  };
  const { left, kept } = resume(planOf(2), earlier, true);
  deepStrictEqual(namesOf(left), [`2 ${last} a`, `2 ${last} b`, `2 ${last} slices`]);
  deepStrictEqual(keptOf(kept), [
    "1 json a",
    "1 json b",
    "1 json slices",
    "1 text a",
    "1 text b",
    "1 text slices",
    `2 ${other} a`,
    `2 ${other} b`,
    `2 ${other} slices`,
  ]);
  // Processes that last for a round are started again for all of it
  strictEqual(resume(planOf(2), earlier, false).left.trials.length, 4);
});

Deno.test("a resumed run keeps rounds after the planned ones, scale tests and confirmations", () => {
  const plan = planOf(2);
  const earlier = measured(planOf(3));
  const scale = windowOf({ ...plan.trials[0] as Trial, purpose: "scale", round: 4 });
  const confirmed = blockOf(5, { a: {}, b: {} }, { purpose: "confirm" });
  const all = {
    trialResults: [...earlier.trialResults, scale],
    blocks: [...earlier.blocks, confirmed],
  };
  const { left, kept } = resume(plan, all, true);
  deepStrictEqual([left.trials.length, left.blocks.length], [0, 0]);
  deepStrictEqual(kept, all);
  strictEqual(lastRoundOf(kept), 5);
  strictEqual(lastRoundOf({ trialResults: [], blocks: [] }), 0);
});

Deno.test("a resumed run tries a server that gave wrong responses only in new rounds", () => {
  const wrong = { kind: "verification", message: "wrong", output: null } as const;
  const plan = planOf(2, {});
  const isWrong = ({ variant, scenario }: Trial): boolean => variant === "b" && scenario === "json";
  const trialResults = plan.trials.flatMap((trial) => {
    if (!isWrong(trial)) return windowOf(trial);
    return trial.round === 1 ? windowOf(trial, wrong) : [];
  });
  const earlier = { trialResults, blocks: [] };
  deepStrictEqual(namesOf(resume(plan, earlier, true).left), []);
  deepStrictEqual(namesOf(resume(planOf(3, {}), earlier, true).left), [
    "3 json a",
    "3 json b",
    "3 text a",
    "3 text b",
  ]);
});

Deno.test("a run cannot be resumed with another load generator", () => {
  const plan = planOf(2);
  const trials = plan.trials.map((trial) => ({ ...trial, generator: "wrk" }));
  throws(() => resume(plan, measured({ ...plan, trials }), true), {
    name: "UsageError",
    message:
      /^Cannot resume the run: wrk drove (text|json) at [ab], and autocannon would now: add --generator wrk$/,
  });
});
