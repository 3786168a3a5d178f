import { deepStrictEqual, match } from "node:assert/strict";
import type { Cell, Evidence, Limit, ServerSummary } from "../model/derived.ts";
import type { Kind } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { remarks } from "./remarks.ts";
import { DUEL, REPORT } from "./testdata.ts";
import { told } from "./testdata/cell.ts";

const [GOOD] = DUEL.cells as [Cell];
const [RESULT] = REPORT.results as [TrialResult];

function withCells(...cells: Partial<Cell>[]): Report {
  return { ...REPORT, cells: cells.map((cell) => ({ ...GOOD, ...cell })) };
}

/** A verdict on which one scenario's remark rests. */
function limited(limit: Limit, change: Partial<Evidence> = {}): Pick<Cell, "verdict"> {
  const { evidence, ...verdict } = GOOD.verdict as NonNullable<Cell["verdict"]>;
  return { verdict: { ...verdict, limit, evidence: { ...evidence, ...change } } };
}

const idle = (share: number): Evidence["machine"] => ({ idle: share, steal: 0, otherCores: 0 });

Deno.test("remarks are silent where there is nothing to say", () => {
  for (const limit of ["server", "database", "wait"] as const) {
    deepStrictEqual(remarks(withCells(limited(limit))), [], limit);
  }
  deepStrictEqual(remarks(withCells({ ...limited("generator"), status: "invalid" })), []);
});

Deno.test("remarks say what a lower bound is, and what to do where a core is free", () => {
  const advice = (evidence: Partial<Evidence>): string =>
    remarks(withCells(limited("generator", evidence))).join();
  match(advice({}), /^text: autocannon was the limit, .* at least \(≥\) .*; compare CPU\/req\. /);
  match(
    advice({ machine: idle(0.5) }),
    /To see more, use --shards 2, or a faster load generator \(--generator auto finds it\)\./,
  );
  match(advice({ machine: idle(0.49) }), /No core is free for more --shards: use a machine/);
});

Deno.test("remarks call no machine full whose idle time is not known", () => {
  const [text] = remarks(withCells(limited("generator", { machine: null })));
  match(text ?? "", /use --shards 2/);
});

Deno.test("remarks name every cell that they mean, by its server if there are several", () => {
  const crowded = withCells({ scenario: "json", ...limited("machine") }, limited("machine"));
  match(remarks(crowded)[0] ?? "", /^json, text: the machine was the limit.* more than 2 cores/);
  const cells = [{ ...GOOD, ...limited("unclear") }, {
    ...GOOD,
    arm: "node",
    ...limited("unclear"),
  }];
  deepStrictEqual(remarks({ ...DUEL, cells, comparisons: [] }), [
    "text (deno, node): what the limit was is unclear; see --explain text.",
  ]);
});

Deno.test("remarks count failed rounds among all that were tried", () => {
  const failed = { failedRounds: 2, rounds: 4, reason: told("it hung") };
  deepStrictEqual(remarks(withCells({ ...failed, ...limited("server") })), [
    "text: 2 of 6 rounds failed: it hung",
  ]);
});

Deno.test("remarks tell which server was still warming up, and only then", () => {
  const trend = (trend: number | null): string[] =>
    remarks(withCells({ trend, ...limited("server") }));
  match(trend(0.2)[0] ?? "", /^text: still 20 % faster at the end of a window than at its start/);
  for (const steady of [null, 0, -0.2, 0.01]) deepStrictEqual(trend(steady), []);
  const both = withCells(
    { trend: 0.12, ...limited("server") },
    { trend: 0.34, scenario: "json", ...limited("server") },
  );
  deepStrictEqual(remarks(both).length, 1);
  match(remarks(both)[0] ?? "", /^text, json: still 12 to 34 % faster at the end of a window/);
});

Deno.test("remarks say which load generator took over, and why", () => {
  const report = withCells({ ...limited("server"), isTakenOver: true });
  const results = report.results.map((result) => ({
    ...result,
    trial: { ...result.trial, generator: "stampede" },
  }));
  deepStrictEqual(remarks({ ...report, results }), [
    "text: autocannon would have been the limit, so stampede drove them (†).",
  ]);
});

Deno.test("remarks say that connections were too few, and what to try", () => {
  deepStrictEqual(remarks(withCells(limited("connections"))), [
    "text: 10 connections were too few to keep the server busy; see what it can do with more, such as -c 20.",
  ]);
});

