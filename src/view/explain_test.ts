import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { blockOf, blocksWith } from "../analysis/slices_testdata.ts";
import type { Evidence, RelativeFigure, Result } from "../model/derived.ts";
import type { VariantRecord } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { explain } from "./explain.ts";
import { DUEL, REPORT } from "./report_testdata.ts";
import { messageReason } from "./testdata/result.ts";

const [GOOD] = DUEL.results as [Result];
const SEEN = GOOD.bottleneck?.evidence as Evidence;

function explained(change: Partial<Result> = {}, report: Report = REPORT): string[] {
  return explain({ ...report, results: [{ ...GOOD, ...change }] }, ["text"]);
}

/** Returns the evidence lines of a result with other evidence. */
function withEvidence(change: Partial<Evidence>): string {
  const verdict = { ...GOOD.bottleneck, evidence: { ...SEEN, ...change } };
  return explained({ bottleneck: verdict } as Partial<Result>).join("\n");
}

Deno.test("explain prints each piece of evidence once, labelled", () => {
  deepStrictEqual(explain(REPORT, ["text"]), [
    "text of deno, 10 connections: generator",
    "  why         the load generator was busy",
    "  Req/Sec     median 77,640, 70,000 to 80,000 (97 % CI)",
    "              median absolute deviation 776.4, coefficient of variation 2.0 %",
    "              minimum detectable change between two such runs: 3.3 %",
    "              per quarter of a second, round by round: 77000 78000 77500",
    "  latency     p50    0.119 ms  #########",
    "              p90    0.210 ms  ############",
    "              p99    0.900 ms  ###################",
    "              p99.9   3.00 ms  #########################",
    "              most    8.00 ms  ##############################",
    "  CPU/req     median 7.50 µs, 7.10 µs to 7.90 µs (97 % CI)",
    "              median absolute deviation 0.075 µs, coefficient of variation 2.0 %",
    "              minimum detectable change between two such runs: 3.3 %",
    "              70 % of it in the kernel",
    "  server      0.71 cores, 0.75 without waiting for a CPU; busiest thread: 68 % running, 5.2 % waiting for a CPU",
    "              memory 100 MiB before the load, 166 MiB at its peak",
    "  PostgreSQL  0.12 cores, 0.14 without waiting for a CPU; busiest thread: 11 % running, 2.1 % waiting for a CPU",
    "              1.0006 statements per response, warm-up included: SELECT now() AS ts",
    "  generator   0.97 cores, 0.98 without waiting for a CPU; busiest thread: 96 % running, 1.3 % waiting for a CPU",
    "              ceiling against canned bytes: 80,000 req/s, 1.03 x this rate",
    "              doubling the shards changed the rate by 34 %",
    "              checked all 500,000 bodies; 12 MiB received, 0 connections opened during windows",
    "  machine     10 % idle, 0.4 % stolen by the host, 0.17 cores used by other programs and Stampede itself",
    "              Little's law: 99 % of the connections had a request in flight",
    "  probe       verified 558 whole responses, 62 per second, 0.08 % of the rate",
    "              detects wrong responses with 95 % probability if at least 0.5 % of all are wrong",
    "              response time from the scheduled send time: p50 0.600 ms, p99 2.20 ms; the probe itself sent up to 1.49 ms late (p99)",
    "",
  ]);
});

Deno.test("explain leaves out what is not known, or says that it is not", () => {
  const part = { cores: 0.5, wantedCores: null, busiestThread: null, runQueueWait: null };
  match(
    withEvidence({ server: part }),
    /server +0\.50 cores, – without waiting for a CPU; busiest thread: – running, – waiting for a CPU/,
  );
  for (const unknown of [{ server: null }, { database: null }, { generator: null }]) {
    strictEqual(withEvidence(unknown).match(/cores, /g)?.length, 2);
  }
  ok(!withEvidence({ machine: null }).includes("idle"));
  ok(!withEvidence({ little: null }).includes("Little"));
  ok(!withEvidence({ machine: null, little: null }).includes("  machine "));
  ok(!withEvidence({ ceilingPerS: null, isCeilingReached: null }).includes("canned"));
  match(withEvidence({ ceilingPerS: null, isCeilingReached: null }), /doubling the shards .* 34 %/);
  ok(!withEvidence({ scaleGain: null }).includes("shards"));
  ok(!withEvidence({}).includes("doubling the connections"));
  match(withEvidence({ connectionsGain: 0.2 }), /^ {14}doubling the connections .* rate by 20 %$/m);
  match(withEvidence({ isCeilingReached: false }), /bytes: at least 80,000 req\/s/);
});

Deno.test("explain says what too few rounds cannot tell, and which rounds are far off", () => {
  const requestsPerS = {
    median: 5,
    min: 5,
    max: 5,
    confidenceInterval: null,
    cv: null,
    mad: 0,
    outlierRounds: [2, 6],
    minimumDetectableChange: null,
  };
  const text = explained({ requestsPerS, serverCpuUs: null }).join("\n");
  match(text, /median 5\.0, too few rounds for a CI/);
  match(text, /coefficient of variation –; outliers: round 2, 6$/m);
  ok(!text.includes("detectable") && !text.includes("µs"));
});

