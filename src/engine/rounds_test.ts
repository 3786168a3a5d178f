import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Result } from "../model/derived.ts";
import { absent } from "../load/probe.ts";
import type { Design, Trial } from "../model/experiment.ts";
import type { WhyMore } from "../model/events.ts";
import type { Scenario } from "../model/scenario.ts";
import type { ProgramUsage, TrialResult } from "../model/raw.ts";
import { Planner } from "../experiment/planner.ts";
import { runAdaptiveRounds } from "./rounds.ts";
import type { Recorder } from "./recorder.ts";
import { deriveResults } from "../analysis/derive_results.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";

/** Figures of one window of a trial. */
interface TrialFigures {
  readonly perS: number;
  readonly cpuUs?: number;
  readonly full?: readonly ("server" | "generator")[];
}

/** Returns a factor above 1 in even rounds and below 1 in odd rounds. */
const swing = (round: number, by: number): number => 1 + (round % 2 === 0 ? by : -by);

const used = (us: number, isFull: boolean): ProgramUsage => ({
  userUs: us,
  systemUs: 0,
  busiestThread: isFull ? 0.96 : 0.1,
  runQueueWait: 0,
  waitedUs: 0,
  idleRssBytes: null,
  peakRssBytes: null,
});

function trialResultOf(trial: Trial, { perS, cpuUs = 10, full = [] }: TrialFigures): TrialResult {
  const window = {
    measurement: {
      durationS: 1,
      statuses: { "200": perS },
      allResponses: perS,
      transportErrors: 0,
      timeouts: 0,
      wrongResponses: 0,
      checkedBodies: 0,
      latency: null,
      slicesPerS: [],
    },
    usage: {
      durationS: 1,
      database: null,
      machine: { idle: 0.5, steal: 0 },
      server: used(cpuUs * perS, full.includes("server")),
      generator: used(10, full.includes("generator")),
    },
    probe: absent({ kind: "no-rehearsal" }),
    database: null,
    ceiling: null,
    referenceUs: null,
    beside: null,
  };
  return { trial, startedAt: "", window, failure: null } as unknown as TrialResult;
}

/** Runs adaptive rounds over constructed windows and returns the log of its calls. */
async function adaptiveRounds(
  show: (trial: Trial) => TrialFigures,
  { ids = "a", kinds = "x", ...change }: Partial<Design> & { ids?: string; kinds?: string } = {},
): Promise<{ log: string[]; trialResults: TrialResult[]; results: readonly Result[] }> {
  const scenarios = [...kinds].map((id) => ({ id, cycle: null }) as Scenario);
  const variants = [...ids].map((id) => variantOf(id, scenarios));
  const experiment = experimentOf(variants, scenarios, {
    connections: [10],
    warmupS: 0.5,
    rounds: 6,
    maxRounds: 8,
    budgetS: 3600,
    ...change,
  });
  const planner = new Planner(experiment);
  const trialResults: TrialResult[] = [];
  const log: string[] = [];
  const none = { queries: 0, moreQueries: 0, writes: 0 };
  const needs = new Map([...kinds].map((id) => [id, none]));
  const cores = { machine: 4, server: 4, database: 4, generator: 4 };
  const results = (): Result[] =>
    deriveResults(trialResults, {
      fallback: null,
      cores,
      variants: [...ids],
      turns: new Map(),
      threads: new Map(),
      needs,
    });
  const first = planner.firstRounds();
  await runAdaptiveRounds({
    planner,
    first,
    left: first,
    experiment,
    nowMs: () => performance.now(),
    recorder: { trialResults, blocks: [], results } as Partial<Recorder> as Recorder,
    breaches: () => [],
    canScale: true,
    unclear: () => [],
    measure: ({ trials }) => {
      const names = trials.map(({ round, variant, scenario }) => `${round}${variant}${scenario}`);
      log.push(trialResults.length === 0 ? "first" : [...new Set(names.sort())].join(" "));
      trialResults.push(...trials.map((trial) => trialResultOf(trial, show(trial))));
      return Promise.resolve();
    },
    emit: (event) => {
      if (event.kind === "more") {
        log.push(`${event.plan.trials.length} more, ${describeWhy(event.why)}`);
      }
      return Promise.resolve();
    },
  });
  return { log, trialResults, results: results() };
}

