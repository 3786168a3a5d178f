import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { drawSoak } from "./chart.ts";
import { csvOf, latenciesOf, parseSamples, type Sample } from "./sample.ts";
import { judgeSoak, type Verdict, warmupOf } from "./verdict.ts";

const HOUR_S = 3600;
const SAMPLE_S = 5;
const MIB = 2 ** 20;

/** Returns reproducible noise from -1 to 1. */
function noise(i: number): number {
  return Math.sin(12.9898 * i) * Math.cos(78.233 * i);
}

/** Returns samples of a steady server, modified by a function of the progress (0 to 1). */
function samplesOf(
  change: (share: number, i: number) => Partial<Sample> = () => ({}),
  seconds = HOUR_S,
): Sample[] {
  return Array.from({ length: seconds / SAMPLE_S }, (_sample, i) => ({
    atS: (i + 1) * SAMPLE_S,
    rssBytes: (300 + 10 * noise(i)) * MIB,
    pssBytes: (260 + 10 * noise(i)) * MIB,
    files: 80 + Math.round(2 * noise(i)),
    latency: { p50: 0.3 + 0.05 * noise(i), p99: 2 + noise(i), longest: 9 },
    reference: { p50: 0.2 + 0.03 * noise(i + 7), p99: 1.5 + 0.7 * noise(i + 7), longest: 8 },
    right: 950,
    refused: 0,
    failed: 0,
    hostile: 50,
    ...change((i * SAMPLE_S) / seconds, i),
  }));
}

function verdictOf({ trends }: Verdict, name: string): string | undefined {
  return trends.find((trend) => trend.name.startsWith(name))?.verdict;
}

Deno.test("a server that stays as it is, is flat in everything", () => {
  const verdict = judgeSoak(samplesOf());
  ok(verdict.isFine);
  strictEqual(verdict.warmupS, 600);
  deepStrictEqual(verdict.trends.map(({ verdict }) => verdict), Array(5).fill("flat"));
});

Deno.test("memory that grows by a fifth in an hour has grown, and one that grows in the warm-up has not", () => {
  const leak = judgeSoak(samplesOf((share, i) => ({
    rssBytes: (300 + 60 * share + 10 * noise(i)) * MIB,
  })));
  strictEqual(verdictOf(leak, "memory (RSS)"), "grown");
  ok(!leak.isFine);
  const young = judgeSoak(samplesOf((share, i) => ({
    rssBytes: (Math.min(300, 100 + 2000 * share) + 5 * noise(i)) * MIB,
  })));
  strictEqual(verdictOf(young, "memory (RSS)"), "flat");
});

Deno.test("descriptors that leak, a few an hour, have grown", () => {
  const verdict = judgeSoak(samplesOf((share) => ({ files: 80 + Math.floor(12 * share) })));
  strictEqual(verdictOf(verdict, "descriptors"), "grown");
});

Deno.test("a machine that becomes slower is not the server's fault, one that stays is not its excuse", () => {
  const slower = (share: number, i: number): Sample["latency"] => {
    const times = 1 + share;
    return { p50: times * (0.3 + 0.02 * noise(i)), p99: times * 2, longest: 9 };
  };
  const both = judgeSoak(samplesOf((share, i) => ({
    latency: slower(share, i),
    reference: slower(share, i + 7),
  })));
  strictEqual(verdictOf(both, "p50"), "flat");
  ok((both.drift ?? 0) > 0.3, "the machine's drift is told");
  const worse = judgeSoak(samplesOf((share, i) => ({
    latency: slower(3 * share, i),
    reference: slower(share, i + 7),
  })));
  strictEqual(verdictOf(worse, "p50"), "unclear", "a disturbed machine proves nothing");
  const alone = judgeSoak(samplesOf((share, i) => ({ latency: slower(share, i) })));
  strictEqual(verdictOf(alone, "p50"), "grown");
});

Deno.test("what the noise hides is unclear, and no failure", () => {
  const verdict = judgeSoak(samplesOf((share, i) => ({
    latency: { p50: 0.3 * (1 + 0.05 * share + 0.9 * noise(i >> 5)), p99: 2, longest: 9 },
  })));
  strictEqual(verdictOf(verdict, "p50"), "unclear");
  ok(verdict.isFine);
});

Deno.test("one polite request in 10,000 may fail, and no more", () => {
  const failing = (every: number): Verdict =>
    judgeSoak(samplesOf((_share, i) => ({ failed: i % every === 0 ? 1 : 0 })));
  ok(failing(20).isFine);
  ok(!failing(5).isFine);
  ok(!judgeSoak(samplesOf(() => ({ right: 0 }))).isFine, "nothing was answered");
});

Deno.test("a short soak has a shorter warm-up, and lets a young heap grow", () => {
  strictEqual(warmupOf(HOUR_S), 600);
  strictEqual(warmupOf(120), 30);
  const growing = (mib: number): Verdict =>
    judgeSoak(samplesOf((share) => ({ rssBytes: (150 + mib * share) * MIB }), 120));
  strictEqual(verdictOf(growing(100), "memory (RSS)"), "allowed");
  strictEqual(verdictOf(growing(500), "memory (RSS)"), "grown");
});

Deno.test("quantiles of latencies, and samples as CSV", () => {
  strictEqual(latenciesOf([]), null);
  const values = Array.from({ length: 200 }, (_value, i) => 200 - i);
  deepStrictEqual(latenciesOf(values), { p50: 101, p99: 199, longest: 200 });
  const [first] = samplesOf();
  const csv = csvOf([{ ...first as Sample, pssBytes: null }]);
  const [head = "", row = ""] = csv.split("\n");
  match(head, /^at_s,rss_bytes,pss_bytes,files,p50_ms,/);
  strictEqual(row.split(",").length, head.split(",").length);
  match(row, /^5,\d+(\.\d+)?,,80,/);
});

Deno.test("samples are read back from CSV as they were, and other text is refused", () => {
  const [first, second] = samplesOf();
  const samples = [{ ...first as Sample, pssBytes: null }, { ...second as Sample, latency: null }];
  deepStrictEqual(parseSamples(csvOf(samples)), samples);
  throws(() => parseSamples("time,memory\n1,2\n"), /first line of samples must be: at_s,/);
  throws(() => parseSamples(`${csvOf(samples)}1,x\n`), /Line 4 of the samples is not/);
});

Deno.test("a longer warm-up leaves out a heap that still grows", () => {
  const samples = samplesOf((share, i) => ({
    rssBytes: ((share < 0.3 ? 250 : 300) + 5 * noise(i)) * MIB,
  }));
  strictEqual(verdictOf(judgeSoak(samples), "memory (RSS)"), "unclear");
  strictEqual(verdictOf(judgeSoak(samples, 1200), "memory (RSS)"), "flat");
  ok(!judgeSoak(samples, HOUR_S).isFine, "no sample is left to judge");
});

Deno.test("the chart is XML that follows light and dark, with every line", async () => {
  const svg = await drawSoak(samplesOf(), { title: "<x>", facts: "a & b", warmupS: 600 });
  match(svg, /^<svg xmlns=/);
  match(svg, /prefers-color-scheme: dark/);
  match(svg, /&lt;x&gt;/);
  for (const name of ["RSS", "PSS", "null server", "refused", "failed"]) {
    ok(svg.includes(name), name);
  }
  ok((svg.match(/<polyline|<path/g) ?? []).length >= 11, "a line is missing");
  // Attributes without a value are not valid XML
  strictEqual(/<\w[^>]* [\w-]+(?=[ >/])(?!=)/.test(svg.replaceAll(/"[^"]*"/g, '""')), false);
});
