import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { CountKind, CountRecord } from "../model/counts.ts";
import { compareCounts } from "./count_changes.ts";

function record(
  variant: string,
  processes: readonly (readonly number[])[],
  kind: CountKind = "system-call",
  name: string | null = kind === "system-call" ? "write" : null,
): CountRecord {
  return { variant, scenario: "text", kind, name, per: "request", processes };
}

const compare = (...records: CountRecord[]) => compareCounts(records, [], ["base", "head"]);
const steady = (value: number): number[][] => [[value, value, value], [value, value, value]];

Deno.test("a whole number that differs is exact, and background calls do not disturb it", () => {
  const { changes, compared } = compare(
    record("base", [[1, 1.02, 1], [1, 1, 1.4]]),
    record("head", [[2, 2.03, 2.01], [2, 2, 2]]),
  );
  strictEqual(compared, 1);
  deepStrictEqual(changes.map(({ base, head, isExact }) => [base, head, isExact]), [[1, 2, true]]);
});

Deno.test("a call that only one side makes counts as 0 at the other one, if that was traced", () => {
  const traced = (variant: string): CountRecord =>
    record(variant, steady(1), "system-call", "sendto");
  const [change] = compare(record("head", steady(1)), traced("base"), traced("head")).changes;
  deepStrictEqual([change?.base, change?.head, change?.isExact], [0, 1, true]);
  const [gone] = compare(record("base", steady(1)), traced("base"), traced("head")).changes;
  deepStrictEqual([gone?.base, gone?.head], [1, 0]);
  deepStrictEqual(compare(record("base", steady(1))).changes, []);
});

Deno.test("how often a thread waits must differ by more, because that depends on timing", () => {
  const waits = (kind: CountKind, name: string | null): readonly unknown[] =>
    compare(record("base", steady(1), kind, name), record("head", steady(1.4), kind, name)).changes;
  deepStrictEqual(waits("system-call", "epoll_wait"), []);
  deepStrictEqual(waits("context-switch", null), []);
  strictEqual(waits("system-call", "sendto").length, 1);
});

Deno.test("other counts that only one side has are not compared", () => {
  const { changes, compared } = compare(record("head", steady(800), "allocated-bytes"));
  deepStrictEqual([changes, compared], [[], 0]);
});

Deno.test("a count that varies from process to process is named, and not compared", () => {
  const found = compare(
    record("base", [[1, 1, 1], [1.5, 1.5, 1.5]]),
    record("head", steady(3)),
  );
  // Go's reads: the medians of both processes are equal
  const reads = record("base", [[1, 1, 2], [2, 1, 1]]);
  deepStrictEqual(compare(reads, record("head", steady(2))).varying, ["write"]);
  deepStrictEqual([found.changes, found.varying, found.compared], [[], ["write"], 0]);
  // Too small to matter
  deepStrictEqual(compare(record("base", [[0, 0, 0], [0.15, 0.15, 0.15]])).varying, []);
});

Deno.test("fractions are compared, but are not exact", () => {
  const { changes } = compare(record("base", steady(1.5)), record("head", steady(2)));
  deepStrictEqual(changes.map(({ isExact }) => isExact), [false]);
  deepStrictEqual(compare(record("base", steady(1)), record("head", steady(1.15))).changes, []);
});

Deno.test("allocated bytes differ from 5 % on, because V8 optimises processes differently", () => {
  const heap = (variant: string, a: number, b = a): CountRecord =>
    record(variant, [[a, a, a], [b, b, b]], "allocated-bytes");
  deepStrictEqual(compare(heap("base", 6362), heap("head", 6484)).changes, []);
  deepStrictEqual(compare(heap("base", 6362, 6484), heap("head", 6484)).varying, []);
  const [change] = compare(heap("base", 800), heap("head", 900)).changes;
  deepStrictEqual([change?.base, change?.head], [800, 900]);
});

Deno.test("the largest relative change comes first", () => {
  const { changes } = compare(
    record("base", steady(10), "system-call", "read"),
    record("head", steady(11), "system-call", "read"),
    record("base", steady(1), "system-call", "close"),
    record("head", steady(2), "system-call", "close"),
  );
  deepStrictEqual(changes.map(({ name }) => name), ["close", "read"]);
});