function describeWhy(why: WhyMore): string {
  switch (why.kind) {
    case "pilot":
      return "probes";
    case "width":
      return `round ${why.round}: wider than ${why.width}`;
    case "scale":
      return `scale test of ${why.scenario}${why.what === "shards" ? "" : ": connections"}`;
    case "confirm":
      return `round ${why.round}: ${why.scenarios} again`;
    case "verdict":
    case "search":
    case "curve":
      return "no adaptive round";
  }
}

const WHY = "wider than 0.03";
const TWO_MORE = ["first", `1 more, round 7: ${WHY}`, "7ax", `1 more, round 8: ${WHY}`, "8ax"];

Deno.test("rounds are added only for what is wide, up to the most that there may be", async () => {
  const { log } = await adaptiveRounds(({ scenario, round }) => ({
    perS: 1000 * swing(round, scenario === "x" ? 0.05 : 0.02),
  }), { kinds: "xy" });
  deepStrictEqual(log, TWO_MORE);
});

Deno.test("rounds are added until what was wide is narrow", async () => {
  // One of six rounds is an outlier; with nine rounds, the confidence interval excludes it
  const show = ({ round }: Trial): TrialFigures => ({ perS: round === 1 ? 500 : 1000 + round });
  const { log } = await adaptiveRounds(show, { maxRounds: 30 });
  deepStrictEqual(log.filter((line) => !line.includes("more")), ["first", "7ax", "8ax", "9ax"]);
});

Deno.test("both of a pair get rounds if their ratio is wide, even if neither of them is", async () => {
  const apart = ({ variant, round }: Trial): TrialFigures => ({
    perS: 1000 * swing(round, variant === "a" ? 0.02 : -0.02),
  });
  deepStrictEqual((await adaptiveRounds(apart)).log, ["first"]);
  const { log } = await adaptiveRounds(apart, { ids: "ab", maxRounds: 7 });
  deepStrictEqual(log, ["first", `2 more, round 7: ${WHY}`, "7ax 7bx"]);
});

Deno.test("where only ratios are asked for, what both servers do alike adds no round", async () => {
  const together = ({ round }: Trial): TrialFigures => ({ perS: 1000 * swing(round, 0.1) });
  const order = { ids: "ab", maxRounds: 7 };
  deepStrictEqual((await adaptiveRounds(together, { ...order, ratiosOnly: true })).log, ["first"]);
  strictEqual((await adaptiveRounds(together, order)).log.at(-1), "7ax 7bx");
  const { log } = await adaptiveRounds(({ variant, round }) => ({
    perS: 1000 * swing(round, variant === "a" ? 0.05 : -0.05),
  }), { ...order, ratiosOnly: true });
  strictEqual(log.at(-1), "7ax 7bx");
});

Deno.test("a pair is judged by the figure that it is compared by, for both alike", async () => {
  // The generator limits the rate of a, so both are compared by CPU time
  const { log } = await adaptiveRounds(({ variant, round }) => ({
    perS: 1000,
    cpuUs: 10 * swing(round, variant === "a" ? 0.02 : -0.02),
    full: [variant === "a" ? "generator" : "server"],
  }), { ids: "ab", maxRounds: 7 });
  deepStrictEqual(log, ["first", `2 more, round 7: ${WHY}`, "7ax 7bx"]);
});

