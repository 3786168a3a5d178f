import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { COST_IDS, type CostRecord } from "../model/costs.ts";
import type { CostChange } from "../model/derived.ts";
import type { Experiment } from "../model/experiment.ts";
import { isMoreBetter } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import { thresholdOf, undecidedCosts } from "./cost_changes.ts";
import { blockOf } from "./slices_testdata.ts";
import { compareVariants, roundRatios, unclearCosts } from "./variant_changes.ts";

const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const NO_NOISE = { noise: [], noiseSource: null };

function recordOf(
  own: Pick<CostRecord, "round" | "cost" | "value"> & Partial<CostRecord>,
): CostRecord {
  return { variant: "base", scenario: null, perS: null, isLate: false, ...own };
}

/** Returns records of both sides. Base scatters by 1 %, and head is base times `ratio`. */
function recordsOf(cost: CostRecord["cost"], base: number, ratio: number): CostRecord[] {
  return ROUNDS.flatMap((round) => {
    const value = base * (1 + (round % 5 - 2) / 200);
    const little = 1 + (round % 3 - 1) / 500;
    return [
      recordOf({ round, cost, value }),
      recordOf({ variant: "head", round, cost, value: value * ratio * little }),
    ];
  });
}

function reportOf(costs: readonly CostRecord[], failOnCosts = {}): Report {
  const design = {
    until: "verdict",
    rounds: 11,
    maxRounds: 22,
    failOn: null,
    costs: ["startup", "memory", "p99"],
    failOnCosts,
  };
  const variants = ["base", "head"].map((id) => ({ id, server: id }));
  const experiment = { variants, design };
  const blocks = ROUNDS.map((round) => blockOf(round, { base: {}, head: {} }));
  return { results: [], trialResults: [], blocks, costs, experiment } as unknown as Report;
}

function changesOf(costs: readonly CostRecord[]): readonly CostChange[] {
  return compareVariants(reportOf(costs), [["base", "head"]], NO_NOISE).costs;
}

Deno.test("a cost changes by its ratio in the common rounds, and is tested with everything else", () => {
  const records = recordsOf("startUpUs", 200_000, 1.05);
  const [change, ...others] = changesOf(records);
  deepStrictEqual(others, []);
  strictEqual(change?.verdict, "slower");
  strictEqual(change?.ratio?.toFixed(2), "1.05");
  // Three figures of slices, one cost, and two tests
  strictEqual(change?.pValue, 2 / 2 ** 11 * 4 * 2);
  strictEqual(
    changesOf(records.map((one) => ({ ...one, value: one.value * 2 })))[0]?.ratio,
    change.ratio,
  );
  strictEqual(changesOf(recordsOf("startUpUs", 200_000, 0.95))[0]?.verdict, "faster");
  strictEqual(changesOf(recordsOf("startUpUs", 200_000, 1.004))[0]?.verdict, "same");
});

Deno.test("rounds with one side are left out, and so are costs without a common round", () => {
  const records = recordsOf("idleBytes", 1e7, 1.1);
  strictEqual(changesOf(records.slice(1))[0]?.baseRounds, 10);
  deepStrictEqual(changesOf(records.filter(({ variant }) => variant === "base")), []);
});

Deno.test("values below the resolution are equal", () => {
  const idle = (base: number, head: number): CostChange | undefined =>
    changesOf(ROUNDS.flatMap((round) => [
      recordOf({ round, cost: "idleWakeUps", value: base }),
      recordOf({ variant: "head", round, cost: "idleWakeUps", value: head }),
    ]))[0];
  strictEqual(idle(0, 0)?.verdict, "same");
  strictEqual(idle(0.2, 0.9)?.ratio, 1);
  strictEqual(idle(0, 1000)?.verdict, "slower");
  strictEqual(idle(0, 1000)?.ratio?.toFixed(3), "1000.000");
});

Deno.test("a cost has the threshold of its group", () => {
  const [change] = changesOf(recordsOf("connectionBytes", 4000, 1.1));
  const thresholds = { speed: 0.01, costs: { memory: 0.05 } };
  strictEqual(thresholdOf(change as CostChange, thresholds), 0.05);
  strictEqual(thresholdOf(change as CostChange, { speed: 0.01, costs: {} }), null);
});

