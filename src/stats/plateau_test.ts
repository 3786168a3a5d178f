import { strictEqual } from "node:assert/strict";
import { driftOf, isClimbing, isFalling, type Sample } from "./plateau.ts";
import { seededRandom } from "./shuffle.ts";

/** Returns the samples of a load with these rates, each for a twentieth of a second. */
function load(rates: readonly number[]): Sample[] {
  let requests = 0;
  return rates.map((rate, i) => ({ seconds: (i + 1) / 20, requests: requests += rate / 20 }));
}

Deno.test("isClimbing tells a server that is still being compiled from one that is level", () => {
  // Rates of fastify in quarters of a second next to a compiler, interpolated linearly
  const quarters = [2051, 6267, 12691, 14058, 15670];
  const cold = quarters.flatMap((rate, i) =>
    [0, 1, 2, 3, 4].map((part) => rate + part / 5 * ((quarters[i + 1] ?? rate) - rate))
  );
  strictEqual(isClimbing(load(cold.slice(0, 10))), true);
  strictEqual(isClimbing(load(cold.slice(0, 15))), true);
  strictEqual(isClimbing(load([...cold, ...Array(40).fill(15_670)])), false);
  strictEqual(isClimbing(load(Array(10).fill(5000))), false);
  strictEqual(isClimbing(load([9000, 8000, 7000, 6000, 5000, 4000, 3000, 2000])), false);
  strictEqual(isClimbing([]), false);
  strictEqual(isClimbing(load([0, 0, 0, 0])), false, "nothing answered");
});

Deno.test("isClimbing looks at requests too: by time a burst after a long stall is level", () => {
  // No requests for a second, then a rate that doubles with each of the last samples
  const burst = [...Array(20).fill(0), 500, 1000, 2000, 4000];
  strictEqual(isClimbing(load(burst)), true);
  const bySamples = [
    { seconds: 1, requests: 100 },
    { seconds: 2, requests: 200 },
    {
      seconds: 2.9,
      requests: 290,
    },
    { seconds: 3, requests: 400 },
    { seconds: 3.1, requests: 600 },
  ];
  strictEqual(isClimbing(bySamples), true);
});

Deno.test("isFalling compares the last quarter of some values with the one before", () => {
  strictEqual(isFalling([40, 30, 20, 10]), true);
  strictEqual(isFalling([40, 20, 10, 10, 10, 10, 10, 10]), false);
  strictEqual(isFalling([10, 10, 10, 9.8]), false);
  strictEqual(isFalling([40, 10]), false, "too few to tell");
});

Deno.test("driftOf finds values that moved all the time, and not those that scatter", () => {
  const climbing = Array.from({ length: 40 }, (_, i) => 1 + i / 40);
  strictEqual(driftOf(climbing).toFixed(2), "0.52");
  strictEqual(driftOf(climbing.toReversed()).toFixed(2), "-0.52");
  strictEqual(driftOf(climbing.slice(0, 8)), 0, "too few to tell");
  strictEqual(driftOf(Array.from({ length: 40 }, (_, i) => 1 + i / 1000)), 0);
  const random = seededRandom(7);
  const noisy = Array.from(
    { length: 200 },
    () => driftOf(Array.from({ length: 40 }, () => Math.exp(0.2 * (random() - 0.5)))),
  );
  const wrong = noisy.filter((drift) => drift !== 0).length;
  strictEqual(wrong < 10, true, `${wrong} of 200`);
});
