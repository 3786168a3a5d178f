import { match, ok, strictEqual } from "node:assert/strict";
import type { Change } from "../model/derived.ts";
import {
  type BisectionOutcome,
  bisectionText,
  describeNext,
  describeSize,
  describeStep,
} from "./bisection_text.ts";

const SCREEN = { columns: 120, styled: false };
const CHANGE: Change = {
  variant: "head",
  scenario: "json",
  connections: 10,
  perS: null,
  verdict: "slower",
  reasons: [],
  isBroken: false,
  metric: "serverCpuUs",
  method: "slices",
  base: 10,
  head: 10.5,
  baseRounds: 10,
  headRounds: 10,
  ratio: 1.052,
  confidenceInterval: { low: 1.046, high: 1.058, coverage: 0.95 },
  isConfirmed: null,
  familyConfidenceInterval: null,
  pValue: 0.01,
  minimumDetectableChange: 0.01,
  floor: 0.005,
};
const STEPS: BisectionOutcome["steps"] = [
  { label: "aaa One", side: "skipped", slowdown: null, why: "it does not build", report: null },
  { label: "bbb Two", side: "bad", slowdown: 1.051, why: null, report: "results/b.json" },
];
const OUTCOME: BisectionOutcome = {
  outcome: "found",
  candidates: 3,
  suspects: [{ id: "b", about: "bbb Two by Ann, 2026-11-25", inside: null }],
  change: CHANGE,
  followed: CHANGE,
  steps: STEPS,
};

Deno.test("the result of a bisection is the commit, its change with interval, and the path", () => {
  strictEqual(
    bisectionText(OUTCOME, SCREEN),
    `bbb Two by Ann, 2026-11-25: json +5.2 % CPU/req (+4.6 % to +5.8 %)
From good to bad: json +5.2 % CPU/req (+4.6 % to +5.8 %)
Not measured: aaa One: it does not build

Step  Candidate  CPU/req  Verdict  Report
   1  aaa One          –  skipped  –
   2  bbb Two     +5.1 %  as bad   results/b.json`,
  );
});

Deno.test("a merge, several suspects and an unproven slowdown are said", () => {
  const merge = { id: "m", about: "mmm Merge", inside: "--good x --bad y" };
  match(
    bisectionText({ ...OUTCOME, suspects: [merge] }, SCREEN),
    /^It is a merge; to search inside it: bisect --good x --bad y$/m,
  );
  const several = bisectionText(
    { ...OUTCOME, outcome: "range", suspects: [...OUTCOME.suspects, merge] },
    SCREEN,
  );
  match(several, /^One of these: json .*\n {2}bbb Two by Ann, 2026-11-25\n {2}mmm Merge\n/);
  ok(!several.includes("search inside"));
  match(
    bisectionText({ ...OUTCOME, outcome: "unproven", change: null }, SCREEN),
    /: not comparable\nFresh rounds prove no slowdown there: .* from outside\.$/m,
  );
});

Deno.test("a candidate that is measured again is the same step", () => {
  strictEqual(describeNext(STEPS, "ccc Three", 4), "Step 3: ccc Three, one of 4 candidates left");
  strictEqual(describeNext(STEPS, "bbb Two", 4), "Step 2, again: bbb Two");
  const again = bisectionText({ ...OUTCOME, steps: [...STEPS, ...STEPS.slice(1)] }, SCREEN);
  strictEqual(again.match(/^ +2 +bbb Two/gm)?.length, 2);
});

Deno.test("a step of a rate is a lower rate", () => {
  const step = { side: "bad", slowdown: 1.25, why: null } as const;
  strictEqual(describeStep(step, "requestsPerS"), "−20.0 % Req/Sec against good: as bad");
  const none = { side: "skipped", slowdown: null, why: "it ended" } as const;
  strictEqual(describeStep(none, "requestsPerS"), "skipped: it ended");
  strictEqual(describeSize(64), "64 candidates, 6 steps unless some are skipped or undecided");
});
