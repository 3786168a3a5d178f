import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { parseSlo } from "../experiment/slo.ts";
import type { CapacityTrial } from "../model/derived.ts";
import type { Measurement, OpenRecord } from "../model/raw.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { MEASUREMENT } from "../view/testdata/trial_result.ts";
import { capacityTrialOf, nextStep } from "./capacities.ts";

const SLO = parseSlo("p99<10ms,errors<0.1%");

/** Makes the times of a thousand requests. `msOf` returns the milliseconds of each hundredth of them. */
function times(msOf: (percent: number) => number): OpenRecord["responseTime"] {
  const histogram = newHistogram();
  for (let i = 0; i < 1000; i++) record(histogram, msOf(Math.floor(i / 10)));
  return describe(histogram);
}

function trialOf(
  change: Partial<OpenRecord>,
  seen: Partial<Measurement> = {},
  slo = SLO,
): CapacityTrial | null {
  const open: OpenRecord = {
    offered: 1000,
    sent: 1000,
    failed: 0,
    unanswered: 0,
    shed: 0,
    recoveryS: 0,
    responseTime: times(() => 5),
    lateness: times(() => 0.1),
    wait: times(() => 0.1),
    serviceTime: times(() => 5),
    ...change,
  };
  const measurement = { ...MEASUREMENT, durationS: 2, statuses: { "200": 1000 }, ...seen, open };
  return capacityTrialOf(measurement, 500, false, slo);
}

Deno.test("an SLO is met if every percentile is below its limit, and few requests fail", () => {
  deepStrictEqual(trialOf({}), {
    perS: 500,
    isFresh: false,
    isMet: true,
    isMeasurable: true,
    achievedPerS: 500,
  });
  const isMet = (...args: Parameters<typeof trialOf>): boolean | undefined =>
    trialOf(...args)?.isMet;
  strictEqual(isMet({ responseTime: times((percent) => percent < 98 ? 5 : 11) }), false);
  strictEqual(isMet({ responseTime: times((percent) => percent < 99 ? 5 : 11) }), true);
  strictEqual(isMet({ responseTime: null }), false);
  strictEqual(isMet({ shed: 1 }), false, "a tenth of a percent is not less than that");
  strictEqual(isMet({ unanswered: 1 }), false);
  strictEqual(isMet({}, { wrongResponses: 1 }), false);
  strictEqual(isMet({}, { statuses: { "200": 999, "503": 1 } }), false);
  const lenient = parseSlo("p99<10ms");
  strictEqual(isMet({ failed: 9 }, {}, lenient), true);
  strictEqual(isMet({ failed: 10 }, {}, lenient), false);
});

Deno.test("what is missed only since the load generator was late says nothing of the server", () => {
  const found = (responseMs: number, latenessMs: number): (boolean | undefined)[] => {
    const trial = trialOf({
      responseTime: times(() => responseMs),
      lateness: times(() => latenessMs),
    });
    return [trial?.isMet, trial?.isMeasurable];
  };
  deepStrictEqual(found(12, 4), [false, false]);
  deepStrictEqual(found(15, 4), [false, true]);
  deepStrictEqual(found(9, 8), [true, true], "it was met although the load came late");
  const refused = trialOf({ shed: 100, responseTime: times(() => 12), lateness: times(() => 4) });
  deepStrictEqual([refused?.isMet, refused?.isMeasurable], [false, true]);
});

Deno.test("a closed loop has no capacity", () => {
  strictEqual(capacityTrialOf(MEASUREMENT, 1, false, SLO), null);
});

const OPTIONS = { startPerS: 100, width: 0.1, leastPerS: 1 };

/** Searches a server's capacity and returns the outcome and the number of trials. */
function search(
  holds: (perS: number, isFresh: boolean, count: number) => boolean,
  reaches: (perS: number) => boolean = () => true,
): { found: ReturnType<typeof nextStep>; trials: CapacityTrial[] } {
  const trials: CapacityTrial[] = [];
  for (;;) {
    const step = nextStep(trials, OPTIONS);
    if (step.kind === "found") return { found: step, trials };
    ok(trials.length < 100, "it never ends");
    const { perS, isFresh } = step;
    const isMeasurable = reaches(perS);
    const isMet = isMeasurable && holds(perS, isFresh, trials.length);
    trials.push({ perS, isFresh, isMet, isMeasurable, achievedPerS: perS });
  }
}

Deno.test("a search ends with a narrow interval around the capacity, wherever that is", () => {
  for (const capacity of [3, 47, 99, 100, 101, 640, 12_345]) {
    const { found, trials } = search((perS) => perS <= capacity);
    if (found.kind !== "found") throw new Error("not found");
    const { heldPerS, failedPerS, isOfGenerator } = found;
    ok(heldPerS !== null && failedPerS !== null);
    ok(heldPerS <= capacity && capacity < failedPerS, `${heldPerS} to ${failedPerS}`);
    ok(failedPerS / heldPerS <= 1.1);
    strictEqual(isOfGenerator, false);
    const fresh = trials.filter(({ isFresh }) => isFresh).map(({ perS }) => perS);
    const ends = [heldPerS, heldPerS, failedPerS, failedPerS];
    deepStrictEqual(fresh, ends, "both are confirmed at last");
    ok(trials.length <= 40, String(trials.length));
  }
});

Deno.test("a bad moment is no bottleneck", () => {
  const { found } = search((perS, _isFresh, count) => perS <= 200 && count % 5 !== 1);
  const { found: calm } = search((perS) => perS <= 200);
  deepStrictEqual(found, calm);
});

Deno.test("a rate that fresh processes do not hold is not the capacity", () => {
  const { found } = search((perS, isFresh) => perS <= (isFresh ? 150 : 200));
  if (found.kind !== "found") throw new Error("not found");
  ok((found.heldPerS ?? 0) <= 150 && (found.heldPerS ?? 0) > 150 / 1.2, String(found.heldPerS));
});

Deno.test("a server that meets the SLO at no rate is said to", () => {
  const { found } = search(() => false);
  strictEqual(found.kind === "found" && found.heldPerS, null);
});

Deno.test("what the load generator cannot send is no bottleneck of the server", () => {
  const { found } = search(() => true, (perS) => perS <= 5000);
  if (found.kind !== "found") throw new Error("not found");
  strictEqual(found.isOfGenerator, true);
  ok((found.heldPerS ?? 0) > 4000 && (found.failedPerS ?? 0) > 5000);
});

Deno.test("moments in which the load generator was late are no bottleneck of anyone's", () => {
  let seen = 0;
  const { found } = search((perS) => perS <= 200, () => seen++ % 3 !== 1);
  const { found: calm } = search((perS) => perS <= 200);
  deepStrictEqual(found, calm);
});

Deno.test("a bad time, which several trials see, is no bottleneck", () => {
  const { found } = search((perS, _isFresh, count) => perS <= 200 && (count < 4 || count > 9));
  if (found.kind !== "found") throw new Error("not found");
  const { heldPerS, failedPerS } = found;
  ok(heldPerS !== null && failedPerS !== null);
  ok(heldPerS <= 200 && failedPerS > 200, `${heldPerS} to ${failedPerS}`);
});
