import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Deadline } from "./deadline.ts";

const MS = 40;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("a deadline is that of the oldest, however many end before it", async () => {
  let late = 0;
  using deadline = new Deadline(MS, () => late++);
  const startedMs = performance.now();
  while (performance.now() < startedMs + 4 * MS) {
    deadline.begin();
    await pause(1);
    deadline.end();
  }
  strictEqual(late, 0);
  deadline.begin();
  const beganMs = performance.now();
  const tookMs: number[] = [];
  while (late === 0) {
    deadline.begin(); // a later item does not prevent the call
    await pause(1);
  }
  tookMs.push(performance.now() - beganMs);
  deepStrictEqual(tookMs.map((ms) => ms >= MS - 1), [true]);
  await pause(2 * MS);
  strictEqual(late, 1, "once");
});

Deno.test("nothing under way is never late", async () => {
  let late = 0;
  using deadline = new Deadline(MS, () => late++);
  deadline.begin();
  deadline.end();
  await pause(3 * MS);
  strictEqual(late, 0);
});
