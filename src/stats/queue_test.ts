import { deepStrictEqual, ok } from "node:assert/strict";
import { arrivalsOf } from "../load/arrivals.ts";
import { waitsOf } from "./queue.ts";

/**
 * Returns the share of arrivals that wait at most a number of service times: Erlang,
 * https://en.wikipedia.org/wiki/M/D/1_queue
 */
function erlang(time: number, load: number): number {
  let [sum, factorial] = [0, 1];
  for (let k = 0; k <= time; k++) {
    if (k > 0) factorial *= k;
    sum += (load * (k - time)) ** k / factorial * Math.exp(-load * (k - time));
  }
  return (1 - load) * sum;
}

Deno.test("waitsOf lets each wait for those before it", () => {
  deepStrictEqual(waitsOf([0, 1, 1.5, 9, 9], 2), [0, 1, 2.5, 0, 2]);
  deepStrictEqual(waitsOf([], 2), []);
});

Deno.test("Poisson arrivals wait as in the queue M/D/1", () => {
  for (const load of [0.3, 0.5, 0.8]) {
    const count = 400_000;
    const pace = { kind: "poisson", gapMs: 1 / load, seed: 5 } as const;
    const waits = waitsOf(arrivalsOf(pace).take(count), 1);
    for (const time of [0, 0.5, 1, 2, 4]) {
      const share = waits.filter((wait) => wait <= time).length / count;
      ok(Math.abs(share - erlang(time, load)) < 0.01, `${time} at ${load}: ${share}`);
    }
    // Pollaczek and Khinchine, https://en.wikipedia.org/wiki/Pollaczek%E2%80%93Khinchine_formula
    const mean = waits.reduce((sum, wait) => sum + wait) / count;
    ok(Math.abs(mean / (load / (2 * (1 - load))) - 1) < 0.05, `${mean} at ${load}`);
  }
});
