import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { noise, sample } from "../stats/stats_testdata.ts";
import {
  type Bisection,
  halvings,
  type IndexedLook,
  mostLooks,
  type Progress,
  progressOf,
  roundsOfLook,
  sideOf,
} from "./bisection.ts";

/** Runs a search to its end. `measure` returns the slowdowns of a candidate in one measurement. */
function search(
  count: number,
  slowdown: number,
  measure: (candidate: number) => readonly number[],
): Progress & { readonly looks: readonly IndexedLook[] } {
  const looks: IndexedLook[] = [];
  for (;;) {
    const progress = progressOf({ count, slowdown, looks });
    const { next: candidate } = progress;
    if (candidate === null) return { ...progress, looks };
    looks.push({ candidate, slowdowns: measure(candidate) });
    ok(looks.length <= 3 * count, "it ends");
  }
}

/** Returns rounds of a candidate without noise. */
const exact = (count: number, slowdown: number): number[] =>
  sample(roundsOfLook(count), () => slowdown);

Deno.test("a search finds the culprit at every place, in the fewest measurements", () => {
  for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 64]) {
    for (let culprit = 0; culprit < count; culprit++) {
      const measure = (one: number): number[] => exact(count, one < culprit ? 1 : 1.05);
      const { good, bad, looks } = search(count, 1.05, measure);
      deepStrictEqual([good, bad], [culprit - 1, culprit], `${culprit} of ${count}`);
      ok(looks.length <= halvings(count));
    }
  }
  strictEqual(halvings(64), 6);
});

Deno.test("candidates that cannot be measured remain as suspects only next to the culprit", () => {
  for (let count = 2; count <= 12; count++) {
    for (let culprit = 0; culprit < count; culprit++) {
      for (let broken = 0; broken < count - 1; broken++) {
        const measure = (one: number): number[] =>
          one === broken ? [] : exact(count, one < culprit ? 1 : 1.05);
        const { good, bad } = search(count, 1.05, measure);
        const isNext = broken === culprit || broken === culprit - 1;
        const suspects = isNext ? 2 : 1;
        strictEqual(bad - good, suspects, `${culprit} of ${count} without ${broken}`);
        ok(good < culprit && culprit <= bad);
      }
    }
  }
  const none = search(9, 1.05, () => []);
  deepStrictEqual([none.good, none.bad, none.looks.length], [-1, 8, 8]);
});

Deno.test("an undecided candidate is measured again, and all rounds count; then another one is", () => {
  const level = (one: number): number => one < 4 ? 1 : one === 4 ? Math.sqrt(1.1) : 1.1;
  const { good, bad, looks } = search(9, 1.1, (one) => exact(9, level(one)));
  deepStrictEqual([good, bad], [3, 5]);
  deepStrictEqual(looks.map(({ candidate }) => candidate), [3, 5, 4, 4, 4, 4]);
  const few: Bisection = { count: 9, slowdown: 1.1, looks: [{ candidate: 3, slowdowns: [1, 1] }] };
  strictEqual(sideOf(few, 3), "undecided");
  strictEqual(progressOf(few).next, 3);
  const more = { candidate: 3, slowdowns: exact(9, 1) };
  strictEqual(sideOf({ ...few, looks: [...few.looks, more] }, 3), "good");
});

Deno.test("a search that cannot decide ends after the measurements that its level allows for", () => {
  const { good, bad, looks } = search(64, 1.05, () => exact(64, Math.sqrt(1.05)));
  deepStrictEqual([good, bad, looks.length], [-1, 63, mostLooks(64)]);
});

Deno.test("a slow candidate before a fast one keeps the search between two known ones", () => {
  const { good, bad } = search(8, 1.05, (one) => exact(8, one === 1 || one === 7 ? 1.05 : 1));
  ok(good < bad && bad - good === 1, `${good} ${bad}`);
});

Deno.test("with fourteen rounds in a measurement, a search rarely goes wrong or takes many", () => {
  const normal = noise(7);
  const [count, slowdown, rounds, runs] = [64, 1.05, 14, 200];
  let [right, wrong, measured] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const culprit = run % count;
    const { good, bad, looks } = search(count, slowdown, (one) => {
      const level = one < culprit ? 1 : slowdown;
      // Every twentieth round has three times the scatter of the others
      return sample(rounds, (i) => level * Math.exp((i === run % 20 ? 3 : 1) * 0.012 * normal()));
    });
    if (bad - good === 1 && bad === culprit) right++;
    if (culprit <= good || culprit > bad) wrong++;
    measured += looks.length;
  }
  ok(wrong <= 0.05 * runs, `${wrong} wrong`);
  ok(right >= 0.95 * runs, `${right} right`);
  ok(measured / runs < halvings(count) + 1, `${measured / runs} measurements`);
});
