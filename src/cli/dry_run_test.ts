import { match, strictEqual } from "node:assert/strict";
import type { Block } from "../model/block.ts";
import type { ExperimentRecord, Trial } from "../model/experiment.ts";
import { DUEL } from "../view/report_testdata.ts";
import { describePlan } from "./dry_run.ts";

const { experiment, trialResults: [trialResult] } = DUEL;
const TRIAL = trialResult?.trial as Trial;
const waves = { ...TRIAL.load, connections: 100, durationS: 2, responses: 1000 };
const TRIALS: readonly Trial[] = [
  TRIAL,
  { ...TRIAL, index: 1, round: 2, variant: "node", scenario: "delay", load: waves },
];

const lines = (change: Partial<ExperimentRecord>, skipped: readonly string[] = []): string =>
  describePlan(
    { ...experiment, ...change },
    { trials: TRIALS, blocks: [] },
    { skipped: skipped.map((id) => ({ id, reason: `${id} not found (install it)` })) },
  );

Deno.test("describePlan says what is compared, window by window, and what may follow", () => {
  strictEqual(
    lines({}),
    `run: deno, node, encore with autocannon, at text
   1  round 1  deno  text   10 connections, 0.5 s warm-up, 1.5 s
   2  round 2  node  delay  100 connections, 0.5 s warm-up, 1000 responses (about 2 s)
2 windows with autocannon, seed 7, about 8 s, 2 min 15 s at most
then rounds up to 15, 60 s at most, while half intervals exceed 3.0 %`,
  );
});

Deno.test("describePlan gives added rounds a share of the first ones where no budget is set", () => {
  const { design } = experiment;
  const last = (change: Partial<typeof design>): string | undefined =>
    lines({ design: { ...design, budgetS: null, budgetShare: 0.4, ...change } }).split("\n").at(-1);
  strictEqual(
    last({}),
    "then rounds up to 15, 3 s at most, while half intervals exceed 3.0 %",
  );
  strictEqual(
    last({ until: "verdict" }),
    "then rounds up to 15, 3 s at most, where a change is neither proven nor excluded",
  );
  strictEqual(last({ maxRounds: 6 }), "2 windows with autocannon, seed 7, about 8 s, 78 s at most");
});

Deno.test("describePlan names the load generator of each variant, and the servers that are skipped", () => {
  const [deno, node, encore] = experiment.variants;
  if (!deno || !node || !encore) throw new RangeError("The report has three variants");
  const [first, ...rest] = lines(
    { kind: "generators", variants: [deno, { ...node, generator: "wrk" }, encore] },
    ["encore"],
  ).split("\n");
  strictEqual(first, "generators: deno, encore with autocannon; node with wrk, at text");
  strictEqual(rest.at(-3), "2 windows with autocannon, seed 7, about 8 s, 2 min 15 s at most");
  strictEqual(rest.at(-1), "skipped: encore: encore not found (install it)");
});

Deno.test("describePlan names what is measured in slices, and what a gate measures again", () => {
  const block: Block = {
    purpose: "measure",
    round: 1,
    scenario: "text",
    variants: ["base", "head"],
    connections: 10,
    perS: null,
    timeoutS: 10,
    warmupS: 0.5,
    mostWarmupS: 5.5,
    earlyS: {},
    durationS: 1.5,
  };
  const design = { ...experiment.design, rounds: 1, maxRounds: 1, failOn: 0.05 };
  const linesOf = (block: Block): string =>
    describePlan({ ...experiment, design }, { trials: [], blocks: [block] });
  match(linesOf({ ...block, earlyS: { head: 5.5 } }), /, 0\.5 s warm-up \(head: 6 s\), 1\.5 s$/m);
  strictEqual(
    linesOf(block),
    `run: deno, node, encore with autocannon, at text
      round 1  base, head in slices  text  10 connections to each, 0.5 s warm-up, 1.5 s
1 block of slices, seed 7, about 5 s, 96 s at most
while a rate climbs, its warm-up takes up to 5 s more, which is not part of the times above
then 6 rounds to confirm slowdowns of more than 5.0 %`,
  );
});

Deno.test("describePlan says which servers are profiled afterwards, and which cannot be", () => {
  const load = { ...TRIAL.load, durationS: 3 };
  const text = describePlan(experiment, { trials: TRIALS, blocks: [] }, {
    profiles: [
      { variant: "deno", scenario: "text", load, reason: null },
      { variant: "deno", scenario: "json", load, reason: null },
      { variant: "bun", scenario: "text", load, reason: { kind: "no-inspector", command: "bun" } },
    ],
  });
  strictEqual(
    text.split("\n").slice(-2).join("\n"),
    `then a profile of deno at text, json, 3 s each, in separate processes
no profile of bun: only servers started by node, deno run or deno serve can be profiled, and this one is started by bun`,
  );
  // Two of them, of 3 s, with half a second of warm-up and a second for the process
  strictEqual(/about 17 s, /.test(text), true);
});
