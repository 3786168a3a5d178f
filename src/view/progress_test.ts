import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Block, BlockResult } from "../model/block.ts";
import type { Result } from "../model/derived.ts";
import type { Note, Phase, RunEvent, WhyMore } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { createProgress } from "./progress.ts";
import { messageReason } from "./testdata/result.ts";

const load = { connections: 10, warmupS: 0.5, durationS: 1.5, responses: null } as Trial["load"];
const TRIAL = { index: 4, round: 2, variant: "deno", scenario: "text", load } as Trial;
const TRIAL_RESULT = { trial: TRIAL, failure: null } as TrialResult;
const PLAN = Array.from({ length: 48 }, (_one, index): Trial => ({ ...TRIAL, index }));
const GOOD = { requestsPerS: { median: 1234 }, reason: null } as Result;
const BAD = { ...GOOD, requestsPerS: null, reason: messageReason("it hung\nand more") };

const ended = (result: Result, trialResult = TRIAL_RESULT): RunEvent => ({
  kind: "result",
  trialResult,
  result,
});
const phase = (phase: Phase): RunEvent => ({ kind: "phase", phase });
const note = (note: Note): RunEvent => ({ kind: "note", note });
const more = (why: WhyMore): RunEvent => ({
  kind: "more",
  plan: { trials: [TRIAL], blocks: [] },
  why,
  mostAddedS: null,
});
const START: RunEvent = { kind: "start", trial: TRIAL };
const WHOLE_RUN: readonly RunEvent[] = [
  phase({ kind: "database" }),
  note({ kind: "database", label: "PostgreSQL 18", isEmbedded: false }),
  START,
  ended(GOOD),
  ended(BAD),
  more({ kind: "scale", scenario: "text", what: "connections" }),
  START,
  { kind: "report", report: { results: [] as Result[], changes: null } as unknown as Report },
];

/** Returns the progress output of events in a run of 48 windows. */
function written(columns: number | null, ...events: readonly RunEvent[]): string[] {
  const texts: string[] = [];
  const write = (text: string): void => void texts.push(text);
  const progress = createProgress({
    write,
    columns,
    variants: 1,
    nowMs: () => 0,
    everySecond: () => () => {},
  });
  progress.show({ kind: "plan", plan: { trials: PLAN, blocks: [] }, mostAddedS: 90 });
  for (const event of events) progress.show(event);
  progress.close();
  return texts;
}

Deno.test("createProgress writes a plain line for each trial where there is no terminal", () => {
  deepStrictEqual(written(null, ...WHOLE_RUN), [
    "Using PostgreSQL 18\n",
    "[5/48] round 2: text: 1,234 req/s\n",
    "[5/48] round 2: text: it hung and more\n",
    "Scale test of text: twice the connections\n",
  ]);
});

Deno.test("createProgress keeps one line on a terminal, and what failed above it", () => {
  deepStrictEqual(written(30, ...WHOLE_RUN), [
    "\r\x1b[2KStarting the database",
    "\r\x1b[2K",
    "Using PostgreSQL 18\n",
    "\r\x1b[2K≤ 3:08 left round 2: text",
    "\r\x1b[2K",
    "[5/48] round 2: text: it hung and more\n",
    "\r\x1b[2KScale test of text: twice the",
    "\r\x1b[2K≤ 3:07 left round 2: text",
    "\r\x1b[2K",
  ]);
});

Deno.test("createProgress shows a server's last words as text", () => {
  deepStrictEqual(written(null, ended({ ...BAD, reason: messageReason("\x1b[2Jgone") })), [
    "[5/48] round 2: text: \ufffd[2Jgone\n",
  ]);
  deepStrictEqual(written(null, ended({ ...BAD, reason: null })), [
    "[5/48] round 2: text: failed\n",
  ]);
});

Deno.test("createProgress says once that a server could not be started", () => {
  const failure = { kind: "start", message: "it hung", output: null } as const;
  const later = { ...TRIAL, round: 3 };
  const events = [TRIAL, TRIAL, later].map((trial) =>
    ended(BAD, { ...TRIAL_RESULT, trial, failure })
  );
  deepStrictEqual(written(null, ...events), [
    "[5/48] round 2: deno: it hung and more\n",
  ]);
});

Deno.test("createProgress says what is being done", () => {
  const building = { kind: "building", server: "Go", command: "go build", tookS: 3.4 } as const;
  const phases: readonly Phase[] = [
    { kind: "database" },
    { kind: "fastest" },
    { ...building, line: null },
    { ...building, line: " main.go\n" },
    { ...building, command: null, line: "linking" },
  ];
  const lines = written(200, ...phases.map(phase)).map((text) => text.replace("\r\x1b[2K", ""));
  deepStrictEqual(lines.slice(0, -1), [
    "Starting the database",
    "Looking for the fastest load generator",
    "Building Go: go build (3 s)",
    "Building Go: go build (3 s) main.go",
    "Building Go (3 s) linking",
  ]);
});

