import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { CLOSED, OPENED } from "./generator.ts";
import { LOAD } from "./testdata/testing.ts";
import { WindowRun } from "./window_run.ts";

const JOB = { mix: [], load: LOAD, opensAtMs: 0 };

Deno.test("WindowRun counts only what happens while it is open", () => {
  const window = new WindowRun(JOB, () => {});
  window.failed("transport");
  window.reconnected(false);
  window.open();
  window.answered(200, 100, 0.2);
  window.answered(503, 50, 1.5);
  window.failed("transport");
  window.reconnected(false);
  window.close();
  window.failed("transport");
  const result = window.result();
  deepStrictEqual(result.statuses, { 200: 1, 503: 1 });
  deepStrictEqual([result.transportErrors, result.timeouts, result.bytes], [1, 0, 150]);
  ok(result.durationS >= 0);
});

Deno.test("WindowRun keeps microseconds and the whole histogram", () => {
  const window = new WindowRun(JOB, () => {});
  window.open();
  for (let us = 1; us <= 1000; us++) window.answered(200, 1, us / 1000);
  window.close();
  const { latency } = window.result();
  deepStrictEqual([latency?.p50Us, latency?.p99Us, latency?.maxUs], [500, 990, 1000]);
  const histogram = decodeFromCompressedBase64(latency?.histogram ?? "");
  strictEqual(histogram.totalCount, 1000);
  strictEqual(histogram.getValueAtPercentile(50), 500);
});

Deno.test("WindowRun takes a connection that the server closed for an error", () => {
  const window = new WindowRun(JOB, () => {});
  window.open();
  window.reconnected(false); // after the timeout below
  window.failed("timeout");
  window.reconnected(false); // without an error: the server closed it
  window.close();
  const { transportErrors, timeouts, latency } = window.result();
  deepStrictEqual([transportErrors, timeouts, latency], [1, 1, null]);
});

Deno.test("WindowRun says whether an extensible warm-up got steady, and nothing of a fixed one", () => {
  const steadyAfter = (mostWarmupS: number): boolean | null | undefined => {
    const run = new WindowRun({ ...JOB, load: { ...LOAD, warmupS: 0, mostWarmupS } }, () => {});
    run.open();
    run.close();
    return run.result().warmup?.isSteady;
  };
  deepStrictEqual([steadyAfter(0), steadyAfter(1)], [null, true]);
});

Deno.test("a response after the end of an empty window opens no other one", async () => {
  const said: string[] = [];
  const load = { ...LOAD, warmupS: 0, mostWarmupS: 0, responses: 10, timeoutS: 0.01 };
  const window = new WindowRun({ ...JOB, load }, (line) => void said.push(line));
  await window.closed;
  strictEqual(window.answered(200, 1, 20), false);
  deepStrictEqual(said, [OPENED, CLOSED]);
});
