import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { SelfTimes } from "../model/profile.ts";
import { compareFunctions } from "./function_changes.ts";

const WORKLOAD = { scenario: "text", connections: 10, perS: null };
const ROUNDS = 6;
/** CPU time outside of JavaScript. */
const OUTSIDE_US = 60;

/** Returns a small deterministic deviation from 1, different for each function and round. */
const noise = (seed: number): number => 1 + 0.05 * Math.sin(seed * 12.9898);

/** Makes the profiles of a variant from the time of each function, in µs. */
function profiles(
  variant: string,
  times: Readonly<Record<string, number>>,
  { speed = (_round: number): number => 1, file = "main.js" } = {},
): SelfTimes[] {
  return Array.from({ length: ROUNDS }, (_round, round): SelfTimes => {
    const functions = Object.entries(times).map(([name, us], i) => ({
      name,
      place: `app/${file}:${i + 1}`,
      kind: "own" as const,
      samples: Math.round(100 * us * speed(round) * noise(i + 7 * round + variant.length)),
    }));
    const total = Object.values(times).reduce((sum, us) => sum + us, 0);
    const own = functions.reduce((sum, { samples }) => sum + samples, 0);
    const samples = Math.round(own * (total + OUTSIDE_US) / total);
    return {
      variant,
      ...WORKLOAD,
      round: round + 1,
      cpuUs: (total + OUTSIDE_US) * noise(round + variant.length),
      sampledUs: (total + OUTSIDE_US) * noise(round + variant.length),
      samples,
      functions,
      reason: null,
    };
  });
}

const EQUAL = Object.fromEntries(Array.from({ length: 12 }, (_one, i) => [`work${i}`, 5]));
const PAIR = ["base", "head"] as const;
const compare = (...all: SelfTimes[]) => {
  const [found] = compareFunctions(all, PAIR);
  ok(found);
  return found;
};

Deno.test("a slower function is proven, alone and first", () => {
  const { changes, compared } = compare(
    ...profiles("base", EQUAL),
    ...profiles("head", { ...EQUAL, work3: 9 }),
  );
  strictEqual(compared, 13); // with the time outside of JavaScript
  deepStrictEqual(changes.filter(({ isProven }) => isProven).map(({ name }) => name), ["work3"]);
  const [{ baseUs = 0, headUs = 0, low = 0, high = 0 } = {}] = changes;
  ok(Math.abs(headUs - baseUs - 4) < 0.5 && low > 3 && high < 5, `${low} to ${high}`);
});

Deno.test("a busy machine, which stretches all samples of a process, changes no function", () => {
  const { changes } = compare(
    ...profiles("base", EQUAL, { speed: (round) => round % 2 === 0 ? 5 : 1 }),
    ...profiles("head", EQUAL, { speed: (round) => 1 + round }),
  );
  deepStrictEqual(changes.filter(({ isProven }) => isProven), []);
});

Deno.test("a function that becomes much slower does not make the others look faster", () => {
  const { changes } = compare(
    ...profiles("base", EQUAL),
    ...profiles("head", { ...EQUAL, work3: 60 }),
  );
  const proven = changes.filter(({ isProven, kind }) => isProven && kind === "own");
  deepStrictEqual(proven.map(({ name }) => name), ["work3"]);
});

Deno.test("if all functions become faster, none looks slower", () => {
  const third = Object.fromEntries(Object.entries(EQUAL).map(([name, us]) => [name, us / 3]));
  const { changes } = compare(
    ...profiles("base", EQUAL),
    ...profiles("head", { ...third, work3: 5 }, { speed: (round) => 1 + round }),
  );
  const proven = changes.filter(({ isProven, kind }) => isProven && kind === "own");
  deepStrictEqual(proven.length, 11);
  for (const { name, baseUs, headUs } of proven) {
    ok(name !== "work3" && Math.abs(baseUs - headUs - 10 / 3) < 0.5, `${name} ${baseUs} ${headUs}`);
  }
});

Deno.test("a round with too few functions is not scaled", () => {
  const third = Object.fromEntries(Object.entries(EQUAL).map(([name, us]) => [name, us / 3]));
  const head = profiles("head", third);
  const [first, ...others] = head;
  ok(first);
  const few = { ...first, functions: first.functions.slice(0, 4) };
  const headUsOf = (head: readonly SelfTimes[]): number =>
    compare(...profiles("base", EQUAL), ...head).changes.find(({ name }) => name === "work3")
      ?.headUs ?? NaN;
  // The four functions share the time of all: 5 µs instead of 5 / 3 in one of six rounds
  const expected = headUsOf(head) + (5 - 5 / 3) / ROUNDS;
  ok(Math.abs(headUsOf([few, ...others]) - expected) < 0.15);
});

Deno.test("functions are matched if their folder, line or name differs", () => {
  const { work0: _, ...others } = EQUAL;
  const moved = compare(
    ...profiles("base", EQUAL),
    ...profiles("head", EQUAL, { file: "lib/main.js" }),
  );
  strictEqual(moved.compared, 13);
  deepStrictEqual(moved.changes.filter(({ isProven }) => isProven), []);
  const renamed = compare(
    ...profiles("base", EQUAL),
    ...profiles("head", { ...others, renamed: 5 }),
  );
  strictEqual(renamed.compared, 13);
  strictEqual(renamed.changes.find(({ name }) => name === "renamed")?.was, "work0");
});

Deno.test("a function that is new or gone is compared with nothing", () => {
  const { work0: _, work1: __, ...others } = EQUAL;
  const { changes } = compare(
    ...profiles("base", EQUAL),
    ...profiles("head", { ...others, first: 5, second: 5, third: 5 }),
  );
  const proven = changes.filter(({ isProven }) => isProven).map(({ name }) => name).sort();
  deepStrictEqual(proven, ["first", "second", "third", "work0", "work1"]);
});

Deno.test("without CPU times the functions are compared, but not the time outside of them", () => {
  const unknown = (all: SelfTimes[]): SelfTimes[] => all.map((one) => ({ ...one, cpuUs: null }));
  const { changes, compared } = compare(
    ...unknown(profiles("base", EQUAL)),
    ...unknown(profiles("head", { ...EQUAL, work3: 9 })),
  );
  strictEqual(compared, 12);
  deepStrictEqual(changes.filter(({ isProven }) => isProven).map(({ name }) => name), ["work3"]);
});

Deno.test("without a profile there is only the reason", () => {
  const reason = { kind: "no-inspector", command: "bun" } as const;
  const [one] = profiles("base", EQUAL) as [SelfTimes];
  const found = compare({ ...one, functions: [], samples: 0, reason });
  deepStrictEqual([found.reason, found.compared, found.changes], [reason, 0, []]);
  deepStrictEqual(compareFunctions([], PAIR), []);
});