Deno.test("createProgress notes what a person should know", () => {
  const ceiling = { kind: "ceiling", generator: "wrk" } as const;
  const notes: readonly Note[] = [
    { kind: "database", label: "PostgreSQL 18", isEmbedded: false },
    { kind: "building", server: "Go" },
    { kind: "built", server: "Go", tookS: 12.3, bytes: 38e6 },
    { kind: "unpinned", reason: "there are 2 cores" },
    { kind: "no-reference", server: "Bare Deno", reason: "skipped: deno not found" },
    { ...ceiling, responsesPerS: 123_456, problem: null },
    { ...ceiling, responsesPerS: null, problem: "it hung" },
    { kind: "loading", generator: "wrk", scenarios: null },
    { kind: "loading", generator: "autocannon", scenarios: ["delay", "mine"] },
    {
      kind: "taken-over",
      scenarios: ["text", "json"],
      limited: ["wrk"],
      generator: "stampede",
      isKept: false,
    },
    { kind: "exposed", generator: "oha", parts: ["query", "headers"] },
    { kind: "waves", scenarios: ["delay"], generators: ["wrk", "oha"], knows: "autocannon" },
  ];
  deepStrictEqual(written(null, ...notes.map(note)), [
    "Using PostgreSQL 18\n",
    "Building Go, once: later runs reuse it\n",
    "Built Go in 12 s: 38 MB in the cache\n",
    "Not pinned: there are 2 cores\n",
    "No relative CPU time, because Bare Deno is missing: skipped: deno not found\n",
    "wrk: 123,500 req/s against canned bytes\n",
    "wrk: it hung against canned bytes\n",
    "Loading with wrk\n",
    "Loading delay, mine with autocannon, the only generator that supports it\n",
    "Loading text, json with stampede, because wrk would be the bottleneck\n",
    "Other users of this machine can read the request's query and headers in the command line of oha: choose another --generator to hide them\n",
    "delay: responses come in waves, and wrk, oha counts the last, partial wave wrongly; --generator autocannon does not\n",
  ]);
});

Deno.test("createProgress calls a pilot window one, which belongs to no round", () => {
  const trial = { ...TRIAL, index: 0, purpose: "pilot" } as Trial;
  const result: RunEvent = { ...ended(GOOD), trialResult: { ...TRIAL_RESULT, trial } } as RunEvent;
  deepStrictEqual(written(null, result), ["[1/48] pilot: text: 1,234 req/s\n"]);
});

Deno.test("createProgress names the connections of what is measured under several", () => {
  const block = {
    round: 1,
    scenario: "text",
    connections: 10,
    perS: null,
    variants: ["a", "b"],
  } as const;
  const blocks = [{ ...block }, { ...block, connections: 20 }, { ...block, scenario: "json" }];
  const plan = { trials: [], blocks: blocks as unknown as Block[] };
  const sliced = plan.blocks.map((block): RunEvent => ({
    kind: "sliced",
    blockResult: { block, failures: [] } as unknown as BlockResult,
  }));
  deepStrictEqual(
    written(null, { kind: "plan", plan, mostAddedS: 0 }, ...sliced).map((line) =>
      line.split(": ")[1]
    ),
    [
      "text at 10 connections in slices of 2 servers\n",
      "text at 20 connections in slices of 2 servers\n",
      "json in slices of 2 servers\n",
    ],
  );
});

Deno.test("createProgress says why there are more rounds", () => {
  deepStrictEqual(written(null, more({ kind: "pilot", generators: ["wrk"] })), [
    "Checking whether wrk would be the bottleneck\n",
  ]);
  deepStrictEqual(written(null, more({ kind: "width", round: 7, width: 0.03 })), [
    "Adding round 7: half intervals exceed 3 %\n",
  ]);
});

