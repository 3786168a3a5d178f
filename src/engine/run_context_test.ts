import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { stream } from "./run_context.ts";

const never = new AbortController().signal;

Deno.test("a stream tells everything in order, and goes on when that was dealt with", async () => {
  const log: string[] = [];
  const events = stream<string>(never, async (emit) => {
    for (const value of ["a", "b"]) {
      await emit(value);
      log.push(`${value} was dealt with`);
    }
  });
  for await (const value of events) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(value);
  }
  deepStrictEqual(log, ["a", "a was dealt with", "b", "b was dealt with"]);
});

Deno.test("a stream tells what was not waited for too", async () => {
  const events = stream<number>(never, async (emit) => {
    emit(1);
    emit(2);
    await emit(3);
  });
  deepStrictEqual(await Array.fromAsync(events), [1, 2, 3]);
});

Deno.test("a stream throws what its work throws, after all that it told", async () => {
  const values: number[] = [];
  const events = stream<number>(never, async (emit) => {
    emit(1);
    await Promise.reject(new Error("broken"));
  });
  await rejects(async () => {
    for await (const value of events) values.push(value);
  }, /broken/);
  deepStrictEqual(values, [1]);
});

Deno.test("leaving a stream aborts its work, and waits for its end", async () => {
  let ended = "";
  const events = stream<number>(never, async (emit, signal) => {
    await emit(1);
    await emit(2);
    ended = signal.aborted ? "aborted" : "not aborted";
  });
  for await (const _value of events) break;
  strictEqual(ended, "aborted");
});

Deno.test("a stream's work hears of the caller's signal", async () => {
  const controller = new AbortController();
  const events = stream<number>(controller.signal, async (emit, signal) => {
    await emit(1);
    signal.throwIfAborted();
  });
  await rejects(async () => {
    for await (const _value of events) controller.abort(new Error("Ctrl-C"));
  }, /Ctrl-C/);
});