Deno.test("no round is added for the sake of a difference, nor spared for one", async () => {
  const close = ({ variant }: Trial): TrialFigures => ({ perS: variant === "a" ? 1000 : 1001 });
  deepStrictEqual((await adaptiveRounds(close, { ids: "ab" })).log, ["first"], "narrow");
  const { log } = await adaptiveRounds(({ variant, round }) => ({
    perS: (variant === "a" ? 1000 : 9000) * swing(round, variant === "a" ? 0.05 : 0.01),
  }), { ids: "ab", maxRounds: 7 });
  deepStrictEqual(log.at(-1), "7ax 7bx", "proven, but wide");
});

Deno.test("too few rounds for an interval are too wide; results without a rate get none", async () => {
  const { log } = await adaptiveRounds(({ scenario }) => ({ perS: scenario === "x" ? 1000 : 0 }), {
    rounds: 4,
    maxRounds: 9,
    kinds: "xy",
  });
  deepStrictEqual(log.filter((line) => !line.includes("more")), ["first", "5ax", "6ax"]);
});

Deno.test("a result that needs it gets its scale test, and is judged again", async () => {
  const { log, trialResults, results } = await adaptiveRounds(({ scenario, load }) => ({
    perS: load.shards === 2 ? 1200 : 1000,
    full: scenario === "x" ? ["server", "generator"] : ["server"],
  }), { kinds: "xy" });
  deepStrictEqual(log, ["first", "6 more, scale test of x", "7ax"]);
  const bottlenecks = results.map(({ bottleneck, rounds }) => [bottleneck?.kind, rounds]);
  deepStrictEqual(bottlenecks, [["generator", 6], ["server", 6]]);
  strictEqual(results[0]?.requestsPerS?.max, 1000, "scale trials count for nothing else");
  strictEqual(trialResults.at(-1)?.trial.purpose, "scale");
});

Deno.test("where the bottleneck is unknown, more connections are tried, as far as there is time", async () => {
  // Busy, but not saturated
  const show = ({ scenario, load }: Trial): TrialFigures => ({
    perS: load.connections === 20 && scenario === "x" ? 1200 : 1000,
    cpuUs: 800,
  });
  const { log, results, trialResults } = await adaptiveRounds(show, { kinds: "xy" });
  const tests = ["x", "y"].map((id) => `6 more, scale test of ${id}: connections`);
  deepStrictEqual(log, ["first", tests[0], "7ax", tests[1], "8ay"]);
  const bottlenecks = results.map(({ connections, bottleneck }) => [connections, bottleneck?.kind]);
  deepStrictEqual(bottlenecks, [[10, "connections"], [10, "unknown"]]);
  ok(trialResults.every(({ trial }, i) => trial.index === i), "every trial has its place");
  deepStrictEqual((await adaptiveRounds(show, { kinds: "xy", budgetS: 1 })).log, ["first"]);
  const free = await adaptiveRounds(show, { kinds: "xy", budgetS: null });
  deepStrictEqual(free.log, ["first", tests[0], "7ax"], "one is always tried");
  const look = await adaptiveRounds(show, { kinds: "xy", budgetS: null, rounds: 1, maxRounds: 1 });
  deepStrictEqual(look.log, ["first"], "but not in a look");
});

Deno.test("a round that the budget does not allow is not planned, and leaves no gap", async () => {
  const own = performance.now;
  let clock = 0;
  performance.now = () => clock;
  try {
    const { log, trialResults } = await adaptiveRounds(({ round }) => {
      clock += 3200; // the planned duration of such a round
      const cpuUs = 10 * swing(round, 0.05);
      return { perS: 1000, cpuUs, full: ["server", "generator"] };
    }, { maxRounds: 30, budgetS: 3 * 3.2 - 0.1 });
    deepStrictEqual(log, [...TWO_MORE, "6 more, scale test of x", "9ax"]);
    ok(trialResults.every(({ trial }, i) => trial.index === i), "every trial has its place");
  } finally {
    performance.now = own;
  }
});