Deno.test("remarks say what a host took from its virtual machine, and what helps", () => {
  const stolen = (share: number): Partial<Cell> => {
    const { verdict } = limited("machine") as { verdict: NonNullable<Cell["verdict"]> };
    return { verdict: { ...verdict, reasons: [{ kind: "stolen", share }] } };
  };
  const cells = withCells(stolen(0.37), { scenario: "json", ...stolen(0.45) }, {
    scenario: "sql1",
    ...limited("machine"),
  });
  const [first = "", second = "", ...others] = remarks(cells);
  match(first, /^text, json: the host of this virtual machine took 37 to 45 % of its processor/);
  match(second, /^sql1: the machine was the limit/);
  deepStrictEqual(others, []);
});

Deno.test("remarks say by what servers were ranked, if not by their rates", () => {
  const cells = DUEL.cells.map((cell) => ({ ...cell, ...limited("server") }));
  deepStrictEqual(remarks({ ...DUEL, cells }), [
    "text: ranked by CPU/req, since a rate was not a server's own.",
  ]);
  const comparisons = DUEL.comparisons.map((pair) => ({
    ...pair,
    metric: "requestsPerS" as const,
  }));
  deepStrictEqual(remarks({ ...DUEL, cells, comparisons }), []);
});

Deno.test("remarks question a server that beats what it is built on, and only that", () => {
  const cells = DUEL.cells.map((cell) => ({ ...cell, ...limited("server") }));
  const [deno, node] = DUEL.servers as [ServerSummary, ServerSummary];
  const of = (better: string | null): string[] =>
    remarks({
      ...DUEL,
      cells,
      servers: [deno, { ...node, basedOn: "deno" }],
      comparisons: DUEL.comparisons.map((pair) => ({ ...pair, metric: "requestsPerS", better })),
    });
  const other = remarks({
    ...DUEL,
    cells,
    servers: [deno, { ...node, basedOn: "deno", workers: 2 }],
    comparisons: DUEL.comparisons.map((pair) => ({
      ...pair,
      metric: "requestsPerS",
      better: "node",
    })),
  });
  deepStrictEqual(other, [], "with more workers it may");
  match(of("node").join(), /^node beats deno, which it is built on, at text: one of them/);
  deepStrictEqual([of("deno"), of(null)], [[], []]);
});

Deno.test("remarks say what a load generator does not do, and what its latencies are", () => {
  const cells = DUEL.cells.map((cell) => ({ ...cell, ...limited("server") }));
  const generators = [{ id: "wrk", version: "4", checksBodies: false, latencyNote: "corrected." }];
  const results = (isSeen: (arm: string) => boolean): Report["results"] =>
    ["deno", "node"].map((arm) => ({
      ...RESULT,
      trial: { ...RESULT.trial, arm, generator: "wrk" },
      window: RESULT.window && {
        ...RESULT.window,
        witness: { ...RESULT.window.witness, answers: isSeen(arm) ? 93 : 0 },
      },
    }));
  const said = (isSeen: (arm: string) => boolean): string[] =>
    remarks({ ...DUEL, cells, comparisons: [], generators, results: results(isSeen) });
  const other = "p50 and p99 are wrk's own: corrected.";
  const start = "wrk does not look at bodies: under load,";
  deepStrictEqual(said(() => true), [`${start} the witness alone did.`, other]);
  deepStrictEqual(said((arm) => arm === "deno"), [
    `${start} the witness alone did, and nobody at text (node).`,
    other,
  ]);
  deepStrictEqual(said(() => false), [`${start} nobody did, at text (deno, node).`, other]);
});

Deno.test("remarks name servers that are tuned, and why", () => {
  const servers = DUEL.servers.map((server) => ({
    ...server,
    approach: "tuned" as const,
    why: "no Nagle",
  }));
  const cells = DUEL.cells.map((cell) => ({ ...cell, ...limited("server") }));
  deepStrictEqual(remarks({ ...DUEL, cells, comparisons: [], servers }), [
    "deno is tuned: no Nagle",
    "node is tuned: no Nagle",
  ]);
});

Deno.test("remarks do not call a server tuned where the kind of experiment has nothing beside it", () => {
  const tuned = (kind: Kind, ...options: string[]): string[] =>
    remarks({
      ...DUEL,
      cells: [],
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
