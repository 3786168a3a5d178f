import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { BottleneckKind, Evidence, Reason, Result, ServerSummary } from "../model/derived.ts";
import { blockOf, blocksWith } from "../analysis/slices_testdata.ts";
import type { ExperimentKind, VariantRecord } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { warnings } from "./warnings.ts";
import { DUEL, REPORT } from "./report_testdata.ts";
import { messageReason } from "./testdata/result.ts";

const [GOOD] = DUEL.results as [Result];
const [TRIAL_RESULT] = REPORT.trialResults as [TrialResult];

function withResults(...results: Partial<Result>[]): Report {
  return { ...REPORT, results: results.map((result) => ({ ...GOOD, ...result })) };
}

/** Returns the field `bottleneck` of a result, with this kind and this evidence. */
function withBottleneck(
  kind: BottleneckKind,
  change: Partial<Evidence> = {},
): Pick<Result, "bottleneck"> {
  const { evidence, ...bottleneck } = GOOD.bottleneck as NonNullable<Result["bottleneck"]>;
  return { bottleneck: { ...bottleneck, kind, evidence: { ...evidence, ...change } } };
}

const idle = (share: number): Evidence["machine"] => ({ idle: share, steal: 0, otherCores: 0 });

Deno.test("warnings are silent where there is nothing to say", () => {
  for (const kind of ["server", "database", "idle"] as const) {
    deepStrictEqual(warnings(withResults(withBottleneck(kind))), [], kind);
  }
  deepStrictEqual(warnings(withResults({ ...withBottleneck("generator"), status: "invalid" })), []);
});

Deno.test("warnings say what a lower bound is, and what to do where a core is free", () => {
  const advice = (evidence: Partial<Evidence>): string =>
    warnings(withResults(withBottleneck("generator", evidence))).join();
  const isBottleneck = "text: the load generator autocannon was the bottleneck (≥): use";
  strictEqual(
    advice({ machine: idle(0.5) }),
    `${isBottleneck} --shards 2, or --generator auto.`,
  );
  strictEqual(
    advice({ machine: idle(0.49) }),
    `${isBottleneck} a machine with more cores, or --generator auto.`,
  );
  const report = withResults(withBottleneck("generator", { machine: idle(0.5) }));
  const { experiment } = report;
  const design = { ...experiment.design, fallback: "stampede" };
  deepStrictEqual(warnings({ ...report, experiment: { ...experiment, design } }), [
    `${isBottleneck} --shards 2.`,
  ]);
});

Deno.test("warnings call no machine full whose idle time is not known", () => {
  const [text] = warnings(withResults(withBottleneck("generator", { machine: null })));
  match(text ?? "", /use --shards 2/);
});

Deno.test("warnings name every result that they mean, by its server if there are several", () => {
  const crowded = withResults(
    { scenario: "json", ...withBottleneck("machine") },
    withBottleneck("machine"),
  );
  match(warnings(crowded)[0] ?? "", /^json, text: all 2 cores were busy \(≥\): .* use more cores/);
  const results = [{ ...GOOD, ...withBottleneck("unknown") }, {
    ...GOOD,
    variant: "node",
    ...withBottleneck("unknown"),
  }];
  deepStrictEqual(warnings({ ...DUEL, results, comparisons: [] }), [
    "text (deno, node): the bottleneck is unknown. Evidence: deno task bench report --explain text",
  ]);
});

Deno.test("warnings explain missing ranks, and name the results if others have a rank", () => {
  const ranked = (...ranks: (number | null)[]): string[] =>
    warnings({
      ...DUEL,
      results: DUEL.results.map((result, i) => ({
        ...result,
        ...withBottleneck("server"),
        rank: ranks[i] ?? null,
      })),
      comparisons: [],
    });
  const need = "six rounds, and another server with the same number of workers.";
  deepStrictEqual(ranked(1, 2), []);
  deepStrictEqual(ranked(null, null), [`No ranks: they need ${need}`]);
  deepStrictEqual(ranked(1, null), [`text (node): no rank, because a rank needs ${need}`]);
});

Deno.test("warnings count failed rounds among all that were tried", () => {
  const failed = { failedRounds: 2, rounds: 4, reason: messageReason("it hung") };
  deepStrictEqual(warnings(withResults({ ...failed, ...withBottleneck("server") })), [
    "text: 2 of 6 rounds failed: it hung",
  ]);
});

