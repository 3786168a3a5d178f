import { deepStrictEqual } from "node:assert/strict";
import type { Cell } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import { createProgress, type Progress } from "./progress.ts";

const load = { warmupS: 0.5, durationS: 1.5, answers: null } as Trial["load"];
const TRIAL = { index: 4, round: 2, target: "deno", scenario: "text", load } as Trial;
const RESULT = { trial: TRIAL, failure: null } as TrialResult;
const PLAN: Trial[] = Array.from({ length: 48 }, () => TRIAL);
const GOOD = { requestsPerS: { median: 1234 }, reason: null } as Cell;
const BAD = { requestsPerS: null, reason: "it hung\nand more" } as Cell;

function record(columns: number | null, use: (progress: Progress) => void): string[] {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const progress = createProgress({ write, columns, targets: 1 });
  progress.plan(PLAN);
  use(progress);
  return written;
}

function wholeRun(progress: Progress): void {
  progress.phase("Starting it");
  progress.note("Using it");
  progress.start(TRIAL);
  progress.end(RESULT, GOOD);
  progress.end(RESULT, BAD);
  progress.more([TRIAL], "one more");
  progress.start(TRIAL);
  progress.close();
}

Deno.test("createProgress writes a plain line for each trial where there is no terminal", () => {
  const written = record(null, wholeRun);
  deepStrictEqual(written, [
    "Using it\n",
    "[5/48] round 2: text: 1,234 req/s\n",
    "[5/48] round 2: text: it hung and more\n",
    "one more\n",
  ]);
});

Deno.test("createProgress keeps one line on a terminal, and what failed above it", () => {
  const written = record(30, wholeRun);
  deepStrictEqual(written, [
    "\r\x1b[2KStarting it",
    "\r\x1b[2K",
    "Using it\n",
    "\r\x1b[2K[5/48] round 2: text - 98 s l",
    "\r\x1b[2K",
    "[5/48] round 2: text: it hung and more\n",
    "\r\x1b[2Kone more",
    "\r\x1b[2K[5/49] round 2: text - 1 min ",
    "\r\x1b[2K",
  ]);
});

Deno.test("createProgress shows a server's last words as text", () => {
  const hostile = { requestsPerS: null, reason: "\x1b[2Jgone" } as Cell;
  const written = record(null, (progress) => progress.end(RESULT, hostile));
  deepStrictEqual(written, ["[5/48] round 2: text: \ufffd[2Jgone\n"]);
});

Deno.test("createProgress says once that a server could not be started", () => {
  const failure = { kind: "start", message: "it hung", output: null } as const;
  const later = { ...TRIAL, round: 3 };
  const written = record(null, (progress) => {
    for (const trial of [TRIAL, TRIAL, later]) progress.end({ ...RESULT, trial, failure }, BAD);
  });
  deepStrictEqual(written, [
    "[5/48] round 2: deno: it hung and more\n",
    "[5/48] round 3: deno: it hung and more\n",
  ]);
});
