import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ProcessScope } from "../process/scope.ts";
import { arrivalsOf } from "./metronome.ts";
import { BUILT_IN_GENERATORS } from "./generator_list.ts";
import { checkOpenLoop, waitsOf } from "./open_check.ts";
import { RunningGenerator } from "./running.ts";

const SHORT_TIMEOUTS = { freshWarmupS: 0, limitS: null };
const never = new AbortController().signal;

Deno.test("the open loop is checked at a server whose response times theory knows", async () => {
  await using scope = new ProcessScope();
  await using generator = new RunningGenerator(scope, BUILT_IN_GENERATORS[1], null, SHORT_TIMEOUTS);
  const open = { perS: 400, arrivals: "poisson", seed: 5 } as const;
  const check = await checkOpenLoop({ scope, generator, cpus: null }, open, 20, never);
  strictEqual(check.perS, 400);
  // The check asks for half of its capacity: 1.25 ms per request. Other tests may use the processors
  // too
  ok(check.serviceUs >= 1250 && check.serviceUs < 10 * 1250, String(check.serviceUs));
  ok(check.aloneUs >= 1250, String(check.aloneUs));
  ok(Math.abs(check.offered - 800) < 6 * Math.sqrt(800), String(check.offered));
  const { expected, found } = check;
  for (const { p50Us, p99Us } of [expected, found]) {
    ok(p50Us !== null && p99Us !== null && p50Us >= 1250 && p99Us > p50Us);
  }
  ok((expected.p50Us ?? 0) >= check.aloneUs);
});

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
