import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { WindowJob } from "../load/generator.ts";
import type { CostGroup, CostRecord } from "../model/costs.ts";
import type { Latency, Measurement } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { type FakeOptions, measurementOf, type RunLog, runLogged } from "./testbed_testdata.ts";

const ONLY_LINUX = { ignore: Deno.build.os !== "linux" };

async function measure(
  costs: readonly CostGroup[],
  rounds: number,
  measure: NonNullable<FakeOptions["measure"]>,
): Promise<RunLog & { readonly report: Report }> {
  const scenarios = [text, json];
  const design = { rounds, maxRounds: rounds, isTimed: false, costs };
  const variants = [variantOf("a", scenarios), variantOf("b", scenarios)];
  const options = { measure, calls: () => new Map() };
  const outcome = await runLogged(experimentOf(variants, scenarios, design), options);
  return outcome as RunLog & { readonly report: Report };
}

function timesOf(requests: number, ms: number): Latency | null {
  const histogram = newHistogram();
  for (let i = 1; i <= requests; i++) record(histogram, ms * i / requests);
  return describe(histogram);
}

/** Returns a turn with response times up to `ms`, and a generator that is up to `lateMs` late. */
function turnOf(requests: number, ms: number, lateMs = 0.001): Measurement {
  const counts = { offered: requests, sent: requests, failed: 0, unanswered: 0, shed: 0 };
  const open = {
    ...counts,
    recoveryS: 0,
    responseTime: timesOf(requests, ms),
    lateness: timesOf(requests, lateMs),
    wait: timesOf(requests, 0),
    serviceTime: timesOf(requests, ms),
  };
  return measurementOf(requests, { open });
}

/** Answers 5,000 requests a second in a closed loop. */
const RATE = 5000;
const isTurn = ({ load }: WindowJob): boolean => load.open !== null;

Deno.test("turns alternate at a tenth of the slower rate, and tails are those of all turns", async () => {
  const jobs: WindowJob[] = [];
  const { error, report } = await measure(["p99"], 2, (job) => {
    jobs.push(job);
    if (!isTurn(job)) return measurementOf(RATE * jobs.length);
    return turnOf(250, 10);
  });
  strictEqual(error, null);
  deepStrictEqual(report.costAbsences, []);
  const tails = report.costs.filter(({ scenario }) => scenario === "text");
  deepStrictEqual(
    tails.map(({ variant, round, perS, cost }) => [variant, round, perS, cost]),
    ["a", "b"].map((id) => [id, 1, 500, "tail99Us"])
      .concat(["b", "a"].map((id) => [id, 2, 500, "tail99Us"])),
  );
  for (const { value } of tails) {
    strictEqual(Math.abs(value - 9900) < 0.005 * 9900, true, `${value}`);
  }
  // Two windows find the rate, and two warm up
  const first = jobs.slice(4, 12);
  deepStrictEqual(jobs.slice(0, 4).map(({ load }) => load.responses), [null, null, 5000, 5000]);
  deepStrictEqual(first.map(({ load }) => load.open?.perS), first.map(() => 500));
  const places = first.map(({ origin }) =>
    jobs.slice(2, 4).findIndex((one) => one.origin === origin)
  );
  deepStrictEqual(places, [0, 1, 1, 0, 0, 1, 1, 0]);
  // Both sides get the same arrivals
  strictEqual(first[0]?.load.open?.seed, first[1]?.load.open?.seed);
});

Deno.test("a percentile that the rate cannot bound is missing, and others are measured", async () => {
  const { report } = await measure(
    ["p99", "p99.9"],
    1,
    (job) => isTurn(job) ? turnOf(250, 10) : measurementOf(RATE / 5),
  );
  deepStrictEqual([...new Set(report.costs.map(({ cost }) => cost))], ["tail99Us"]);
  deepStrictEqual(report.costAbsences.map(({ group, scenario }) => [group, scenario]), [
    ["p99.9", "text"],
    ["p99.9", "json"],
  ]);
  match(JSON.stringify(report.costAbsences), /"few-requests","requests":1000,"needed":46\d\d/);
});

Deno.test("a load with errors gives no figure in its round, and says why", ONLY_LINUX, async () => {
  let turns = 0;
  const { report } = await measure(["peak", "p99"], 3, (job) => {
    if (!isTurn(job)) return measurementOf(RATE);
    const turn = turnOf(250, 10);
    return ++turns === 1 ? { ...turn, statuses: { "200": 240, "503": 10 } } : turn;
  });
  deepStrictEqual(
    report.costAbsences.map(({ group, variant, scenario, round }) => ({
      group,
      variant,
      scenario,
      round,
    })),
    ["peak", "p99"].map((group) => ({ group, variant: "a", scenario: "text", round: 1 })),
  );
  match(
    JSON.stringify(report.costAbsences[0]?.reason),
    /10 requests without a response of status 2xx/,
  );
  const of = (one: Partial<CostRecord>): number =>
    report.costs.filter((record) =>
      Object.entries(one).every(([key, value]) => record[key as keyof CostRecord] === value)
    ).length;
  deepStrictEqual(
    [of({ variant: "a", scenario: "text" }), of({ variant: "a", scenario: "json" })],
    [8, 12],
  );
});

Deno.test("a tail is missing at a scenario if the generator was late in most rounds", async () => {
  const { report } = await measure(
    ["p99"],
    3,
    (job) =>
      isTurn(job) ? turnOf(250, 10, job.request.path === "/json" ? 5 : 0.001) : measurementOf(RATE),
  );
  deepStrictEqual(report.costAbsences, [{
    group: "p99",
    variant: null,
    scenario: "json",
    round: null,
    reason: { kind: "few-rounds", rounds: 0, of: 3, late: 3 },
  }]);
  deepStrictEqual(
    report.costs.map(({ scenario, isLate }) => [scenario, isLate]).slice(0, 4),
    [["text", false], ["text", false], ["json", true], ["json", true]],
  );
});

Deno.test("a server that fails at one scenario loses no tail of others", async () => {
  const { error, report } = await measure(["p99"], 2, (job) => {
    if (job.request.path === "/json") throw new Error("it hung");
    return isTurn(job) ? turnOf(250, 10) : measurementOf(RATE);
  });
  strictEqual(error, null);
  deepStrictEqual(report.costs.map(({ scenario }) => scenario), Array(4).fill("text"));
  const reason = { kind: "message", text: "Name of a: it hung" } as const;
  const absence = { group: "p99", variant: null, scenario: "json", round: null, reason };
  deepStrictEqual(report.costAbsences, [absence]);
});

Deno.test("processors are awake in the turns of a round, and may sleep afterwards", async () => {
  const { log } = await measure(
    ["p99"],
    1,
    (job) => isTurn(job) ? turnOf(500, 10) : measurementOf(RATE),
  );
  const [from, to] = [log.indexOf("awake"), log.indexOf("asleep")];
  const loads = log.slice(from, to).filter((line) => line.startsWith("beside "));
  // A closed loop and four turns of each side
  deepStrictEqual(loads, Array(10).fill("beside /"));
});

Deno.test("stalls in two of four turns change no tail, nor does a late generator in them", async () => {
  let turns = 0;
  const { report } = await measure(["p99"], 1, (job) => {
    if (!isTurn(job)) return measurementOf(RATE);
    const isOfFirst = [1, 4].includes(++turns % 8);
    return isOfFirst ? turnOf(500, 300, 200) : turnOf(500, 10);
  });
  for (const { value, isLate } of report.costs) {
    deepStrictEqual([Math.round(value / 1000), isLate], [10, false]);
  }
});
