import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Change, Changes, Reason } from "../../model/derived.ts";
import { messageReason } from "../testdata/result.ts";
import { changesNotes } from "./changes_notes.ts";
import { changesTable } from "./changes_table.ts";

const SAME: Change = {
  variant: "deno",
  scenario: "text",
  connections: 10,
  perS: null,
  verdict: "same",
  reasons: [],
  metric: "requestsPerS",
  method: "windows",
  isConfirmed: null,
  base: 1000,
  head: 1032,
  baseRounds: 6,
  headRounds: 6,
  ratio: 1.032,
  confidenceInterval: { low: 0.99, high: 1.07, coverage: 0.96 },
  pValue: 0.31,
  minimumDetectableChange: 0.041,
  floor: 0,
  familyConfidenceInterval: null,
  isBroken: false,
};
const of = (...changes: Change[]): Changes => ({
  changes,
  costs: [],
  machineRatio: null,
  neededRounds: null,
  noiseSource: null,
  counts: null,
  functions: [],
});

Deno.test("changesTable shows both figures, the change and what is proven", () => {
  const slower: Change = {
    ...SAME,
    scenario: "json",
    verdict: "slower",
    metric: "serverCpuUs",
    base: 10,
    head: 12,
    ratio: 1.2,
    confidenceInterval: { low: 1.15, high: 1.26, coverage: 0.96 },
    pValue: 0.0043,
  };
  const { columns, rows } = changesTable(of(SAME, slower));
  strictEqual(columns.some(({ heading }) => heading === "Conns"), false);
  deepStrictEqual(rows.map(({ cells }) => cells), [
    [
      "deno",
      "text",
      "Req/Sec",
      "1,000",
      "1,032",
      "+3.2 %",
      "−1.0 % to +7.0 %",
      "0.31",
      "no detectable change",
      "4.1 %",
    ],
    [
      "deno",
      "json",
      "CPU/req",
      "10.0 µs",
      "12.0 µs",
      "+20.0 %",
      "+15.0 % to +26.0 %",
      "0.0043",
      "slower",
      "4.1 %",
    ],
  ]);
});

Deno.test("changesTable says why something cannot be compared, and what no round could prove", () => {
  const reasons: readonly Reason[] = [
    { kind: "differs", what: "load: shards", was: "1", is: "2" },
    { kind: "not-ok", status: "failed", where: "HEAD", reason: messageReason("killed:\nby 9") },
  ];
  const apart: Change = { ...SAME, verdict: "incomparable", reasons, ratio: null };
  const hopeless: Change = { ...SAME, minimumDetectableChange: null, confidenceInterval: null };
  const { rows } = changesTable(of(apart, hopeless));
  deepStrictEqual([rows[0]?.cells, rows[0]?.rest], [
    ["deno", "text"],
    "not comparable: load: shards (1, then 2); failed in HEAD: killed: by 9",
  ]);
  strictEqual(rows[1]?.cells.at(-1), "none");
});

Deno.test("changesTable has a column for connections in a sweep", () => {
  const { columns } = changesTable(of(SAME, { ...SAME, connections: 100 }));
  strictEqual(columns[2]?.heading, "Conns");
});

Deno.test("changesNotes tell what a reader has to know, and nothing else", () => {
  const columns =
    "Change: Hodges-Lehmann estimate of the rounds' ratios; Head: Base times that ratio. Detectable: minimum detectable change, found by four of five such runs.";
  deepStrictEqual(changesNotes(of(SAME)), [columns]);
  deepStrictEqual(changesNotes(of({ ...SAME, metric: "serverCpuUs", perS: 500 })), [
    columns,
    "text: compared by CPU/req (less is better), because both had the same rate. Compare the response times too.",
  ]);
  const notes = changesNotes({
    counts: null,
    functions: [],
    changes: [{ ...SAME, metric: "serverCpuUs", floor: 0.06 }],
    costs: [],
    machineRatio: 1.06,
    neededRounds: 7,
    noiseSource: "results/noise.json",
  });
  deepStrictEqual(notes, [
    columns,
    "text: compared by CPU/req (less is better), because the server was not known to be the bottleneck. An idle server shows less of a change than a saturated one.",
    "The machine was 6.0 % slower in HEAD, by a fixed computation before each window: ignore smaller changes of text.",
    "Changes must exceed a floor (noise, or the change of the machine's speed, or of the load generator's CPU time): text 6.0 %.",
    "The noise floor comes from results/noise.json.",
    "Too few rounds to prove a change in 1 comparison: use --rounds 7, or fewer scenarios.",
  ]);
});

