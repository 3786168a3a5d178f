import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import { Deadline, Slots } from "./database.ts";
import type { HttpError } from "./http.ts";

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

const never = new AbortController();

Deno.test("Slots serves waiters first in, first out", async () => {
  const slots = new Slots(1, 10, "a thing");
  await slots.acquire(never);
  const order: number[] = [];
  const waiters = [1, 2, 3].map((n) => slots.acquire(never)?.then(() => order.push(n)));
  for (const waiter of waiters) {
    slots.release();
    await waiter;
  }
  deepStrictEqual(order, [1, 2, 3]);
  const last = slots.acquire(never);
  strictEqual(last instanceof Promise, true);
  slots.release();
  await last;
  slots.release();
  strictEqual(slots.acquire(never), null);
});

Deno.test("Slots refuses with 503 and Retry-After when the queue is full", () => {
  const slots = new Slots(0, 1, "a thing");
  slots.acquire(never);
  throws(() => slots.acquire(never), (error: HttpError) => {
    deepStrictEqual([error.status, error.headers], [503, { "retry-after": "1" }]);
    return true;
  });
});

Deno.test("Slots forgets a waiter that aborts", async () => {
  const slots = new Slots(1, 1, "a thing");
  slots.acquire(never);
  const controller = new AbortController();
  const aborted = slots.acquire(controller) as Promise<void>;
  controller.abort();
  await rejects(aborted, { name: "AbortError" });
  const next = slots.acquire(never); // its place in the queue is free again
  slots.release();
  await next;
});
