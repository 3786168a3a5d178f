import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Warming } from "./warming.ts";

/**
 * Warms up at a rate that depends on the time, in steps of 50 ms.
 *
 * @returns the seconds until the end.
 */
function warm(warming: Warming, perS: (seconds: number) => number): number {
  let requests = 0;
  for (let i = 1; i < 1000; i++) {
    requests += Math.round(perS(i / 20) / 20);
    warming.add({ seconds: i / 20, requests });
    if (warming.isOver) return i / 20;
  }
  throw new Error("It never ends");
}

Deno.test("a warm-up at a level rate ends when it was asked to", () => {
  const warming = new Warming(0.5, 5.5);
  strictEqual(warm(warming, () => 10_000), 0.5);
  deepStrictEqual(warming.record, { tookS: 0.5, requests: 5000, isSteady: true });
});

Deno.test("a warm-up goes on until the rate no longer climbs", () => {
  const warming = new Warming(0.5, 10);
  // While a compiler runs: 2,051 responses a second at first, 15,670 after two seconds
  const tookS = warm(warming, (s) => Math.min(15_670, 2051 + 6800 * s));
  ok(tookS > 2.3 && tookS < 5, String(tookS));
  strictEqual(warming.record.isSteady, true);
});

Deno.test("a warm-up has a bound, and says that the rate still climbed there", () => {
  const warming = new Warming(0.5, 2);
  strictEqual(warm(warming, (s) => 1000 * 4 ** s), 2);
  strictEqual(warming.record.isSteady, false);
});

Deno.test("few requests are no plateau, unless the server is slow", () => {
  strictEqual(warm(new Warming(0.5, 10), () => 1250), 0.8);
  strictEqual(warm(new Warming(0.5, 10), () => 100), 1);
});

Deno.test("a warm-up of a fixed length is never longer", () => {
  const warming = new Warming(0.5, 0.5);
  strictEqual(warm(warming, (s) => 1000 * 4 ** s), 0.5);
  strictEqual(new Warming(0, 0).record.isSteady, null);
});
