import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { CapacityTrial } from "../model/capacity.ts";
import { nextStep, type SearchStep } from "./search_step.ts";

const OPTIONS = { startPerS: 100, width: 0.1, leastPerS: 1 };

/** Searches a server's capacity and returns the outcome and the number of trials. */
function search(
  holds: (perS: number, isFresh: boolean, count: number) => boolean,
  reaches: (perS: number) => boolean = () => true,
): { found: SearchStep; trials: CapacityTrial[] } {
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