Deno.test("explain prints what a response costs, over the rounds and in each", () => {
  const { experiment } = REPORT;
  const [variant] = experiment.variants as [VariantRecord];
  const reference = { ...variant, id: "reference", label: "Bare" };
  const blocks = [20, 21].map((cpuUs, i) => blockOf(i, { [variant.id]: { cpuUs }, reference: {} }));
  const report = { ...REPORT, experiment: { ...experiment, reference }, blocks };
  const relativeCpu: RelativeFigure = { rounds: 2, ratio: 2.05, confidenceInterval: null };
  const of = (relativeCpu: RelativeFigure): string[] =>
    explained({ relativeCpu }, report).filter((line, i, all) =>
      /^ {2}rel\. CPU/.test(line) || /^ {2}rel\. CPU/.test(all[i - 1] ?? "")
    );
  deepStrictEqual(of(relativeCpu), [
    "  rel. CPU    2.050 x the CPU time of Bare, too few rounds for a CI",
    "              round by round: 2.000 2.100",
  ]);
  const [near = [], distant = []] = [101.4, 620].map((ns, i) =>
    blocksWith(ns, blocks.slice(i, i + 1))
  );
  const distances = explained({ relativeCpu }, { ...report, blocks: [...near, ...distant] });
  match(
    distances.join("\n"),
    /round trip between the processors, in all slices of the run: 101 ns; 620 ns in 4 of 8 passes$/m,
  );
  const slow = [1, 1, 1.2].map((factor, i) =>
    blockOf(i, { [variant.id]: { cpuUs: 20 }, reference: { cpuUs: 10 * factor } })
  );
  match(
    explained({ relativeCpu }, { ...report, blocks: blocksWith(101.4, slow) }).join("\n"),
    /unusual CPU time of the reference: in 1 of 3 near blocks of the run$/m,
  );
  ok(!distances.some((line) => line.includes("unusual")));
  const confidenceInterval = { low: 2, high: 2.1, coverage: 0.95 };
  match(
    of({ ...relativeCpu, confidenceInterval })[0] ?? "",
    /Bare, 2\.000 to 2\.100 \(95 % CI\)$/,
  );
  ok(!explained().some((line) => /^ {2}rel\. CPU/.test(line)));
});

Deno.test("explain says why there is no probe, and that statements were not counted", () => {
  match(
    explained({ probe: null, probeAbsence: messageReason("it is too slow") }).join("\n"),
    /probe +none: it is too slow; the generator checks bodies/,
  );
  match(
    explained({ probe: null, probeAbsence: null }).join("\n"),
    /none: nothing was measured/,
  );
  match(
    explained({ statementsPerResponse: null }).join("\n"),
    /^ +statements not counted$/m,
  );
  const probe = GOOD.probe && { ...GOOD.probe, p99Us: null, sendLatenessP99Us: null };
  match(explained({ probe }).join("\n"), /p99 –; the probe itself sent up to – late/);
});

Deno.test("explain gives no figure to a result that has none, but its reason", () => {
  const results = REPORT.results.filter(({ status }) => status !== "ok")
    .map((result) => result.status === "invalid" ? { ...result, scenario: "text" } : result);
  const lines = explain({ ...REPORT, results }, ["text", "books"]);
  deepStrictEqual(lines.filter((line) => / of deno, /.test(line)), [
    "text of deno, 10 connections: invalid: wrong",
    "books of deno, 10 connections: failed: killed:\nby 9",
  ]);
  ok(!lines.join("\n").match(/Req\/Sec|CPU\/req|why|machine/));
});

Deno.test("explain prints each comparison once, at the first of the pair", () => {
  const lines = explain(DUEL, ["text"]);
  strictEqual(lines.filter((line) => / of (deno|node), /.test(line)).length, 2);
  const at = lines.findIndex((line) => line.includes("compared  "));
  deepStrictEqual(lines.slice(at, at + 2), [
    "  compared    CPU/req in multiples of other servers (95 % CI):",
    "              node: 0.810 x (0.790 to 0.840)",
  ]);
  const [pair] = DUEL.comparisons;
  const few = pair &&
    { ...pair, metric: "requestsPerS" as const, confidenceInterval: null, rounds: 1 };
  match(
    explain({ ...DUEL, comparisons: few ? [few] : [] }, ["text"]).join("\n"),
    /Req\/Sec in multiples of other servers .*\n +node: 0\.810 x \(too few rounds for a CI\)$/m,
  );
});

Deno.test("explain leaves scale trials out of what the rounds were like", () => {
  const [first] = REPORT.trialResults;
  const scale = first && { ...first, trial: { ...first.trial, purpose: "scale" as const } };
  const more = { ...REPORT, trialResults: [...REPORT.trialResults, ...(scale ? [scale] : [])] };
  deepStrictEqual(explain(more, ["text"]), explain(REPORT, ["text"]));
});
