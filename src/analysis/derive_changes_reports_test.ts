import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { absent } from "../load/probe.ts";
import type { Change, Changes, Noise, Result } from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { noise as random, shareOf } from "../stats/stats_testdata.ts";
import { isInconclusive, isRegression, roundsToDecide } from "./changes.ts";
import { compareReports } from "./derive_changes.ts";
import { compareVariants } from "./variant_changes.ts";

const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** A server's rates by round, at a given CPU time per response. */
interface Series {
  readonly variant?: string;
  readonly scenario?: string;
  readonly perS: readonly number[];
  readonly cpuUs?: number;
  /** CPU time of the load generator per response, in microseconds. */
  readonly generatorUs?: number;
  readonly isLowerBound?: boolean;
  readonly status?: Result["status"];
  readonly referenceUs?: number;
  readonly kind?: "server" | "idle";
}

function trialResultsOf(series: Series): TrialResult[] {
  const { variant = "deno", scenario = "text", perS, cpuUs = null, referenceUs = null } = series;
  const { generatorUs = 10 } = series;
  return perS.map((rate, i) => ({
    trial: { variant, scenario, round: i + 1, purpose: "measure", load: { connections: 10 } },
    window: {
      measurement: { durationS: 1, statuses: { "200": rate }, slicesPerS: [], warmup: null },
      usage: cpuUs === null ? null : {
        durationS: 1,
        server: { userUs: cpuUs * rate, systemUs: 0 },
        generator: { userUs: 0, systemUs: generatorUs * rate },
      },
      probe: absent({ kind: "no-rehearsal" }),
      referenceUs,
      beside: null,
    },
  } as unknown as TrialResult));
}

function resultOf(series: Series): Result {
  const { variant = "deno", scenario = "text", cpuUs, isLowerBound = false, status = "ok" } =
    series;
  const { kind: bottleneck = "server" } = series;
  return {
    variant,
    scenario,
    connections: 10,
    perS: null,
    status,
    reason: { kind: "message", text: "it broke" },
    isLowerBound,
    climbing: null,
    serverCpuUs: cpuUs === undefined ? null : {},
    bottleneck: { kind: bottleneck, evidence: { machine: null } },
  } as unknown as Result;
}

const HOST = { os: "linux", arch: "x", kernel: "6", cpuModel: "C", cores: 2, memoryBytes: 1e9 };

function reportOf(...all: readonly Series[]): Report {
  return {
    host: HOST,
    versions: { stampede: "1", deno: "2" },
    generators: [],
    experiment: { variants: [{ id: "base", server: "deno" }], load: {}, design: {} },
    pinning: null,
    scenarios: [],
    database: null,
    results: all.map(resultOf),
    launches: [],
    trialResults: all.flatMap(trialResultsOf),
    blocks: [],
  } as unknown as Report;
}

const around = (center: number): number[] => ROUNDS.map((round) => center * (1 + round / 1000));
const NO_NOISE = { noise: [], noiseSource: null };
const PLAIN = { ...NO_NOISE, force: false };
const verdicts = (changes: readonly Change[]): string[] => changes.map(({ verdict }) => verdict);

Deno.test("a report compared with itself has not changed, at a ratio of 1", () => {
  const report = reportOf({ perS: around(100) }, { scenario: "json", perS: around(50) });
  const { changes, neededRounds } = compareReports(report, report, PLAIN);
  deepStrictEqual(verdicts(changes), ["same", "same"]);
  for (const { ratio, pValue, minimumDetectableChange } of changes) {
    strictEqual(ratio, 1);
    strictEqual(pValue, 1);
    ok(
      minimumDetectableChange !== null && minimumDetectableChange > 0 &&
        minimumDetectableChange < 0.02,
      String(minimumDetectableChange),
    );
  }
  strictEqual(neededRounds, null);
});