Deno.test("changesTable and its notes tell slices from windows, figure by figure", () => {
  const sliced = (metric: Change["metric"]): Change => ({ ...SAME, method: "slices", metric });
  const all = of(
    sliced("serverCpuUs"),
    sliced("requestsPerS"),
    sliced("p50Us"),
    { ...SAME, scenario: "delay" },
  );
  const { columns, rows } = changesTable(all);
  strictEqual(columns.some(({ heading }) => heading === "Conns"), false);
  deepStrictEqual(rows.map(({ cells }) => cells[2]), ["CPU/req", "Req/Sec", "p50", "Req/Sec"]);
  const [, slices, windows, ...others] = changesNotes(all);
  match(slices ?? "", /^Measured in slices: both servers run, /);
  strictEqual(windows, "delay: compared by windows, because responses come in waves.");
  deepStrictEqual(others, []);
});

Deno.test("changes by cost say what that is, and what was compared by windows instead", () => {
  const relativeCpu: Change = {
    ...SAME,
    metric: "relativeCpu",
    method: "slices",
    base: 0.98,
    head: 1.182,
  };
  const [row] = changesTable(of(relativeCpu)).rows;
  deepStrictEqual(row?.cells.slice(2, 5), ["Rel. CPU", "0.98", "1.01"]);
  const changes = { ...of(relativeCpu, { ...SAME, scenario: "delay" }), machineRatio: 1.2 };
  deepStrictEqual(changesNotes(changes).slice(1, 3), [
    "text: compared by CPU time per response relative to the reference server in the same slices, so that the machine's speed cancels out.",
    "delay: compared by windows, because one of the reports has no relative CPU time.",
  ]);
  match(changesNotes(changes).join("\n"), /The machine was 20 % slower/);
  const all = { ...of(relativeCpu), machineRatio: 1.2 };
  strictEqual(
    changesNotes(all).length,
    2,
    "the machine's speed means nothing to relative CPU time",
  );
});

Deno.test("head is base with the change, and a change that is not proven says why", () => {
  const change: Change = {
    ...SAME,
    base: 3089,
    head: 3186, // the medians of each side
    ratio: 0.927,
    confidenceInterval: { low: 0.84, high: 1.02, coverage: 0.96 },
  };
  const [row] = changesTable(of(change)).rows;
  deepStrictEqual(row?.cells.slice(3, 6), ["3,089", "2,864", "−7.3 %"]);
  const why = (change: Change): string[] =>
    changesNotes(of(change)).filter((note) => note.includes("is no detectable change"));
  deepStrictEqual(why(change), [
    "text: −7.3 % Req/Sec is no detectable change, because its 95 % CI includes 0 %.",
  ]);
  const aside = {
    ...change,
    confidenceInterval: { low: 0.9, high: 0.97, coverage: 0.96 },
    pValue: 0.07,
  };
  match(
    why(aside)[0] ?? "",
    /because p is 0\.070 after Holm's correction for 1 comparison, above 0\.05/,
  );
  match(why({ ...aside, floor: 0.06 })[0] ?? "", /because its 95 % CI overlaps the floor of 6/);
  const wider = {
    ...aside,
    pValue: 0.035,
    familyConfidenceInterval: { low: 0.88, high: 1.01, coverage: 0.99 },
  };
  match(why(wider)[0] ?? "", /because its CI, wider for 1 comparison, includes 0 %\.$/);
  deepStrictEqual(why(SAME), [], "it does not look like a change");
});
