import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { isClimbing, type Sample } from "../stats/plateau.ts";
import { mayEnd, warmupRecord } from "./warming.ts";

/** Warms up at a rate that depends on the time, in steps of 50 ms; returns the samples. */
function warm(leastS: number, mostS: number, perS: (seconds: number) => number): Sample[] {
  const samples: Sample[] = [];
  let requests = 0;
  while (!mayEnd(samples, leastS, mostS)) {
    const seconds = (samples.length + 1) / 20;
    requests += Math.round(perS(seconds) / 20);
    samples.push({ seconds, requests });
    if (seconds > 50) throw new Error("It never ends");
  }
  return samples;
}

Deno.test("a warm-up at a level rate ends when it was asked to", () => {
  const samples = warm(0.5, 5.5, () => 20_000);
  strictEqual(isClimbing(samples), false);
  const record = warmupRecord(samples.at(-1) as Sample, true);
  deepStrictEqual(record, { tookS: 0.5, requests: 10_000, isSteady: true });
});

Deno.test("a warm-up goes on until the rate no longer climbs", () => {
  // While a compiler runs: 2,051 responses a second at first, 15,670 after two seconds
  const samples = warm(0.5, 10, (s) => Math.min(15_670, 2051 + 6800 * s));
  const tookS = samples.at(-1)?.seconds ?? NaN;
  ok(tookS > 2.3 && tookS < 5, String(tookS));
  strictEqual(isClimbing(samples), false);
});

Deno.test("a warm-up has a bound, even if the rate still climbs there", () => {
  const samples = warm(0.5, 2, (s) => 1000 * 4 ** s);
  deepStrictEqual([samples.at(-1)?.seconds, isClimbing(samples)], [2, true]);
});

Deno.test("few requests are no plateau, unless the server is slow", () => {
  strictEqual(warm(0.5, 10, () => 9375).at(-1)?.seconds, 0.8);
  strictEqual(warm(0.5, 10, () => 100).at(-1)?.seconds, 1);
});

Deno.test("a warm-up of a fixed length is never longer", () => {
  strictEqual(warm(0.5, 0.5, (s) => 1000 * 4 ** s).at(-1)?.seconds, 0.5);
  ok(mayEnd([], 0, 0));
});
