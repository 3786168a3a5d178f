import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { takeTurns } from "./plain.ts";

Deno.test("takeTurns does so much work in each turn, in the order in which it was asked for", async () => {
  const takeTurn = takeTurns(2);
  const done: number[] = [];
  for (const unit of [1, 2, 3, 4, 5]) {
    Promise.resolve(takeTurn()).then(() => done.push(unit));
  }
  const after: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await Promise.resolve();
    after.push(done.length);
    await setImmediate();
  }
  deepStrictEqual(after, [2, 4, 5]);
  deepStrictEqual(done, [1, 2, 3, 4, 5]);
});

Deno.test("takeTurns lets others run in between", async () => {
  const takeTurn = takeTurns(10);
  let isOver = false;
  let others = 0;
  const other = (async (): Promise<void> => {
    for (; !isOver; others++) await setImmediate();
  })();
  for (let unit = 0; unit < 1000; unit++) await takeTurn();
  isOver = true;
  await other;
  strictEqual(others >= 90, true, `${others} turns of others`);
});