Deno.test("a change has the medians of both reports, and their numbers of rounds", () => {
  const base = reportOf({ perS: [100, 300, 200] });
  const head = reportOf({ perS: [400, 600, 500, 700] });
  const [change] =
    compareReports(base, head, { noise: [], noiseSource: null, force: false }).changes;
  const { base: was, head: is, baseRounds, headRounds } = change as Change;
  deepStrictEqual({ was, is, baseRounds, headRounds }, {
    was: 200,
    is: 550,
    baseRounds: 3,
    headRounds: 4,
  });
});

Deno.test("rates and costs that differ in every round are faster or slower", () => {
  const base = reportOf({ perS: around(100) }, { scenario: "json", perS: around(50), cpuUs: 10 });
  const head = reportOf(
    { perS: around(80) },
    { scenario: "json", perS: around(60), cpuUs: 8, isLowerBound: true },
  );
  const { changes } = compareReports(base, head, PLAIN);
  deepStrictEqual(verdicts(changes), ["slower", "faster"]);
  deepStrictEqual(changes.map(({ metric }) => metric), ["requestsPerS", "serverCpuUs"]);
  deepStrictEqual(changes.map(({ ratio }) => ratio?.toFixed(3)), ["0.800", "0.800"]);
});

Deno.test("a bound rate without a known cost cannot be compared", () => {
  const base = reportOf({ perS: around(100), isLowerBound: true });
  const [change] = compareReports(base, base, PLAIN).changes;
  strictEqual(change?.verdict, "incomparable");
  deepStrictEqual(change?.reasons, [{ kind: "rate-not-own" }]);
});

Deno.test("what is in one report only, or has no figures, is said", () => {
  const base = reportOf({ perS: around(100) }, { scenario: "sql1", perS: around(10) });
  const head = reportOf({ perS: around(100), status: "invalid" }, {
    scenario: "json",
    perS: around(5),
  });
  const { changes } = compareReports(base, head, PLAIN);
  const reason = { kind: "message", text: "it broke" };
  deepStrictEqual(changes.map(({ scenario, reasons }) => [scenario, ...reasons]), [
    ["text", { kind: "not-ok", status: "invalid", where: "HEAD", reason }],
    ["sql1", { kind: "absent", where: "HEAD" }],
    ["json", { kind: "absent", where: "BASE" }],
  ]);
});

Deno.test("another machine makes everything incomparable, unless forced", () => {
  const base = reportOf({ perS: around(100) });
  const head = { ...reportOf({ perS: around(50) }), host: { ...base.host, cores: 64 } };
  const [change] = compareReports(base, head, PLAIN).changes;
  deepStrictEqual(change?.reasons, [{ kind: "differs", what: "host: cores", was: "2", is: "64" }]);
  deepStrictEqual(verdicts(compareReports(base, head, { ...PLAIN, force: true }).changes), [
    "slower",
  ]);
});

Deno.test("what the load generator's own cost changed, a server need not have", () => {
  const base = reportOf({ perS: around(100), cpuUs: 5, generatorUs: 10 });
  const headAt = (generatorUs: number): Report =>
    reportOf({ perS: around(85), cpuUs: 5, generatorUs });
  const [drifted] = compareReports(base, headAt(12), PLAIN).changes;
  deepStrictEqual([drifted?.verdict, drifted?.floor.toFixed(3)], ["same", "0.200"]);
  deepStrictEqual(compareReports(headAt(12), base, PLAIN).changes[0]?.floor.toFixed(3), "0.200");
  deepStrictEqual(verdicts(compareReports(base, headAt(10.2), PLAIN).changes), ["slower"]);
  const waiting = (center: number, generatorUs: number): Report =>
    reportOf({ perS: around(center), cpuUs: 5, generatorUs, kind: "idle" });
  const rates = compareReports(waiting(100, 10), waiting(85, 12), PLAIN);
  deepStrictEqual(verdicts(rates.changes), ["slower"], "a wait does not depend on the machine");
});

