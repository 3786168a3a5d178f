import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { blockOf } from "../analysis/slices_testdata.ts";
import type { Plan } from "../model/events.ts";
import type { Design, LoadPlan, Trial } from "../model/experiment.ts";
import type { TrialFailure, TrialResult } from "../model/raw.ts";
import type { Scenario } from "../model/scenario.ts";
import { experimentOf, variantOf } from "./experiment_testdata.ts";
import { driverOf, type Earlier, lastRoundOf, partsOf, resume, roundsIn } from "./parts.ts";
import { Planner } from "./planner.ts";

const SCENARIOS = ["text", "json"].map((id) => ({ id, cycle: null, connections: 10 }) as Scenario);
const SERVERS = ["a", "b"].map((id) => variantOf(id, SCENARIOS));
const SLICES = { durationS: 1, sliceMs: 10, responses: 50 };

function planOf(rounds: number, change: Partial<LoadPlan & Design> = { slices: SLICES }): Plan {
  return new Planner(experimentOf(SERVERS, SCENARIOS, { ...change, rounds })).firstRounds();
}

/** The measurements of round 3, as `namesOf` names them. */
const ROUND_3 = ["json", "text"].flatMap((scenario) =>
  ["a", "b", "slices"].map((what) => `3 ${scenario} ${what}`)
);

/** Returns the part of a report that has these measurements of three planned rounds. */
function earlierWith(
  { trialResults, blocks }: Pick<Earlier, "trialResults" | "blocks">,
  design: Partial<Design> = {},
): Earlier {
  const experiment = { design: { rounds: 3, ...design } } as Earlier["experiment"];
  return { trialResults, blocks, complete: true, experiment };
}

function windowOf(trial: Trial, failure: TrialFailure | null = null): TrialResult {
  return { trial, startedAt: "2026-01-01T00:00:00.000Z", window: null, failure };
}

/** Returns the measurements of a whole plan. */
function measured({ trials, blocks }: Plan): Earlier {
  return earlierWith({
    trialResults: trials.map((trial) => windowOf(trial)),
    blocks: blocks.map((block) => blockOf(block.round, { a: {}, b: {} }, block)),
  });
}

function namesOf({ trials, blocks }: Plan): string[] {
  return [
    ...trials.map(({ round, scenario, variant }) => `${round} ${scenario} ${variant}`),
    ...blocks.map(({ round, scenario }) => `${round} ${scenario} slices`),
  ].sort();
}

function keptOf({ trialResults, blocks }: Pick<Earlier, "trialResults" | "blocks">): string[] {
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
  const { trialResults, blocks } = measured(planOf(2));
  deepStrictEqual(kept, { trialResults, blocks });
  deepStrictEqual(namesOf(left), ROUND_3);
});

Deno.test("nothing is left of a complete run, unless it may add rounds", () => {
  const whole = measured(planOf(2));
  throws(() => resume(planOf(2), whole, true), {
    name: "UsageError",
    message: "Cannot resume the run: it already has 2 rounds; ask for more with --rounds",
  });
  const nothing = { trials: [], blocks: [] };
  deepStrictEqual(resume(planOf(2), { ...whole, complete: false }, true).left, nothing);
  deepStrictEqual(resume(planOf(2), whole, true, true).left, nothing);
});

Deno.test("a resumed run measures an incomplete part again, and drops what it had", () => {
  const { trialResults, blocks } = measured(planOf(2));
  const last = trialResults.at(-1)?.trial.scenario;
  const other = last === "text" ? "json" : "text";
  // Interrupted in round 2, after the windows of its last scenario
  const earlier = earlierWith({
    trialResults,
    blocks: blocks.filter(({ block }) => block.round === 1 || block.scenario === other),
  });
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
  const { trialResults, blocks } = measured(planOf(3));
  const scale = windowOf({ ...plan.trials[0] as Trial, purpose: "scale", round: 4 });
  const confirmed = blockOf(5, { a: {}, b: {} }, { purpose: "confirm" });
  const test = Array.from({ length: 6 }, () => scale);
  const all = { trialResults: [...trialResults, ...test], blocks: [...blocks, confirmed] };
  const of = (trialResults: Earlier["trialResults"]) =>
    resume(plan, { ...earlierWith({ ...all, trialResults }), complete: false }, true);
  const { left, kept } = of(all.trialResults);
  deepStrictEqual([left.trials.length, left.blocks.length], [0, 0]);
  deepStrictEqual(kept, all);
  // An interrupted scale test would shift the pairs of the next one
  deepStrictEqual(of(all.trialResults.slice(0, -1)).kept.trialResults, trialResults);
  strictEqual(lastRoundOf(kept), 5);
  strictEqual(lastRoundOf({ trialResults: [], blocks: [] }), 0);
  const noRound = { trialResults: [], blocks: [] };
  strictEqual(resume(plan, earlierWith(noRound), true).left.trials.length, plan.trials.length);
});

