import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { parseSlo } from "../experiment/parse_slo.ts";
import type { CapacityTrial } from "../model/capacity.ts";
import type { Measurement, OpenRecord } from "../model/raw.ts";
import { describe, newHistogram, record } from "../stats/histogram.ts";
import { MEASUREMENT } from "../view/testdata/trial_result.ts";
import { capacityTrialOf } from "./capacity_trial.ts";

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