Deno.test("one wild round does not hide what could have been seen", () => {
  const wild = around(100).with(0, 10);
  const [change] = compareReports(reportOf({ perS: around(100) }), reportOf({ perS: wild }), PLAIN)
    .changes;
  strictEqual(change?.verdict, "same");
  ok((change.minimumDetectableChange ?? 1) < 0.05, String(change.minimumDetectableChange));
});

Deno.test("changes within the noise floor, or the machine's own change of speed, mean nothing", () => {
  const base = reportOf({ perS: around(100), referenceUs: 600 });
  const head = reportOf({ perS: around(95), referenceUs: 600 });
  deepStrictEqual(verdicts(compareReports(base, head, PLAIN).changes), ["slower"]);
  const noise = [{
    variant: "deno",
    scenario: "text",
    connections: 10,
    perS: null,
    method: "windows",
    serverCpuUs: null,
    requestsPerS: { floor: 0.06 },
  }] as unknown as Noise[];
  const { changes: [change], noiseSource } = compareReports(base, head, {
    noise,
    noiseSource: "noise.json",
    force: false,
  });
  deepStrictEqual([change?.verdict, change?.floor, noiseSource], ["same", 0.06, "noise.json"]);
  ok(
    (change?.minimumDetectableChange ?? 0) > 0.06,
    "a change has to be beyond the floor as a whole",
  );
  const slow = reportOf({ perS: around(95), referenceUs: 660 });
  const drifted = compareReports(base, slow, PLAIN);
  deepStrictEqual(verdicts(drifted.changes), ["same"]);
  strictEqual(drifted.machineRatio?.toFixed(3), "1.100");
  const quick = reportOf({ perS: around(124), referenceUs: 480 });
  const faster = compareReports(base, quick, PLAIN);
  deepStrictEqual(
    verdicts(faster.changes),
    ["same"],
    "a machine that is 25 % faster explains 24 %",
  );
});

Deno.test("a family that so few rounds cannot decide says how many it takes", () => {
  const few = (scenario: string, center: number): Series => ({
    scenario,
    perS: around(center).slice(0, 4),
  });
  const names = ["a", "b", "c"];
  const base = reportOf(...names.map((name) => few(name, 100)));
  const head = reportOf(...names.map((name) => few(name, 50)));
  const { changes, neededRounds } = compareReports(base, head, PLAIN);
  deepStrictEqual(verdicts(changes), ["same", "same", "same"]);
  deepStrictEqual(changes.map(({ minimumDetectableChange }) => minimumDetectableChange), [
    null,
    null,
    null,
  ]);
  strictEqual(neededRounds, 5); // 2 / C(10, 5) = 0.0079, times 3
});

Deno.test("roundsToDecide is the fewest pairs whose smallest p-value survives Holm's first step", () => {
  deepStrictEqual([1, 2, 3, 8, 160].map(roundsToDecide), [6, 7, 7, 9, 13]);
});

Deno.test("compareVariants pairs the rounds, so that what disturbs a whole round cancels", () => {
  const wild = ROUNDS.map((round) => 100 * (1 + (round % 3)));
  const report = reportOf(
    { variant: "base", perS: wild },
    { variant: "head", perS: wild.map((rate, i) => rate * (0.9 + i / 1000)) },
  );
  const { changes, machineRatio } = compareVariants(report, [["base", "head"]], NO_NOISE);
  deepStrictEqual(verdicts(changes), ["slower"]);
  strictEqual(machineRatio, null);
  strictEqual(changes[0]?.variant, "head");
  const alone = reportOf({ variant: "base", perS: wild }, {
    variant: "head",
    perS: wild,
    status: "failed",
  });
  const [change] = compareVariants(alone, [["base", "head"]], NO_NOISE).changes;
  const reason = { kind: "message", text: "it broke" };
  deepStrictEqual(change?.reasons, [{ kind: "not-ok", status: "failed", where: "head", reason }]);
  strictEqual(change.isBroken, true);
  const only = reportOf({ variant: "head", perS: wild });
  const [news] = compareVariants(only, [["base", "head"]], NO_NOISE).changes;
  deepStrictEqual(news?.reasons, [{ kind: "absent", where: "base" }]);
  strictEqual(news.isBroken, false);
});