Deno.test("warnings tell which server was measured before it had warmed up", () => {
  const climbing = (count: number): Reason => ({
    kind: "still-climbing",
    where: null,
    what: "windows",
    climbing: count,
    of: 6,
  });
  deepStrictEqual(warnings(withResults({ climbing: null, ...withBottleneck("server") })), []);
  const report = withResults(
    { climbing: climbing(5), ...withBottleneck("server") },
    { climbing: climbing(5), scenario: "json", ...withBottleneck("server") },
  );
  deepStrictEqual(warnings(report), [
    "text, json: 5 of 6 windows began before the server had warmed up, so no comparison uses its figures: use a longer --warmup.",
  ]);
});

Deno.test("warnings know the mark of delayed acknowledgements, where nobody was busy", () => {
  const said = (p50Us: number, kind: BottleneckKind): string[] =>
    warnings(withResults({ p50Us, ...withBottleneck(kind) }));
  deepStrictEqual(said(44_000, "idle"), [
    "text: a median of 40 ms is typical of Nagle's algorithm with delayed ACKs: set TCP_NODELAY.",
  ]);
  deepStrictEqual([said(44_000, "server"), said(30_000, "idle"), said(60_000, "idle")], [
    [],
    [],
    [],
  ]);
});

Deno.test("warnings say which load generator took over, and why", () => {
  const report = withResults({ ...withBottleneck("server"), isTakenOver: true });
  const trialResults = report.trialResults.map((trialResult) => ({
    ...trialResult,
    trial: { ...trialResult.trial, generator: "stampede" },
  }));
  deepStrictEqual(warnings({ ...report, trialResults }), [
    "text (†): autocannon would have been the bottleneck, so stampede drove the load.",
  ]);
});

Deno.test("warnings say that connections were too few, and what to try", () => {
  deepStrictEqual(warnings(withResults(withBottleneck("connections"))), [
    "text: 10 connections were too few: try -c 20.",
  ]);
});

Deno.test("warnings advise against more than 20 servers in one run", () => {
  const warned = (servers: number): string[] => {
    const ids = Array.from({ length: servers }, (_none, i) => [`server-${i}`, {}] as const);
    return warnings({ ...REPORT, blocks: [blockOf(1, Object.fromEntries(ids))] });
  };
  deepStrictEqual(warned(20), warnings(REPORT));
  const [warning = ""] = warned(21).filter((one) => !warned(20).includes(one));
  match(warning, /^21 servers were measured in turns.* name at most 20 in a run/);
});

Deno.test("warnings say what a host took from its virtual machine, and what helps", () => {
  const stolen = (share: number): Partial<Result> => {
    const { bottleneck } = withBottleneck("machine") as {
      bottleneck: NonNullable<Result["bottleneck"]>;
    };
    return { bottleneck: { ...bottleneck, reasons: [{ kind: "stolen", share }] } };
  };
  const results = withResults(stolen(0.37), { scenario: "json", ...stolen(0.45) }, {
    scenario: "sql1",
    ...withBottleneck("machine"),
  });
  const [first = "", second = "", ...others] = warnings(results);
  strictEqual(
    first,
    "text, json: the host took 37 to 45 % of the CPU time (≥): compare CPU/req instead.",
  );
  match(second, /^sql1: all 2 cores were busy/);
  deepStrictEqual(others, []);
});

Deno.test("warnings question a server that beats what it is built on, and only that", () => {
  const results = DUEL.results.map((result) => ({ ...result, ...withBottleneck("server") }));
  const [deno, node] = DUEL.servers as [ServerSummary, ServerSummary];
  const of = (better: string | null): string[] =>
    warnings({
      ...DUEL,
      results,
      servers: [deno, { ...node, basedOn: "deno" }],
      comparisons: DUEL.comparisons.map((pair) => ({ ...pair, metric: "requestsPerS", better })),
    });
  const other = warnings({
    ...DUEL,
    results,
    servers: [deno, { ...node, basedOn: "deno", workers: 2 }],
    comparisons: DUEL.comparisons.map((pair) => ({
      ...pair,
      metric: "requestsPerS",
      better: "node",
    })),
  });
  deepStrictEqual(other, [], "with more workers it may");
  match(of("node").join(), /^node beats deno, on which it is built, at text\. One of them/);
  deepStrictEqual([of("deno"), of(null)], [[], []]);
});

