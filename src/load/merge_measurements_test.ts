import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import type { Measurement } from "../model/raw.ts";
import { mergeMeasurements } from "./merge_measurements.ts";
import { WindowRecorder } from "./window_recorder.ts";

const PART: Measurement = {
  durationS: 2,
  statuses: { 200: 90, 503: 10 },
  allResponses: 150,
  transportErrors: 1,
  timeouts: 2,
  checkedBodies: 90,
  wrongResponses: 0,
  wrongResponse: null,
  bytes: 1000,
  connectionsOpened: 3,
  slicesPerS: [40, 50, 60],
  latency: null,
  kinds: [],
  open: null,
  warmup: { tookS: 0.5, requests: 50, isSteady: true },
};

Deno.test("mergeMeasurements adds counts and slices, and takes the mean length", () => {
  const merged = mergeMeasurements([
    PART,
    { ...PART, durationS: 4, statuses: { 200: 10, 404: 1 }, slicesPerS: [1, 2] },
    {
      ...PART,
      warmup: { tookS: 2, requests: 10, isSteady: false },
      statuses: {},
      wrongResponses: 2,
      wrongResponse: "b",
      slicesPerS: [100, 200, 300, 400],
    },
    { ...PART, statuses: { 200: 5 }, durationS: 4, wrongResponses: 1, wrongResponse: "c" },
  ]);
  deepStrictEqual(merged, {
    durationS: 3,
    statuses: { 200: 105, 404: 1, 503: 10 },
    allResponses: 600,
    transportErrors: 4,
    timeouts: 8,
    checkedBodies: 360,
    wrongResponses: 3,
    wrongResponse: "b",
    bytes: 4000,
    connectionsOpened: 12,
    slicesPerS: [181, 302], // up to the shortest list of all shards
    latency: null,
    kinds: [],
    open: null,
    warmup: { tookS: 2, requests: 160, isSteady: false },
  });
});

Deno.test("mergeMeasurements merges the latencies of the shards", () => {
  const parts = [[1, 2, 3, 4], [100], []].map((latencies) => {
    const window = new WindowRecorder();
    window.open();
    for (const ms of latencies) window.answered(200, 1, ms);
    window.close();
    return window.result();
  });
  const { latency, statuses } = mergeMeasurements(parts);
  deepStrictEqual([latency?.count, statuses], [5, { 200: 5 }]);
  ok(Math.abs((latency?.p50Us ?? NaN) - 3000) <= 3 && (latency?.maxUs ?? 0) >= 100_000);
});

Deno.test("mergeMeasurements returns one part as it is, and refuses none", () => {
  strictEqual(mergeMeasurements([PART]), PART);
  throws(() => mergeMeasurements([]), RangeError);
});

Deno.test("mergeMeasurements adds what became of requests that were due", () => {
  const open = { offered: 10, sent: 8, failed: 1, unanswered: 2, shed: 2, recoveryS: 0.5 };
  const none = { responseTime: null, lateness: null, wait: null, serviceTime: null };
  const part = { ...PART, open: { ...open, ...none } };
  deepStrictEqual(mergeMeasurements([part, part]).open, {
    offered: 20,
    sent: 16,
    failed: 2,
    unanswered: 4,
    shed: 4,
    recoveryS: 0.5,
    ...none,
  });
});
