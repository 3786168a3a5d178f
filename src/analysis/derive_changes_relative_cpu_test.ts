import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { BlockResult } from "../model/block.ts";
import type { Changes, Noise, Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { addRelativeFigures, compareReports } from "./derive_changes.ts";
import { blockOf, blocksWith } from "./slices_testdata.ts";

const ROUNDS = [1, 2, 3, 4, 5, 6];
const HOST = { os: "linux", arch: "x", kernel: "6", cpuModel: "C", cores: 2, memoryBytes: 1e9 };
const SLICES = { durationS: 0.5, sliceMs: 10, responses: 50 };
const PLAIN = { noise: [], noiseSource: null, force: false };

/** Makes rounds in which a server needs a number of microseconds per response, and the reference ten. */
function blocksAt(cpuUs: number, scenario: string, reference = 10): BlockResult[] {
  return ROUNDS.map((round) => {
    const little = 1 + round / 10_000;
    return blockOf(round, { a: { cpuUs: cpuUs * little }, reference: { cpuUs: reference } }, {
      scenario,
    });
  });
}

function resultOf(scenario: string, status: Result["status"] = "ok"): Result {
  return {
    variant: "a",
    scenario,
    connections: 10,
    perS: null,
    status,
    reason: null,
    relativeCpu: null,
    serverCpuUs: null,
    isLowerBound: true,
    climbing: null,
    bottleneck: null,
  } as unknown as Result;
}

/** Makes a report from the blocks of a server. */
function reportOf(blocks: readonly BlockResult[], change: Partial<Report> = {}): Report {
  const scenarios = [...new Set(blocks.map(({ block }) => block.scenario))];
  const variant = { id: "a", server: "a", env: {} };
  const reference = { id: "reference", server: "bare", env: {} };
  return {
    host: HOST,
    versions: { stampede: "1", deno: "2" },
    generators: [],
    experiment: { variants: [variant], reference, load: {}, design: { slices: SLICES } },
    pinning: null,
    scenarios: [],
    database: null,
    results: addRelativeFigures(
      scenarios.map((scenario) => resultOf(scenario)),
      blocks,
      "reference",
    ),
    launches: [],
    trialResults: [],
    blocks,
    ...change,
  } as unknown as Report;
}

const brief = ({ changes }: Changes): unknown[] =>
  changes.map((
    { scenario, metric, method, verdict, ratio },
  ) => [scenario, metric, method, verdict, ratio?.toFixed(2)]);

Deno.test("addRelativeFigures compares CPU time and rate with those of the reference", () => {
  const faster = blocksAt(15, "text").map((one) => ({
    ...one,
    slices: one.slices && {
      ...one.slices,
      variants: one.slices.variants.map((own) =>
        own.variant === "a" ? { ...own, busyUs: own.busyUs.map((us) => us / 2) } : own
      ),
    },
  }));
  const [own, invalid, other] = addRelativeFigures(
    [resultOf("text"), resultOf("text", "invalid"), resultOf("json")],
    faster,
    "reference",
  );
  deepStrictEqual([own?.relativeRate?.ratio.toFixed(2), own?.relativeRate?.rounds], ["2.00", 6]);
  deepStrictEqual([own?.relativeCpu?.ratio.toFixed(2), own?.relativeCpu?.rounds], ["1.50", 6]);
  deepStrictEqual([invalid?.relativeCpu, other?.relativeCpu], [null, null]);
  deepStrictEqual([invalid?.relativeRate, other?.relativeRate], [null, null]);
});

Deno.test("two files are compared by cost, whatever the machine did to both servers", () => {
  const base = reportOf([...blocksAt(10, "text"), ...blocksAt(20, "json")]);
  const busy = reportOf([...blocksAt(15, "text", 15), ...blocksAt(33, "json", 15)]);
  deepStrictEqual(brief(compareReports(base, busy, PLAIN)), [
    ["text", "relativeCpu", "slices", "same", "1.00"],
    ["json", "relativeCpu", "slices", "slower", "1.10"],
  ]);
  const [text] = compareReports(base, busy, PLAIN).changes;
  ok(
    text?.minimumDetectableChange && text.minimumDetectableChange < 0.05,
    `${text?.minimumDetectableChange} could have been seen`,
  );
});

Deno.test("a cost must change by more than it does from run to run, and than the noise of slices", () => {
  const [base, head] = [reportOf(blocksAt(10, "text")), reportOf(blocksAt(10.3, "text"))];
  const verdict = (floor: number, method: Noise["method"] = "slices"): string | undefined => {
    const of = { rounds: 6, ratio: 1, confidenceInterval: null, floor };
    const key = { variant: "a", scenario: "text", connections: 10, perS: null };
    const noise: Noise[] = [{ ...key, method, requestsPerS: null, serverCpuUs: of }];
    const { changes: [change], noiseSource } = compareReports(base, head, {
      noise,
      noiseSource: "noise.json",
      force: false,
    });
    strictEqual(noiseSource, method === "slices" ? "noise.json" : null);
    return change?.verdict;
  };
  strictEqual(verdict(0), "slower");
  strictEqual(verdict(0.05), "same");
  strictEqual(verdict(0.05, "windows"), "slower");
  const little = reportOf(blocksAt(10.15, "text"));
  strictEqual(compareReports(base, little, PLAIN).changes[0]?.verdict, "same");
});

Deno.test("costs of another machine or in another reference's responses are compared only if forced", () => {
  const base = reportOf(blocksAt(10, "text"));
  const { experiment } = base;
  const others: readonly (readonly [change: Partial<Report>, what: string])[] = [
    [{ host: { ...base.host, cores: 64 } }, "host: cores"],
    [{ versions: { stampede: "1", deno: "3" } }, "software: deno"],
    [{
      experiment: {
        ...experiment,
        reference: { ...experiment.variants[0], id: "reference", server: "other" } as never,
      },
    }, "reference"],
    [{
      experiment: {
        ...experiment,
        reference: { ...experiment.reference, label: "Bare Deno.serve" } as never,
      },
    }, "reference"],
    [{
      experiment: {
        ...experiment,
        design: { ...experiment.design, slices: { ...SLICES, sliceMs: 20 } },
      },
    }, "load: sliceMs"],
  ];
  for (const [change, what] of others) {
    const head = reportOf(blocksAt(12, "text"), change);
    const [plain] = compareReports(base, head, PLAIN).changes;
    deepStrictEqual(plain?.reasons.map((reason) => reason.kind === "differs" && reason.what), [
      what,
    ]);
    const forced = compareReports(base, head, { ...PLAIN, force: true });
    deepStrictEqual(brief(forced), [["text", "relativeCpu", "slices", "slower", "1.20"]]);
  }
  const asleep = blocksAt(10, "text").map((block) => ({
    ...block,
    slices: block.slices && { ...block.slices, isAwake: false },
  }));
  const [plain] = compareReports(base, reportOf(asleep), PLAIN).changes;
  strictEqual(plain?.reasons.length, 1);
  const { experiment: { load, reference } } = base;
  for (
    const [change, what] of [
      [{ pinning: {} }, "load: pinning"],
      [{ experiment: { ...experiment, load: { ...load, warmupS: 0 } } }, "load: warmupS"],
    ] as const
  ) {
    const head = reportOf(blocksAt(12, "text"), change as unknown as Partial<Report>);
    const [refused] = compareReports(base, head, PLAIN).changes;
    deepStrictEqual(refused?.reasons.map((reason) => "what" in reason && reason.what), [what]);
  }
  // The reference does not use the database
  const pool = { ...experiment, reference: { ...reference, env: { DB_POOL: "5" } } as never };
  const pooled = reportOf(blocksAt(10, "text"), { experiment: pool });
  strictEqual(compareReports(base, pooled, PLAIN).changes[0]?.verdict, "same");
  // The generator and duration of windows do not matter for slices
  const wrk = { generators: [{ id: "wrk", version: "4" }] as never };
  strictEqual(
    compareReports(base, reportOf(blocksAt(10, "text"), wrk), PLAIN).changes[0]?.verdict,
    "same",
  );
});

/** Returns these blocks as measured while other programs used a number of the two cores. */
function besideOthers(blocks: readonly BlockResult[], otherCores: number): BlockResult[] {
  const none = { userUs: 0, systemUs: 0 };
  const machine = { idle: 1 - otherCores / 2, steal: 0 };
  const usage = { durationS: 1, server: none, database: null, generator: none, machine };
  return blocks.map((block) =>
    ({ ...block, slices: block.slices && { ...block.slices, usage } }) as BlockResult
  );
}

Deno.test("what was measured beside a compiler is compared with no other run, unless forced", () => {
  const base = reportOf(besideOthers(blocksAt(38, "text"), 1));
  const head = reportOf(besideOthers(blocksAt(10, "text"), 0.1));
  const [change] = compareReports(base, head, PLAIN).changes;
  deepStrictEqual([change?.verdict, change?.reasons.map(({ kind }) => kind)], [
    "incomparable",
    ["contended"],
  ]);
  const [forced] = compareReports(base, head, { ...PLAIN, force: true }).changes;
  strictEqual(forced?.verdict, "faster");
});

Deno.test("slices of a server that is still being compiled say nothing of its cost", () => {
  const cold = ROUNDS.map((round): BlockResult => {
    const cpuUs = Array.from({ length: 20 }, (_, i) => 100 * (21 - 20 * i / 19) * 10);
    const each = (value: number): number[] => cpuUs.map(() => value);
    const change = { responses: each(100), busyUs: each(10_000), p50Us: each(100) };
    return blockOf(round, {
      a: { change: { ...change, cpuUs } },
      reference: { change: { ...change, cpuUs: each(1000) } },
    });
  });
  const base = reportOf(cold);
  deepStrictEqual(base.results[0]?.climbing, {
    kind: "still-climbing",
    where: null,
    what: "slices",
    climbing: 6,
    of: 6,
  });
  const [change] = compareReports(base, reportOf(blocksAt(10, "text")), PLAIN).changes;
  deepStrictEqual([change?.verdict, change?.reasons[0]?.kind], ["incomparable", "still-climbing"]);
});

Deno.test("relative figures leave out blocks with distant processors", () => {
  const near = blocksWith(100, blocksAt(20, "text"));
  const distant = blocksWith(620, blocksAt(15, "text").slice(0, 2));
  const [result] = addRelativeFigures([resultOf("text")], [...near, ...distant], "reference");
  deepStrictEqual([result?.relativeCpu?.rounds, result?.relativeCpu?.ratio.toFixed(2)], [
    6,
    "2.00",
  ]);
});

Deno.test("runs with near and with distant processors are not compared", () => {
  const base = reportOf(blocksWith(100, blocksAt(20, "text")));
  const head = reportOf(blocksWith(620, blocksAt(15, "text")));
  const [change] = compareReports(base, head, PLAIN).changes;
  deepStrictEqual(change?.reasons, [
    { kind: "differs", what: "host: round trip between processors", was: "100 ns", is: "620 ns" },
  ]);
  const [alike] =
    compareReports(base, reportOf(blocksWith(130, blocksAt(15, "text"))), PLAIN).changes;
  strictEqual(alike?.verdict, "faster");
});

Deno.test("the advised number of rounds allows for those that do not count", () => {
  // In every second round, the processors were distant
  const distances = ROUNDS.map((round) => round % 2 === 0 ? 400 : 100);
  const distant = blocksAt(20, "text").map((one, i): BlockResult => ({
    ...one,
    slices: one.slices && {
      ...one.slices,
      variants: one.slices.variants.map((own) => ({
        ...own,
        roundTripNs: own.responses.map(() => distances[i] ?? 100),
      })),
    },
  }));
  const [base, head] = [distant, distant].map((blocks) => reportOf(blocks));
  const { changes, neededRounds } = compareReports(base as Report, head as Report, PLAIN);
  deepStrictEqual(changes.map(({ baseRounds, headRounds }) => [baseRounds, headRounds]), [[3, 3]]);
  // Four rounds on both sides decide on one comparison: 2 / C(8, 4) = 0.029
  strictEqual(neededRounds, 8);
  const near = reportOf(blocksAt(20, "text"));
  strictEqual(compareReports(near, near, PLAIN).neededRounds, null);
});