Deno.test("createProgress shows on a terminal what a result has so far, and each that is finished", () => {
  const trials = [1, 2].map((round, i): Trial => ({ ...TRIAL, index: PLAN.length + i, round }));
  const key = { variant: "deno", scenario: "text", connections: 10, perS: null };
  const confidenceInterval = { low: 900, high: 1100, coverage: 0.97 };
  const result = (relativeCpu: Result["relativeCpu"]): Result =>
    ({ ...key, requestsPerS: { median: 1000, confidenceInterval }, relativeCpu }) as Result;
  const relativeCpu = { rounds: 2, ratio: 1.5, confidenceInterval: null };
  const [first, second] = trials as [Trial, Trial];
  const report = (...results: Result[]): RunEvent => ({
    kind: "report",
    report: { results, changes: null } as unknown as Report,
  });
  const lines = written(
    80,
    { kind: "plan", plan: { trials, blocks: [] }, mostAddedS: 0 },
    { kind: "start", trial: first },
    report(result(null)),
    ended(GOOD, { ...TRIAL_RESULT, trial: first }),
    { kind: "start", trial: second },
    report(result(relativeCpu)),
    ended(GOOD, { ...TRIAL_RESULT, trial: second }),
    report(result(relativeCpu)),
  ).filter((line) => line !== "\r\x1b[2K");
  deepStrictEqual(lines, [
    "\r\x1b[2K[----------] 0:06 left round 1: text",
    "\r\x1b[2K[----------] 0:03 left round 2: text 1,000 req/s ± 10 %",
    "text: 1,000 req/s ± 10 %, rel. CPU 1.50\n",
  ]);
});

Deno.test("createProgress shows what slices say so far: of one server its cost, of two states the change", () => {
  const one = {
    round: 2,
    scenario: "text",
    connections: 10,
    perS: null,
    variants: ["a", "b"],
    warmupS: 1,
    earlyS: {},
    durationS: 1,
  } as unknown as Block;
  const blocks = [one, { ...one, scenario: "json" }];
  const relativeCpu = { rounds: 2, ratio: 1.5, confidenceInterval: null };
  const key = { variant: "deno", scenario: "text", connections: 10, perS: null };
  const result = { ...key, requestsPerS: null, relativeCpu } as unknown as Result;
  const change = {
    ...key,
    scenario: "json",
    metric: "serverCpuUs",
    ratio: 1.02,
    confidenceInterval: { low: 1.01, high: 1.03 },
  };
  const report = { results: [result], changes: { changes: [change] } } as unknown as Report;
  const lines = written(
    100,
    { kind: "plan", plan: { trials: [], blocks }, mostAddedS: 0 },
    { kind: "report", report },
    ...blocks.map((block): RunEvent => ({ kind: "block", block })),
  );
  deepStrictEqual(lines.slice(0, 2).map((line) => line.split("servers")[1]), [
    " rel. CPU 1.50",
    " CPU/req +2.0 % ± 1.0 %",
  ]);
});

Deno.test("createProgress makes its line anew every second, and stops at the next thing", () => {
  let nowMs = 0;
  const texts: string[] = [];
  const running = new Set<() => void>();
  const progress = createProgress({
    write: (text) => void texts.push(text.replace("\r\x1b[2K", "")),
    columns: 80,
    variants: 1,
    nowMs: () => nowMs,
    everySecond: (tick) => {
      running.add(tick);
      return () => void running.delete(tick);
    },
  });
  const second = (): void => {
    nowMs += 1000;
    for (const tick of [...running]) tick();
  };
  const shown = (): string => texts.at(-1) ?? "";
  progress.show(phase({ kind: "fault", server: "deno", fault: "stall", place: 2, of: 6 }));
  strictEqual(shown(), "[2/6] deno: database stalls");
  second();
  second();
  strictEqual(shown(), "[2/6] deno: database stalls, 2 s");
  const trials = [{ ...TRIAL, index: 0 }, { ...TRIAL, index: 1 }];
  progress.show({ kind: "plan", plan: { trials, blocks: [] }, mostAddedS: 0 });
  progress.show({ kind: "start", trial: trials[0] as Trial });
  const before = shown();
  second();
  strictEqual(running.size, 1);
  match(before, /0:05 left round 2: text$/);
  match(shown(), /0:04 left round 2: text$/);
  progress.close();
  strictEqual(running.size, 0);
});

Deno.test("createProgress calls what a search measures in the end no round", () => {
  const texts: string[] = [];
  const progress = createProgress({
    write: (text) => void texts.push(text),
    columns: null,
    variants: 1,
    isSearch: true,
  });
  progress.show({ kind: "plan", plan: { trials: PLAN.slice(0, 5), blocks: [] }, mostAddedS: 0 });
  progress.show(ended(GOOD));
  deepStrictEqual(texts, ["[5] response times: text: 1,234 req/s\n"]);
});

Deno.test("createProgress tells a log which fault is done", () => {
  const fault = phase({ kind: "fault", server: "deno", fault: "stall", place: 2, of: 6 });
  deepStrictEqual(written(null, fault), ["[2/6] deno: database stalls\n"]);
});
