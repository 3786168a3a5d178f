import { ok, strictEqual, throws } from "node:assert/strict";
import { waitQuantile, waitsAtMost } from "./md1.ts";
import { seededRandom } from "./shuffle.ts";

/** Erlang's formula, https://en.wikipedia.org/wiki/M/D/1_queue, which is exact where few services are waited for. */
function erlang(time: number, load: number): number {
  let sum = 0;
  for (let k = 0, factorial = 1; k <= time; k++, factorial *= k) {
    sum += (load * (k - time)) ** k / factorial * Math.exp(-load * (k - time));
  }
  return (1 - load) * sum;
}

function near(actual: number, expected: number, within: number, what: string): void {
  ok(Math.abs(actual - expected) <= within, `${what}: ${actual} instead of ${expected}`);
}

Deno.test("waitsAtMost agrees with Erlang's formula", () => {
  for (const load of [0.05, 0.3, 0.5, 0.8, 0.95]) {
    for (const time of [0, 0.2, 0.99, 1, 1.5, 2, 3.7, 6]) {
      near(waitsAtMost(time, load), erlang(time, load), 1e-9, `${time} at ${load}`);
    }
  }
  strictEqual(waitsAtMost(-1, 0.5), 0);
  strictEqual(waitsAtMost(3, 0), 1);
  near(waitsAtMost(0, 0.7), 0.3, 1e-12, "the share that does not wait");
});

Deno.test("the mean wait is that of Pollaczek and Khinchine", () => {
  // load / (2 (1 - load)), https://en.wikipedia.org/wiki/Pollaczek%E2%80%93Khinchine_formula
  for (const load of [0.2, 0.5, 0.8, 0.9]) {
    const step = 0.01;
    let mean = 0;
    for (let time = step / 2; time < 150; time += step) {
      mean += step * (1 - waitsAtMost(time, load));
    }
    near(mean, load / (2 * (1 - load)), 0.002 * mean, `at ${load}`);
  }
});

Deno.test("waitQuantile agrees with a queue that is simulated", () => {
  const random = seededRandom(7);
  for (const load of [0.5, 0.8]) {
    const waits = new Float64Array(400_000);
    let wait = 0; // Lindley's recursion
    for (let i = 0; i < waits.length; i++) {
      waits[i] = wait;
      wait = Math.max(0, wait + 1 + Math.log(1 - random()) / load);
    }
    waits.sort();
    for (const share of [0.6, 0.9, 0.99]) {
      const simulated = waits[Math.floor(share * waits.length)] ?? NaN;
      near(waitQuantile(share, load), simulated, 0.02 * simulated + 0.01, `${share} at ${load}`);
    }
  }
  strictEqual(waitQuantile(0.5, 0.5), 0);
});

Deno.test("a queue with a load of one has no end, and is refused", () => {
  for (const load of [1, 1.5, -0.1, NaN]) throws(() => waitsAtMost(1, load), RangeError);
});
