import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { OpenRecord, TrialResult } from "../model/raw.ts";
import type { OpenCheck } from "../model/derived.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { REPORT } from "../view/report_testdata.ts";
import { checkedUpTo, deriveOpenLoopResults } from "./derive_open_loop_results.ts";

/** Makes the latency of a number of requests. `msOf` returns the milliseconds of each hundredth of them. */
function latency(count: number, msOf: (percent: number) => number): OpenRecord["responseTime"] {
  const histogram = newHistogram();
  for (let i = 0; i < count; i++) record(histogram, msOf(Math.floor(100 * i / count)));
  return describe(histogram);
}

/** Makes a window without errors, with the given changes. */
function windowOf(perS: number, change: Partial<OpenRecord> = {}): TrialResult {
  const trialResult = REPORT.trialResults.find(({ window }) => window !== null);
  if (!trialResult?.window) throw new Error("No window is among the test data");
  const open: OpenRecord = {
    offered: 1000,
    sent: 1000,
    failed: 0,
    unanswered: 0,
    shed: 0,
    recoveryS: 0,
    responseTime: latency(1000, (percent) => 2 + percent / 10),
    lateness: latency(1000, () => 0.03),
    wait: latency(1000, () => 0.01),
    serviceTime: latency(1000, () => 1.9),
    ...change,
  };
  const load = { ...trialResult.trial.load, open: { perS, arrivals: "poisson", seed: 1 } as const };
  return {
    ...trialResult,
    trial: { ...trialResult.trial, load },
    window: { ...trialResult.window, measurement: { ...trialResult.window.measurement, open } },
  };
}

const CHECK: OpenCheck = {
  perS: 500,
  arrivals: "poisson",
  serviceUs: 1000,
  aloneUs: 1100,
  offered: 1000,
  expected: { p50Us: 1200, p90Us: 3000, p99Us: 6000 },
  found: { p50Us: 1210, p90Us: 3020, p99Us: 6200 },
};

Deno.test("windows of a rate are taken together, and rates apart", () => {
  const [first, second, ...rest] = deriveOpenLoopResults(
    [windowOf(500), windowOf(500), windowOf(100)],
    [CHECK],
  );
  deepStrictEqual(rest, []);
  deepStrictEqual([first?.perS, second?.perS], [500, 100]);
  deepStrictEqual([first?.status, first?.rounds, first?.offered, first?.sent], [
    "ok",
    2,
    2000,
    2000,
  ]);
  strictEqual(first?.responseTime?.count, 2000);
  strictEqual(Math.round(first.responseTime.p50Us / 100), 69);
  strictEqual(first.responseTime.p999Us, null, "so few requests do not tell");
  strictEqual(first.measurableUpTo, 0.99);
});

Deno.test("no more responses count as goodput than were due, although a window answers older requests too", () => {
  const of = (offered: number): number | null | undefined => {
    const trialResult = windowOf(500, { offered, responseTime: latency(offered, () => 2) });
    const { window } = trialResult;
    if (window === null) throw new Error("no window");
    const measurement = { ...window.measurement, statuses: { "200": 1466 }, durationS: 1 };
    return deriveOpenLoopResults([{ ...trialResult, window: { ...window, measurement } }], [])[0]
      ?.goodputPerS;
  };
  deepStrictEqual([of(1340), of(2000)], [1340, 1466]);
});

Deno.test("closed loops have no response times", () => {
  deepStrictEqual(deriveOpenLoopResults(REPORT.trialResults, []), []);
});

Deno.test("a rate is unreached if a hundredth was not sent, or not answered", () => {
  const statusOf = (change: Partial<OpenRecord>): string | undefined =>
    deriveOpenLoopResults([windowOf(500, change)], [])[0]?.status;
  strictEqual(statusOf({ sent: 991, shed: 9, serviceTime: latency(991, () => 1) }), "ok");
  strictEqual(statusOf({ sent: 980, shed: 20, serviceTime: latency(980, () => 1) }), "unreached");
  strictEqual(statusOf({ unanswered: 20, serviceTime: latency(980, () => 1) }), "unreached");
  strictEqual(statusOf({ offered: 0, responseTime: null, serviceTime: null }), "failed");
});

Deno.test("where the load generator itself is late, percentiles are not the server's", () => {
  const upTo = (lateness: OpenRecord["lateness"]): number | undefined =>
    deriveOpenLoopResults([windowOf(500, { lateness })], [CHECK])[0]?.measurableUpTo;
  strictEqual(upTo(latency(1000, () => 0.6)), 0.99, "a tenth of the median");
  strictEqual(upTo(latency(1000, () => 0.8)), 0);
  strictEqual(upTo(latency(1000, (percent) => percent < 95 ? 0.1 : 5)), 0.9);
});

Deno.test("percentiles at which the check before the run was wrong are not the server's either", () => {
  const found = (change: Partial<OpenCheck["found"]>): OpenCheck => ({
    ...CHECK,
    found: { ...CHECK.found, ...change },
  });
  strictEqual(checkedUpTo(CHECK), 1);
  strictEqual(checkedUpTo(found({ p50Us: 1249 })), 1, "within 50 µs");
  strictEqual(checkedUpTo(found({ p99Us: 6299 })), 1, "within 5 %");
  strictEqual(checkedUpTo(found({ p50Us: 1300 })), 0);
  strictEqual(checkedUpTo(found({ p99Us: 5000 })), 0.9);
  strictEqual(checkedUpTo(found({ p90Us: null, p99Us: null })), 0.5, "so few tell no more");
  const [summary] = deriveOpenLoopResults([windowOf(500)], [found({ p90Us: 4000 })]);
  strictEqual(summary?.measurableUpTo, 0.5);
  // Five percent of its median of 7 ms is more than the error in the check of a fast server
  const [slow] = deriveOpenLoopResults([windowOf(500)], [found({ p50Us: 1500 })]);
  ok((slow?.measurableUpTo ?? 0) >= 0.5);
});