Deno.test("costs are measured again if a change is neither proven nor excluded", () => {
  const little = recordsOf("startUpUs", 200_000, 1.004);
  const experimentOf = (report: Report): Experiment => report.experiment as unknown as Experiment;
  const unclear = (costs: readonly CostRecord[], failOnCosts = {}): unknown => {
    const report = reportOf(costs, failOnCosts);
    return unclearCosts(report, experimentOf(report));
  };
  deepStrictEqual(unclear(little), [{ group: "startup", scenario: null }]);
  deepStrictEqual(unclear(recordsOf("startUpUs", 200_000, 1.05)), []);
  deepStrictEqual(unclear(recordsOf("idleBytes", 1e7, 1.05), { memory: 0.05 }), [
    { group: "memory", scenario: null },
  ]);
  deepStrictEqual(unclear(recordsOf("idleBytes", 1e7, 1.05), { memory: 0.2 }), []);
});

Deno.test("a lone cost that has probably changed is measured again", () => {
  const unclear = (lower: readonly number[]): boolean => {
    const costs = recordsOf("startUpUs", 200_000, 1.5).map((one) =>
      one.variant === "head" && lower.includes(one.round) ? { ...one, value: 120_000 } : one
    );
    const report = reportOf(costs);
    const [change] = changesOf(costs);
    strictEqual(change?.verdict, lower.length === 0 ? "slower" : "same");
    return unclearCosts(report, report.experiment as unknown as Experiment).length > 0;
  };
  deepStrictEqual([[], [3], [1, 3, 5, 7, 9]].map(unclear), [false, true, false]);
});

Deno.test("a tail is measured again only at scenarios with an unclear change", () => {
  const records = ["text", "json"].flatMap((scenario) =>
    recordsOf("tail99Us", 3000, scenario === "text" ? 1.04 : 2)
      .map((one) => ({ ...one, scenario, perS: 1000 }))
  );
  const report = reportOf(records, { p99: 0.5 });
  const experiment = report.experiment as unknown as Experiment;
  const wide = records.map((one) =>
    one.variant === "head" && one.scenario === "text"
      ? { ...one, value: one.value * (1 + one.round / 10) }
      : one
  );
  deepStrictEqual(unclearCosts(report, experiment), []);
  deepStrictEqual(
    unclearCosts({ ...report, costs: wide }, experiment),
    [{ group: "p99", scenario: "text" }],
  );
});

Deno.test("a cost has a ratio for each of its rounds", () => {
  const records = recordsOf("startUpUs", 200_000, 1.05);
  const report = reportOf(records);
  const [change] = changesOf(records);
  deepStrictEqual(roundRatios(report, change as CostChange).length, ROUNDS.length);
  strictEqual(undecidedCosts({ costs: records }, ["base", "head"]).length, 1);
});

/** Returns records of a tail at two scenarios. */
function tailsOf(isLate: (round: number) => boolean = () => false): CostRecord[] {
  return ["text", "json"].flatMap((scenario) =>
    recordsOf("tail99Us", 3000, 1.5).map((one) => ({
      ...one,
      scenario,
      perS: 1000,
      isLate: scenario === "text" && one.variant === "head" && isLate(one.round),
    }))
  );
}

Deno.test("a tail is compared at each scenario, without rounds in which the generator was late", () => {
  const [ofText, ofJson, ...others] = changesOf(tailsOf((round) => round <= 2));
  deepStrictEqual(others, []);
  deepStrictEqual(
    [ofText, ofJson].map((one) => [one?.scenario, one?.perS, one?.headRounds, one?.lateRounds]),
    [["text", 1000, 9, 2], ["json", 1000, 11, 0]],
  );
  strictEqual(ofJson?.verdict, "slower");
});

Deno.test("a tail that is missing at one scenario is not comparable there, and compared elsewhere", () => {
  const reason = { kind: "few-rounds", rounds: 4, of: 11, late: 7 } as const;
  const absence = { group: "p99", variant: null, scenario: "text", round: null, reason } as const;
  const report = { ...reportOf(tailsOf()), costAbsences: [absence] };
  const changes = compareVariants(report, [["base", "head"]], NO_NOISE).costs;
  deepStrictEqual(changes.map(({ scenario, verdict, reasons }) => [scenario, verdict, reasons]), [
    ["text", "incomparable", [reason]],
    ["json", "slower", []],
  ]);
  const ofOneRound = { ...report, costAbsences: [{ ...absence, round: 3 }] };
  strictEqual(undecidedCosts(ofOneRound, ["base", "head"])[0]?.change.verdict, "same");
});

Deno.test("less is better of every cost, also of one with the name of a figure", () => {
  for (const cost of COST_IDS) strictEqual(isMoreBetter(cost), false, cost);
});