Deno.test("warnings say what a load generator does not do, and what its latencies are", () => {
  const results = DUEL.results.map((result) => ({ ...result, ...withBottleneck("server") }));
  const generators = [{ id: "wrk", version: "4", checksBodies: false, latencyNote: "corrected." }];
  const trialResults = (isSeen: (variant: string) => boolean): Report["trialResults"] =>
    ["deno", "node"].map((variant) => ({
      ...TRIAL_RESULT,
      trial: { ...TRIAL_RESULT.trial, variant, generator: "wrk" },
      window: TRIAL_RESULT.window && {
        ...TRIAL_RESULT.window,
        probe: { ...TRIAL_RESULT.window.probe, responses: isSeen(variant) ? 93 : 0 },
      },
    }));
  const said = (isSeen: (variant: string) => boolean): string[] =>
    warnings({ ...DUEL, results, comparisons: [], generators, trialResults: trialResults(isSeen) });
  const other = "p50 and p99 come from wrk: corrected.";
  const start = "wrk does not check response bodies:";
  deepStrictEqual(said(() => true), [`${start} only the probe checked them under load.`, other]);
  deepStrictEqual(said((variant) => variant === "deno"), [
    `${start} only the probe checked them under load, and not at text (node).`,
    other,
  ]);
  deepStrictEqual(said(() => false), [
    `${start} no bodies were checked under load at text (deno, node).`,
    other,
  ]);
});

Deno.test("warnings name servers that are tuned, and why", () => {
  const servers = DUEL.servers.map((server) => ({
    ...server,
    approach: "tuned" as const,
    why: "no Nagle",
  }));
  const results = DUEL.results.map((result) => ({ ...result, ...withBottleneck("server") }));
  deepStrictEqual(warnings({ ...DUEL, results, comparisons: [], servers }), [
    "deno is tuned: no Nagle",
    "node is tuned: no Nagle",
  ]);
});

Deno.test("warnings do not call a server tuned where the kind of experiment has nothing beside it", () => {
  const tuned = (kind: ExperimentKind, ...options: string[]): string[] =>
    warnings({
      ...DUEL,
      results: [],
      comparisons: [],
      command: ["deno", "task", "bench", ...options],
      servers: DUEL.servers.map((server) => ({ ...server, approach: "tuned" })),
      experiment: { ...DUEL.experiment, kind },
    });
  const said = ["deno is tuned.", "node is tuned."];
  for (const kind of ["noise", "generators", "versus"] as const) {
    deepStrictEqual(tuned(kind, "--seed", "7", kind, "text"), [], kind);
  }
  deepStrictEqual(tuned("run", "text"), said);
  deepStrictEqual(tuned("preset", "--preset", "encore"), said);
});

Deno.test("warnings say how much of the machine other programs used, and what to do", () => {
  const beside = (cores: number): Pick<Result, "bottleneck"> => {
    const { bottleneck } = withBottleneck("machine");
    return {
      bottleneck: bottleneck && { ...bottleneck, reasons: [{ kind: "others-busy", cores }] },
    };
  };
  match(
    warnings(withResults(beside(1.04)))[0] ?? "",
    /^text: other programs used 1\.0 of 2 cores \(≥\): stop them, or compare /,
  );
  match(
    warnings(withResults(beside(0.62), { scenario: "json", ...beside(1.04) }))[0] ?? "",
    /^text, json: other programs used 0\.6 to 1\.0 of 2 cores/,
  );
});

Deno.test("warnings name workloads with too few slices of near processors", () => {
  const { experiment } = REPORT;
  const reference = { ...experiment.variants[0], id: "reference" } as VariantRecord;
  const blocks = [1, 2, 3, 4, 5, 6, 7].map((round) => blockOf(round, { deno: {}, reference: {} }));
  const of = (distant: number): string[] =>
    warnings({
      ...REPORT,
      experiment: { ...experiment, reference },
      blocks: [
        ...blocksWith(100, blocks.slice(distant)),
        ...blocksWith(620, blocks.slice(0, distant)),
      ],
    });
  const was = of(0);
  deepStrictEqual(of(4), was);
  deepStrictEqual(of(5).filter((one) => !was.includes(one)), [
    "text: the host moved the processors apart in too many rounds (6.2 x the usual round trip). Rel. CPU contains these rounds: use more --rounds.",
  ]);
});

Deno.test("warnings say that a machine was noisy", () => {
  const { experiment } = REPORT;
  const reference = { ...experiment.variants[0], id: "reference" } as VariantRecord;
  const of = (unusual: number, rounds: number): string[] => {
    const blocks = Array.from(
      { length: rounds },
      (_, i) => blockOf(i + 1, { deno: {}, reference: { cpuUs: i < unusual ? 12 : 10 } }),
    );
    const report = { ...REPORT, experiment: { ...experiment, reference } };
    return warnings({ ...report, blocks: blocksWith(100, blocks) }).filter((one) =>
      one.includes("was noisy")
    );
  };
  deepStrictEqual(of(2, 7), []);
  deepStrictEqual(of(3, 16), []);
  deepStrictEqual(of(3, 15), [
    "The machine was noisy: in 3 of 15 near blocks, the reference needed an unusual CPU time. Measure again at a calmer time.",
  ]);
});