/** Returns a run of two rounds in which a server fails at json in the pilot windows or in round 1. */
function failing(
  kind: TrialFailure["kind"],
  purpose: Trial["purpose"],
  isWholly: boolean,
): Earlier {
  const failure = { kind, message: "", output: null };
  const isFailing = ({ variant, scenario }: Trial): boolean =>
    variant === "b" && (isWholly || scenario === "json");
  const [first] = planOf(2).trials.filter(isFailing) as [Trial];
  const { trialResults, blocks } = measured(planOf(2));
  return earlierWith({
    trialResults: [
      windowOf({ ...first, scenario: "json", round: 1, purpose }, failure),
      ...isWholly ? [windowOf({ ...first, scenario: "text", round: 1, purpose }, failure)] : [],
      ...trialResults.filter(({ trial }) => !isFailing(trial))
        .map((one) => ({ ...one, window: {} as TrialResult["window"] })),
    ],
    blocks,
  });
}

Deno.test("a resumed run tries a server that fails only in new rounds", () => {
  const runs = [
    failing("verification", "measure", false),
    failing("verification", "pilot", false),
    failing("start", "measure", true),
    failing("start", "pilot", true),
  ];
  for (const earlier of runs) {
    throws(() => resume(planOf(2), earlier, true), /it already has 2 rounds/);
    const { left, kept } = resume(planOf(3), earlier, true);
    deepStrictEqual(namesOf(left), ROUND_3);
    strictEqual(kept.trialResults.length, earlier.trialResults.length);
  }
});

Deno.test("windows that are missing after a server failed only at times are measured", () => {
  const plan = planOf(3, {});
  const failure = { kind: "start", message: "", output: null } as const;
  // It started in round 1, did not in round 2, and the run was interrupted in round 3
  const all = plan.trials.map((trial) =>
    trial.variant === "b" && trial.round === 2
      ? windowOf(trial, failure)
      : { ...windowOf(trial), window: {} as TrialResult["window"] }
  );
  const last = all.findLast(({ trial }) => trial.variant === "b")?.trial;
  const trialResults = all.filter(({ trial }) => trial !== last);
  deepStrictEqual(
    namesOf(resume(plan, earlierWith({ trialResults, blocks: [] }), true).left),
    [`3 ${last?.scenario} a`, `3 ${last?.scenario} b`],
  );
});

Deno.test("a resumed run drops one part at most, except for added rounds", () => {
  const { trialResults, blocks } = measured(planOf(2));
  const half = trialResults.filter(({ trial }) => trial.variant === "a" || trial.round === 1);
  throws(() => resume(planOf(2), earlierWith({ trialResults: half, blocks }), true), {
    name: "UsageError",
    message: "Cannot resume the run: 2 of its parts are incomplete; measure anew",
  });
  // Only one of the servers had a wide interval
  const added = blocks.map((one) =>
    one.block.round === 1 ? one : { ...one, block: { ...one.block, variants: ["a"] } }
  );
  const earlier = earlierWith({ trialResults: half, blocks: added }, { rounds: 1 });
  strictEqual(resume(planOf(2), earlier, true).left.trials.length, 4);
  const whole = earlierWith({ trialResults, blocks: added }, { rounds: 1 });
  strictEqual(resume(planOf(2), whole, true).left.blocks.length, 2);
});

Deno.test("a run cannot be resumed with another load", () => {
  const plan = planOf(2);
  const trials = plan.trials.map((trial) => ({ ...trial, generator: "wrk" }));
  throws(() => resume(plan, measured({ ...plan, trials }), true), {
    name: "UsageError",
    message:
      /^Cannot resume the run, because the load of (text|json) differs:\n\{"generator":"wrk",.*\}, now\n\{"generator":"autocannon",/,
  });
  const blocks = plan.blocks.map((block) => ({ ...block, earlyS: { a: 9 } }));
  throws(() => resume(plan, measured({ ...plan, blocks }), true), /"earlyS":\{"a":9\}/);
});

Deno.test("the load generators of a resumed run are those of its windows", () => {
  const { trialResults, blocks } = measured(planOf(1));
  const driven = trialResults.map((one) => ({
    ...one,
    trial: { ...one.trial, generator: one.trial.scenario === "text" ? "stampede" : "autocannon" },
  }));
  const pilot = trialResults.map((one) => ({
    ...one,
    trial: { ...one.trial, scenario: "sql1", purpose: "pilot" as const },
  }));
  const earlier = { trialResults: [...pilot, ...driven], blocks };
  const drivers = ["text", "json", "sql1"].map((scenario) => driverOf(earlier, scenario));
  deepStrictEqual(drivers, ["stampede", "autocannon", undefined]);
});

Deno.test("a server that starts in a later part has windows in no earlier one", () => {
  const failure = { kind: "start", message: "", output: null } as const;
  const { trialResults, blocks } = measured(planOf(3));
  const isOfB = ({ trial }: TrialResult): boolean => trial.variant === "b";
  // In rounds 1 and 2 it did not start, and in round 3 it did
  const results = trialResults.flatMap((one) => {
    if (isOfB(one) && one.trial.round === 2) return [];
    return isOfB(one) && one.trial.round === 1
      ? windowOf(one.trial, failure)
      : { ...one, window: {} as TrialResult["window"] };
  });
  const { left } = resume(planOf(4), earlierWith({ trialResults: results, blocks }), true);
  deepStrictEqual([...new Set(left.trials.map(({ round }) => round))], [4]);
});

Deno.test("rounds that only tested something do not count", () => {
  const plan = planOf(2);
  const scale = windowOf({ ...plan.trials[0] as Trial, purpose: "scale", round: 4 });
  const { trialResults, blocks } = measured(plan);
  strictEqual(roundsIn({ trialResults: [...trialResults, scale], blocks }), 2);
});
