import { match, ok, strictEqual } from "node:assert/strict";
import { estimateS } from "../experiment/durations.ts";
import type { Block } from "../model/block.ts";
import type { Trial } from "../model/experiment.ts";
import { TimeLeft } from "./time_left.ts";
import { DUEL } from "./report_testdata.ts";

const TRIAL = DUEL.trialResults[0]?.trial as Trial;
const trialsOf = (count: number): Trial[] =>
  Array.from({ length: count }, (_one, index) => ({ ...TRIAL, index }));
const TRIALS = trialsOf(4);
const BLOCK = { variants: ["a", "b"], warmupS: 1, earlyS: {}, durationS: 5 } as unknown as Block;

/** A clock that a test sets, in seconds. */
class Clock {
  s = 0;
  readonly nowMs = (): number => 1000 * this.s;
}

/** Returns the remaining time that is displayed, in seconds. */
function secondsOf(left: TimeLeft): number {
  const [, minutes, seconds] = /(\d+):(\d\d) left$/.exec(left.describe(false)) ?? [];
  return 60 * Number(minutes) + Number(seconds);
}

Deno.test("TimeLeft knows a place before it knows a plan", () => {
  strictEqual(new TimeLeft(false, new Clock().nowMs).describe(false), "[1/0]");
});

Deno.test("TimeLeft goes from all to nothing, windows and blocks alike", () => {
  const clock = new Clock();
  const left = new TimeLeft(false, clock.nowMs);
  left.add({ trials: TRIALS, blocks: [BLOCK] }, 0);
  strictEqual(left.place, "[1/5]");
  match(left.describe(false), /^\[-{10}\] \d+:\d\d left$/);
  left.began(TRIALS[0] as Trial);
  clock.s = 5;
  left.began(TRIALS[2] as Trial);
  strictEqual(left.place, "[3/5]");
  left.ended(TRIALS[3] as Trial);
  strictEqual(left.place, "[5/5]");
  match(left.describe(false), /^\[#{1,9}-+\] \d+:\d\d left$/);
  left.ended();
  strictEqual(left.describe(false), "[##########] 0:00 left");
  strictEqual(left.describe(true), "0:00 left");
});

Deno.test("TimeLeft counts the windows of its plan, also if their indices have gaps", () => {
  const left = new TimeLeft(false, new Clock().nowMs);
  const [first, , third, last] = TRIALS as [Trial, Trial, Trial, Trial];
  left.add({ trials: [first, third, last], blocks: [] }, 0);
  left.began(third);
  strictEqual(left.place, "[2/3]");
  left.ended(third);
  left.began(last);
  strictEqual(left.place, "[3/3]");
  left.ended(last);
  strictEqual(left.describe(true), "0:00 left");
});

Deno.test("TimeLeft says one time, with what may be added, and takes from it what is added", () => {
  const left = new TimeLeft(false, new Clock().nowMs);
  left.add({ trials: TRIALS, blocks: [] }, 100);
  match(left.describe(false), /^\[-{10}\] at most \d+:\d\d left$/);
  match(left.describe(true), /^≤ \d+:\d\d left$/);
  const before = secondsOf(left);
  const added = TRIALS.map((trial) => ({ ...trial, index: trial.index + TRIALS.length }));
  left.add({ trials: added, blocks: [] }, null);
  ok(secondsOf(left) <= before && secondsOf(left) > before - 5, `${secondsOf(left)} s`);
});

Deno.test("TimeLeft goes down while a window goes on, and never below what follows it", () => {
  const clock = new Clock();
  const left = new TimeLeft(false, clock.nowMs);
  left.add({ trials: TRIALS, blocks: [] }, 0);
  left.began(TRIALS[0] as Trial);
  const all = secondsOf(left);
  clock.s = 1;
  strictEqual(secondsOf(left), all - 1);
  clock.s = 1000;
  const following = estimateS({ trials: TRIALS.slice(1), blocks: [] });
  strictEqual(secondsOf(left), Math.round(following));
});

Deno.test("TimeLeft learns from what is done how slow the machine is", () => {
  const clock = new Clock();
  const trials = trialsOf(20);
  const left = new TimeLeft(false, clock.nowMs);
  left.add({ trials, blocks: [] }, 0);
  const planned = (from: number): number => estimateS({ trials: trials.slice(from), blocks: [] });
  left.began(trials[0] as Trial);
  // Half of the windows take three times their estimate
  clock.s = 3 * (planned(0) - planned(10));
  left.began(trials[10] as Trial);
  ok(secondsOf(left) > 2.5 * planned(10), `${secondsOf(left)} s for ${planned(10)} s`);
});

Deno.test("TimeLeft of a search goes down all the time, and is not said if it takes too long", () => {
  const clock = new Clock();
  const left = new TimeLeft(true, clock.nowMs);
  left.add({ trials: trialsOf(1), blocks: [] }, 20);
  let before = Infinity;
  for (let index = 1; index < 6; index++) {
    const trial = { ...TRIAL, index };
    left.add({ trials: [trial], blocks: [] }, null);
    left.began(trial);
    ok(secondsOf(left) < before, `${index}: ${secondsOf(left)} s after ${before} s`);
    before = secondsOf(left);
    clock.s += 3;
    left.ended(trial);
  }
  left.add({ trials: [{ ...TRIAL, index: 6 }], blocks: [] }, 0);
  left.began({ ...TRIAL, index: 6 });
  clock.s += 100;
  strictEqual(left.describe(false), "[7]");
});
