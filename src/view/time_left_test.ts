import { match, ok, strictEqual } from "node:assert/strict";
import type { Block } from "../model/block.ts";
import type { Trial } from "../model/experiment.ts";
import { DUEL } from "./testdata.ts";
import { TimeLeft } from "./time_left.ts";

const TRIAL = DUEL.results[0]?.trial as Trial;
const TRIALS: readonly Trial[] = [0, 1, 2, 3].map((index) => ({ ...TRIAL, index }));
const BLOCK = { arms: ["a", "b"], warmupS: 1, durationS: 5 } as unknown as Block;

Deno.test("TimeLeft knows a place before it knows a plan", () => {
  strictEqual(new TimeLeft().describe(false), "[1/0]");
});

Deno.test("TimeLeft goes from all to nothing, windows and blocks alike", () => {
  const left = new TimeLeft();
  left.add({ trials: TRIALS, blocks: [BLOCK] }, 0);
  strictEqual(left.place, "[1/5]");
  match(left.describe(false), /^\[-{10}\] \d+:\d\d left$/);
  left.reached(TRIALS[2] as Trial, false);
  strictEqual(left.place, "[3/5]");
  left.reached(TRIALS[3] as Trial, true);
  strictEqual(left.place, "[5/5]");
  match(left.describe(false), /^\[#{1,9}-+\] \d+:\d\d left$/);
  left.blockEnded();
  strictEqual(left.describe(false), "[##########] 0:00 left");
  strictEqual(left.describe(true), "0:00 left");
});

Deno.test("TimeLeft takes what is added from what may be added", () => {
  const left = new TimeLeft();
  left.add({ trials: TRIALS, blocks: [] }, 100);
  match(left.describe(false), / left \(\d+:\d\d at most\)$/);
  const mostS = (): number => {
    const [, minutes, seconds] = /\((\d+):(\d\d) at most/.exec(left.describe(false)) ?? [];
    return 60 * Number(minutes) + Number(seconds);
  };
  const before = mostS();
  const added = TRIALS.map((trial) => ({ ...trial, index: trial.index + TRIALS.length }));
  left.add({ trials: added, blocks: [] }, null);
  ok(mostS() <= before && mostS() > before - 5, `${mostS()} s of ${before} s`);
});