Deno.test("compareVariants knows the noise of the base's server, and says which report it is of", () => {
  const report = reportOf({ variant: "base", perS: around(100) }, {
    variant: "head",
    perS: around(95),
  });
  const noise = (variant: string): Noise =>
    ({
      ...resultOf({ variant, perS: [] }),
      method: "windows",
      requestsPerS: { floor: 0.06 },
    }) as unknown as Noise;
  const of = (...variants: string[]): Changes =>
    compareVariants(report, [["base", "head"]], {
      noise: variants.map(noise),
      noiseSource: "noise.json",
    });
  const floored = of("node", "deno");
  deepStrictEqual([verdicts(floored.changes), floored.noiseSource], [["same"], "noise.json"]);
  const other = of("node");
  deepStrictEqual([verdicts(other.changes), other.noiseSource], [["slower"], null]);
});

Deno.test("variants without a common round cannot be compared", () => {
  const [rate = 0] = around(100);
  const report = reportOf({ variant: "base", perS: [rate] }, { variant: "head", perS: [0, rate] });
  const [change] = compareVariants(report, [["base", "head"]], NO_NOISE).changes;
  deepStrictEqual([change?.verdict, change?.reasons], [
    "incomparable",
    [{ kind: "no-common-round" }],
  ]);
});

Deno.test("a gate fails on what is proven to be beyond it, and is open where that is not excluded", () => {
  const of = (metric: Change["metric"], verdict: string, low: number, high: number): Change => {
    const confidenceInterval = { low, high };
    return {
      scenario: "text",
      metric,
      verdict,
      confidenceInterval,
      familyConfidenceInterval: confidenceInterval,
      floor: 0,
    } as unknown as Change;
  };
  const cases: readonly (readonly [Change, boolean, boolean])[] = [
    [of("requestsPerS", "slower", 0.8, 0.9), true, false],
    [of("requestsPerS", "slower", 0.9, 0.97), false, true],
    [of("requestsPerS", "same", 0.9, 0.94), false, true],
    [of("requestsPerS", "same", 0.97, 1.1), false, false],
    [of("requestsPerS", "faster", 1.1, 1.2), false, false],
    [of("serverCpuUs", "slower", 1.1, 1.2), true, false],
    [of("serverCpuUs", "slower", 1.01, 1.2), false, true],
    [of("serverCpuUs", "faster", 0.8, 0.9), false, false],
    [{ verdict: "incomparable", confidenceInterval: null } as unknown as Change, false, true],
    [{ method: "slices", isBroken: true } as unknown as Change, true, false],
    [{ ...of("requestsPerS", "same", 0.99, 1.01), floor: 0.1 }, false, true],
  ];
  for (const [change, isFailed, isOpen] of cases) {
    deepStrictEqual([isRegression(change, 0.05), isInconclusive(change, 0.05)], [isFailed, isOpen]);
  }
});

Deno.test("of two runs of the same code, few differ anywhere in a family of eight", () => {
  const next = random(7);
  const run = (): Report =>
    reportOf(...Array.from({ length: 8 }, (_value, i) => ({
      scenario: `s${i}`,
      perS: ROUNDS.map(() => 1000 * Math.exp(0.03 * next())),
    })));
  const share = shareOf(
    300,
    () => compareReports(run(), run(), PLAIN).changes.some(({ verdict }) => verdict !== "same"),
  );
  ok(share <= 0.08, String(share)); // 5 % by Holm's method, plus twice the standard error
});
