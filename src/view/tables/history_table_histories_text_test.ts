import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { ResultHistory } from "../../analysis/histories.ts";
import type { IndexEntry } from "../../model/report.ts";
import {
  alikeRuns,
  datesOf,
  describeChangePoint,
  nameOfRun,
  withoutChanges,
} from "./history_table.ts";

const RUN: IndexEntry = {
  file: "a.json",
  createdAt: "2026-01-02T03:04:05.000Z",
  commit: { id: "0123456789abcdef", isDirty: true },
  kind: "run",
  complete: true,
  tls: null,
  machine: "2 x Fast",
  hasCosts: false,
  reference: null,
  results: [],
};

Deno.test("a run is called by its commit, or its time", () => {
  strictEqual(nameOfRun(RUN), "0123456+");
  strictEqual(nameOfRun({ ...RUN, commit: null }), "2026-01-02 03:04");
});

Deno.test("a change says how much, and between which runs", () => {
  const entries = [RUN, { ...RUN, commit: null, createdAt: "2026-01-03T00:00:00.000Z" }];
  strictEqual(
    describeChangePoint({ before: 0, after: 1, ratio: 1.1 }, entries),
    "+10.0 % from 0123456+ (2026-01-02) to 2026-01-03 00:00",
  );
});

Deno.test("where nothing changed, it is said whether it could have been found", () => {
  const history = (searched: number): ResultHistory => ({
    variant: "deno",
    scenario: "text",
    connections: 10,
    perS: null,
    results: [],
    changes: [],
    searched,
  });
  strictEqual(
    withoutChanges([history(3), history(9)]),
    "Too few runs to find a change: it takes 10 runs of several rounds with the same reference; there are 9.",
  );
  strictEqual(
    withoutChanges([history(10)]),
    "No change of the relative CPU time is proven in 10 runs.",
  );
});

Deno.test("runs have dates at an axis: with the year or the time where that tells them apart", () => {
  const on = (...times: string[]): string[] => datesOf(times.map((createdAt) => ({ createdAt })));
  deepStrictEqual(on("2026-01-02T03:04:05Z", "2026-01-03T03:04:05Z"), ["01-02", "01-03"]);
  deepStrictEqual(on("2025-12-31T03:04:05Z", "2026-01-03T03:04:05Z"), ["2025-12-31", "2026-01-03"]);
  deepStrictEqual(on("2026-01-02T03:04:05Z", "2026-01-02T05:06:07Z"), [
    "01-02 03:04",
    "01-02 05:06",
  ]);
});

Deno.test("runs of one round, over TLS or HTTP/2 are apart from the usual ones", () => {
  const results = (rounds: number): IndexEntry["results"] =>
    [{ rounds }] as unknown as IndexEntry["results"];
  const usual = { ...RUN, results: results(6) };
  const runs = [
    { ...usual, results: results(1) },
    usual,
    { ...usual, tls: "h2" },
    { ...usual, tls: "http/1.1" },
    { ...usual, tls: "h2", results: results(1) },
    usual,
  ] as const;
  deepStrictEqual(
    alikeRuns(runs).map(({ peculiarity, entries }) => [peculiarity, entries.length]),
    [["", 2], ["HTTP/2", 1], ["HTTP/2, one round", 1], ["one round", 1], ["TLS", 1]],
  );
});
