import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { alone, merge, type Merged, totalAt } from "./merge_runners.ts";
import { runnersIn } from "./runner_text.ts";
import { coverage } from "./segments.ts";
import { isMet, summaryOf } from "./merged_summary.ts";
import { RUNNER, runnerOf, textOf } from "./runner_testdata.ts";

function read(text: string, name = "a.json"): Merged {
  return runnersIn(text, name, "us").map(alone).reduce(merge);
}

const A = textOf(runnerOf("0:1/2", { 40: 2900, 50: 80, 60: 20 }));
const B = textOf(runnerOf("1/2:1", { 41: 2800, 70: 200 }, { wrong: 3, dropped: 10 }));

Deno.test("counts and buckets of runners add up, and the worst one is named", () => {
  const both = merge(read(A), read(B, "b.json"));
  const { right, wrong, dropped, buckets } = totalAt(both, "text");
  deepStrictEqual([right, wrong, dropped], [5997, 3, 10]);
  deepStrictEqual(buckets, { 40: 2900, 41: 2800, 50: 80, 60: 20, 70: 200 });
  const { scenarios: [text], missing, runners } = summaryOf(both, RUNNER.slo, []);
  deepStrictEqual([runners, missing, text?.worst], [2, [], "b.json"]);
  deepStrictEqual([text?.offered, text?.sent, text?.goodputPerS], [6010, 6000, 5997 / 30]);
  deepStrictEqual(text?.runners.map(({ offered }) => offered), [3000, 3010]);
});

Deno.test("an SLO is met only where that is sure", () => {
  const judged = (us: number): (boolean | null | undefined)[] => {
    const slo = { latencies: [{ percentile: 0.99, us }], errorShare: 0.01 };
    const summary = summaryOf(merge(read(A), read(B)), slo, []);
    return [...summary.scenarios[0]?.sloChecks ?? []].map((one) => one.isMet)
      .concat(isMet(summary));
  };
  // The 99th percentile is in bucket 70: 7.18 to 7.90 ms
  deepStrictEqual(judged(7900), [true, true, true]);
  deepStrictEqual(judged(7500), [null, true, false]);
  deepStrictEqual(judged(7000), [false, true, false]);
  const few = summaryOf(read(textOf(runnerOf("0:1", { 40: 10 }))), RUNNER.slo, []);
  deepStrictEqual([few.scenarios[0]?.p99, isMet(few)], [null, false]);
});

Deno.test("what is missing of a load is known, and what would count twice is refused", () => {
  deepStrictEqual(coverage(["1/3:2/3"]).missing, ["0:1/3", "2/3:1"]);
  deepStrictEqual(coverage(["0.5:1", "0:1/4", "1/4:1/2"]), { missing: [], twice: [] });
  throws(() => merge(read(A), read(A)), /0:1\/2 of the load would count twice/);
  throws(
    () => merge(read(A), read(B.replace("0123456789abcdef", "fedcba9876543210"))),
    /they belong to different loads/,
  );
  const later = B.replaceAll("2026-11-23", "2026-11-24");
  throws(() => merge(read(A), read(later)), /did not run at the same time/);
});

Deno.test("the log of several runners is read, whatever else is in it", () => {
  const log = `k6 says hello\n${A}level=info\npod-2 ${B}`;
  deepStrictEqual(read(log, "log").runners.map(({ name }) => name), ["log 0:1/2", "log 1/2:1"]);
});

Deno.test("a file that is damaged, not whole or of something else is refused, by its name", () => {
  const cases: readonly (readonly [text: string, problem: RegExp])[] = [
    ["", /^Cannot merge a\.json: it is empty$/],
    ["hello", /it contains neither the output of a runner/],
    ["{}", /it is JSON, but not the output of a runner of Stampede/],
    [A.slice(0, -20), /it is damaged or incomplete/],
    [A.replace('"version":1', '"version":2'), /by another version of Stampede/],
    [A.replace('"right":3000', '"right":2999'), /text has 3000 times of 2999 requests/],
    [A.replace('"60":20', '"173":20'), /it contains an unknown bucket/],
    [A.replace("0:1/2", "1/2:0"), /1\/2:0 is not a segment of a load/],
    [A.replace("0:1/2", "0:1/0"), /0:1\/0 is not a segment of a load/],
    [A.replace('"wrong":0', '"wrong":-1'), /wrong must be >= 0/],
    [A.replace("2026-11-23", "2026-99-23"), /its start or end is not a valid time/],
    [A.replace('"percentile":0.99', '"percentile":1'), /a percentile outside 0 to 100 %/],
    [A.replace('"durationS":30', '"durationS":1e-300'), /durationS must be >= 0.1/],
    ["HISTFAAAAAAA", /a histogram in it is damaged/],
  ];
  for (const [text, problem] of cases) {
    throws(() => read(text), { name: "UsageError", message: problem }, text.slice(0, 40));
  }
});

Deno.test("HdrHistogram logs are read, in the unit that they are said to be in", () => {
  const histogram = build({ highestTrackableValue: 1e9, numberOfSignificantValueDigits: 3 });
  for (let i = 0; i < 1000; i++) histogram.recordValue(2000);
  histogram.recordValue(50_000);
  const line = `0.1,1.5,50.0,${encodeIntoCompressedBase64(histogram)}`;
  const log = `#[StartTime: 1]\n"StartTimestamp","Interval_Length"\n${line}\n${line}\n`;
  const { scenarios: [all] } = summaryOf(read(log, "w.hlog"), null, []);
  deepStrictEqual([all?.right, all?.durationS, all?.goodputPerS], [2002, 3, 2002 / 3]);
  const p50 = all?.p50;
  strictEqual(
    p50 !== undefined && p50 !== null && p50.lowUs <= 2000 && 2000 < (p50.highUs ?? 0),
    true,
  );
  const [ms] = runnersIn(log, "w.hlog", "ms");
  match(JSON.stringify(ms?.parts[0]?.buckets), /"12\d":2000/);
});
