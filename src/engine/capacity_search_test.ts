import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import { parseSlo } from "../experiment/slo.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { WindowJob } from "../load/generator.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { measurementOf, type RunLog, runLogged } from "./testbed_testdata.ts";

const SEARCH = {
  slo: parseSlo("p99<10ms,errors<1%"),
  width: 0.1,
  shares: [0.5, 1.2],
};

function searchOf(...scenarios: (typeof text)[]): Experiment {
  const variant = { ...variantOf("a", scenarios), generator: "stampede" };
  const experiment = experimentOf([variant], scenarios, {
    connections: [64],
    open: { perS: {}, closedLoopPerS: {}, arrivals: "even" },
  });
  return { ...experiment, kind: "capacity", search: SEARCH };
}

function times(ms: number): ReturnType<typeof describe> {
  const histogram = newHistogram();
  for (let i = 0; i < 100; i++) record(histogram, ms);
  return describe(histogram);
}

/**
 * Returns measurements of a server with a given capacity, which answers 1,000 requests a second in a closed
 * loop.
 */
function holding(mostPerS: number, latenessMs = 0.01): (job: WindowJob) => Measurement {
  return ({ load: { open } }: WindowJob): Measurement => {
    if (open === null) return measurementOf(1000);
    const { perS } = open;
    const offered = Math.round(perS);
    const responseTime = times(perS <= mostPerS ? 5 : 50);
    return measurementOf(Math.round(Math.min(perS, mostPerS)), {
      open: {
        offered,
        sent: offered,
        failed: 0,
        unanswered: 0,
        shed: 0,
        recoveryS: 0,
        responseTime,
        lateness: times(latenessMs),
        wait: times(0.1),
        serviceTime: responseTime,
      },
    });
  };
}

const purposes = ({ report }: RunLog): string =>
  (report?.trialResults ?? []).map(({ trial }) => trial.purpose).join(" ");

Deno.test("a search begins with a look, narrows down, is confirmed by fresh processes, and ends with a curve", async () => {
  const outcome = await runLogged(searchOf(text), { measure: holding(800) });
  strictEqual(outcome.error, null);
  const { report } = outcome;
  const [capacity] = report?.capacities ?? [];
  const { heldPerS, failedPerS, startPerS, isOfGenerator, reason } = capacity ?? {};
  ok(heldPerS && failedPerS && heldPerS <= 800 && failedPerS > 800);
  ok(failedPerS / heldPerS <= 1.1);
  deepStrictEqual([startPerS, isOfGenerator, reason], [700, false, null]);
  ok(/^pilot (search )+(confirm ){4}measure measure$/.test(purposes(outcome)));
  // The pilot window, the search, each confirmation and the curve have one process each
  strictEqual(outcome.log.filter((line) => line === "launch a").length, 7);
  strictEqual(outcome.log.filter((line) => line === "stop a").length, 7);
  deepStrictEqual(
    report?.openLoopResults.map(({ perS }) => Math.round(100 * (perS ?? 0) / heldPerS)),
    [50, 120],
  );
  strictEqual(report?.results.length, 2, "what was searched is no result");
  strictEqual(report?.openChecks[0]?.perS, 700);
});

Deno.test("where the load generator is too late, that is the bottleneck", async () => {
  const { report } = await runLogged(searchOf(text), {
    measure: (job) => (job.load.open?.perS ?? 0) > 900 ? holding(0, 49)(job) : holding(900)(job),
  });
  const [capacity] = report?.capacities ?? [];
  ok((capacity?.heldPerS ?? 0) <= 900 && (capacity?.failedPerS ?? 0) > 900);
  strictEqual(capacity?.isOfGenerator, true);
});

Deno.test("a server that never meets the SLO has no capacity, and a reason", async () => {
  const { report } = await runLogged(searchOf(text), { measure: holding(0) });
  const [capacity] = report?.capacities ?? [];
  deepStrictEqual([capacity?.heldPerS, capacity?.reason], [null, { kind: "none-held" }]);
  deepStrictEqual(report?.openLoopResults, []);
});

Deno.test("a server that cannot be started is not searched, and another scenario that is wrong is not either", async () => {
  const unstartable = await runLogged(searchOf(text), { launchProblem: () => "it does not start" });
  deepStrictEqual(
    unstartable.report?.capacities.map(({ heldPerS, reason }) => [heldPerS, reason]),
    [
      [null, { kind: "message", text: "it does not start" }],
    ],
  );
  const wrong = await runLogged(searchOf(text, json), {
    measure: holding(800),
    respond: (path) => path === "/json" ? new Response("{}") : new Response("Hello world"),
  });
  const held = new Map(
    wrong.report?.capacities.map(({ scenario, heldPerS }) => [scenario, heldPerS !== null]),
  );
  deepStrictEqual([held.get("text"), held.get("json")], [true, false]);
});

Deno.test("a search that is ended keeps what it knows, and leaves nothing running", async () => {
  const end = new AbortController();
  let windows = 0;
  const { report, error, log } = await runLogged(searchOf(text), {
    measure: (job) => {
      if (++windows === 4) end.abort(new Error("Ctrl-C"));
      return holding(800)(job);
    },
  }, end.signal);
  ok(String(error).includes("Ctrl-C"));
  deepStrictEqual(report?.capacities[0]?.reason, { kind: "search-ended" });
  strictEqual(
    log.filter((line) => line === "launch a").length,
    log.filter((line) => line === "stop a").length,
  );
});

Deno.test("a search says how long what follows takes at most: all of its time for each, none in the end", async () => {
  const { events } = await runLogged(searchOf(text, json), { measure: holding(800) });
  const more = events.flatMap((event) => event.kind === "more" ? [event] : []);
  const curves = more.filter(({ why }) => why.kind === "curve").map(({ mostAddedS }) => mostAddedS);
  const begins = more.filter(({ why }) => why.kind === "search" && !why.isFresh)
    .flatMap(({ mostAddedS }) => mostAddedS ?? []);
  strictEqual(begins.length, 2);
  const [first = 0, second = 0] = begins;
  ok(first > second && second > 0, begins.join(", "));
  ok((curves[0] ?? 0) > second && (curves[0] ?? 0) < first, curves.join(", "));
  strictEqual(curves[1], 0);
});
