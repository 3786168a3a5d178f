import { deepStrictEqual, notDeepStrictEqual, ok } from "node:assert/strict";
import { arrivalsOf, type Pace } from "./metronome.ts";

function first(count: number, pace: Pace): number[] {
  return arrivalsOf(pace).take(count).toArray();
}

Deno.test("arrivalsOf leaves equal gaps at an even pace", () => {
  deepStrictEqual(first(4, { kind: "even", gapMs: 12.5 }), [12.5, 25, 37.5, 50]);
});

Deno.test("arrivalsOf is a Poisson process, the same for the same seed", () => {
  const pace: Pace = { kind: "poisson", gapMs: 2, seed: 1 };
  const arrivals = first(100_000, pace);
  deepStrictEqual(first(5, pace), arrivals.slice(0, 5));
  notDeepStrictEqual(first(5, { ...pace, seed: 2 }), arrivals.slice(0, 5));
  const gaps = arrivals.map((at, i) => at - (arrivals[i - 1] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap) / gaps.length;
  ok(Math.abs(mean / 2 - 1) < 0.01, `${mean}`);
  // In an exponential distribution, the share below t is 1 - exp(-t / mean)
  for (const t of [0.1, 1, 2, 5, 10]) {
    const share = gaps.filter((gap) => gap < t).length / gaps.length;
    ok(Math.abs(share - (1 - Math.exp(-t / 2))) < 0.005, `${t}: ${share}`);
  }
  // Numbers of arrivals in steps of 20 ms: their variance equals their mean
  const counts = new Array(9_000).fill(0);
  for (const at of arrivals) if (at < 180_000) counts[Math.floor(at / 20)]++;
  const average = counts.reduce((sum, n) => sum + n) / counts.length;
  const variance = counts.reduce((sum, n) => sum + (n - average) ** 2, 0) / counts.length;
  ok(Math.abs(variance / average - 1) < 0.05, `${variance / average}`);
});
