import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { absent } from "../load/probe.ts";
import type { VariantSlices } from "../model/block.ts";
import type { Result } from "../model/derived.ts";
import type { Measurement, TrialResult } from "../model/raw.ts";
import { deriveResults, type ResultContext } from "./derive_results.ts";
import { blockOf } from "./slices_testdata.ts";

const LATENCY = {
  count: 1000,
  meanUs: 1,
  minUs: 1,
  p50Us: 100,
  p90Us: 1,
  p99Us: 900,
  p999Us: 1,
  maxUs: 1,
  histogram: "",
};
const WINDOW: Measurement = {
  durationS: 2,
  statuses: { 200: 1000 },
  allResponses: 1200,
  transportErrors: 0,
  timeouts: 0,
  checkedBodies: 1000,
  wrongResponses: 0,
  wrongResponse: null,
  bytes: 1,
  connectionsOpened: 0,
  slicesPerS: [],
  latency: LATENCY,
  kinds: [],
  open: null,
  warmup: null,
};

const SERVER = {
  userUs: 6000,
  systemUs: 4000,
  busiestThread: 0.5,
  runQueueWait: 0,
  waitedUs: 0,
  idleRssBytes: 100,
  peakRssBytes: 200,
};
const TRIAL = {
  index: 0,
  purpose: "measure",
  round: 1,
  variant: "a",
  scenario: "text",
  generator: "x",
  load: { connections: 10, shards: 1, responses: null },
} as TrialResult["trial"];
const CONTEXT: ResultContext = {
  fallback: null,
  cores: { machine: 2, server: 2, database: 2, generator: 2 },
  variants: ["a"],
  turns: new Map(),
  threads: new Map(),
  needs: new Map([["text", { queries: 0, moreQueries: 0, writes: 0 }]]),
};

function trialResult(
  change: Partial<Measurement> | null,
  failure: TrialResult["failure"] = null,
): TrialResult {
  return {
    trial: TRIAL,
    startedAt: "",
    window: change && {
      measurement: { ...WINDOW, ...change },
      usage: { durationS: 2, server: SERVER, database: null, generator: null, machine: null },
      probe: absent({ kind: "no-rehearsal" }),
      database: null,
      ceiling: null,
      referenceUs: null,
      beside: null,
    },
    failure,
  };
}

const one = (...trialResults: TrialResult[]): Result =>
  deriveResults(trialResults, CONTEXT)[0] as Result;

Deno.test("deriveResults knows of servers whose threads take turns", () => {
  const usage = {
    durationS: 1,
    database: null,
    machine: { idle: 0.4, steal: 0 },
    server: { ...SERVER, userUs: 950_000, systemUs: 0, busiestThread: 0.2 },
    generator: { ...SERVER, userUs: 100_000, busiestThread: 0.1 },
  };
  const good = trialResult({ latency: null });
  const busy = { ...good, window: { ...good.window, usage } } as TrialResult;
  const bottleneck = (turns: Map<string, number>): unknown =>
    deriveResults([busy], { ...CONTEXT, turns })[0]?.bottleneck?.kind;
  deepStrictEqual([
    bottleneck(new Map()),
    bottleneck(new Map([["a", 1]])),
    bottleneck(new Map([["a", 2]])),
  ], [
    "unknown",
    "server",
    "unknown",
  ]);
});

Deno.test("deriveResults takes the median of the rounds, of 2xx responses over our own clock", () => {
  const result = one(
    trialResult({}),
    trialResult({ statuses: { 200: 3000 } }),
    trialResult({ statuses: { 200: 1100, 204: 100 }, durationS: 2 }),
  );
  strictEqual(result.status, "ok");
  const { median, min, max, confidenceInterval } = result.requestsPerS ?? {};
  deepStrictEqual([median, min, max, confidenceInterval], [600, 500, 1500, null]);
  deepStrictEqual([result.serverCpuUs?.median, result.serverCpuUs?.max], [10_000 / 1200, 10]);
  deepStrictEqual([result.p50Us, result.p99Us, result.responses], [100, 900, 5200]);
});

Deno.test("deriveResults counts no response but a 2xx, and shows few errors", () => {
  const result = one(
    trialResult({ statuses: { 200: 9995, 500: 2 }, timeouts: 1, transportErrors: 2 }),
  );
  strictEqual(result.requestsPerS?.median, 4997.5);
  deepStrictEqual(result.errors, { transport: 2, timeout: 1, non2xx: 2, probe: 0 });
});

Deno.test("deriveResults gives no rate if a response in slices was wrong, or a slice had none", () => {
  const resultWith = (change: Partial<VariantSlices>): Result => {
    const block = blockOf(1, { a: { change }, reference: {} });
    return deriveResults([trialResult({})], CONTEXT, [block])[0] as Result;
  };
  strictEqual(resultWith({}).status, "ok");
  const wrong = resultWith({ wrongResponses: 1, wrongResponse: "not it" });
  deepStrictEqual([wrong.status, wrong.requestsPerS, wrong.bottleneck], ["invalid", null, null]);
  deepStrictEqual(wrong.reason, { kind: "wrong-responses", count: 1, example: "not it" });
  const silent = resultWith({ responses: [100, 100, 0, 100] });
  deepStrictEqual([silent.status, silent.reason], ["invalid", { kind: "no-response" }]);
  const failures = [{ variant: "a", kind: "start", message: "it ended" }] as const;
  const failed = deriveResults([trialResult({})], CONTEXT, [blockOf(1, {}, { failures })])[0];
  strictEqual(failed?.status, "ok", "windows were measured");
});

Deno.test("deriveResults gives no rate if more than 0.1 % failed in any one window", () => {
  const result = one(
    trialResult({}),
    trialResult({}),
    trialResult({ statuses: { 200: 998, 503: 2 } }),
  );
  deepStrictEqual([result.status, result.requestsPerS], ["invalid", null]);
  deepStrictEqual(result.reason, {
    kind: "requests-failed",
    share: 0.002,
    statuses: { 503: 2 },
    transportErrors: 0,
    timeouts: 0,
    probeErrors: 0,
    probeError: null,
  });
});

Deno.test("deriveResults gives no rate after a single wrong response", () => {
  const result = one(
    trialResult({}),
    trialResult({ wrongResponses: 1, wrongResponse: "Hello wurld" }),
  );
  strictEqual(result.status, "invalid");
  deepStrictEqual(result.reason, { kind: "wrong-responses", count: 1, example: "Hello wurld" });
});

Deno.test("deriveResults gives no rate for a window without a response", () => {
  deepStrictEqual(one(trialResult({ statuses: {}, latency: null })).reason, {
    kind: "no-response",
  });
});

Deno.test("deriveResults leaves out failed windows and says so", () => {
  const failure = { kind: "window", message: "it hung", output: null } as const;
  const result = one(trialResult({}), trialResult(null, failure));
  deepStrictEqual([result.status, result.rounds, result.failedRounds], ["ok", 1, 1]);
  deepStrictEqual(result.reason, { kind: "message", text: "it hung" });
  deepStrictEqual(one(trialResult(null, failure)).status, "failed");
});

Deno.test("deriveResults gives no rate after a failed verification", () => {
  const result = one(
    trialResult({}),
    trialResult(null, { kind: "verification", message: "wrong", output: null }),
  );
  deepStrictEqual([result.status, result.reason], ["invalid", { kind: "message", text: "wrong" }]);
});

Deno.test("deriveResults leaves out scale trials, which say what they saw only by themselves", () => {
  const trial = { ...TRIAL, purpose: "scale" as const };
  const scale = { ...trialResult({ statuses: { 200: 5000 } }), trial };
  deepStrictEqual(one(trialResult({}), scale).requestsPerS, one(trialResult({})).requestsPerS);
  deepStrictEqual([one(scale).status, one(scale).requestsPerS?.median], ["ok", 2500]);
  const failure = { kind: "window", message: "it hung", output: null } as const;
  deepStrictEqual(one({ ...trialResult(null, failure), trial }).reason, {
    kind: "message",
    text: "it hung",
  });
});

Deno.test("deriveResults blames no result for what more connections than its own meet", () => {
  const load = { ...TRIAL.load, connections: 20 };
  const trial = { ...TRIAL, purpose: "scale" as const, load, workloadConnections: 10 };
  const refused = { ...trialResult({ statuses: { 200: 10, 503: 5000 } }), trial };
  deepStrictEqual(one(trialResult({}), refused).status, "ok");
  deepStrictEqual(one(trialResult({}), { ...refused, trial: TRIAL }).status, "invalid");
});

Deno.test("latencies that contradict rate and connections by Little's law are withheld", () => {
  // 500 responses a second over ten connections: each takes 20 ms
  const at = (meanUs: number, change: Partial<ResultContext> = {}): unknown[] => {
    const seen = trialResult({ latency: { ...LATENCY, meanUs } });
    const closed = { ...seen, trial: { ...TRIAL, load: { ...TRIAL.load, open: null } } };
    const [result] = deriveResults([closed], { ...CONTEXT, ...change });
    return [result?.p50Us, result?.p99Us, result?.latencyAbsence];
  };
  deepStrictEqual(at(20_000), [100, 900, null]);
  deepStrictEqual(at(16_800), [100, 900, null], "wrk leaves connections idle for a moment");
  const withheld = (little: number): unknown[] => [
    null,
    null,
    { kind: "little-contradicts", little, connections: 10 },
  ];
  deepStrictEqual(at(1600), withheld(0.08));
  deepStrictEqual(at(24_000), withheld(1.2));
  const needs = new Map([["text", { queries: 0, moreQueries: 0, writes: 0, pipelined: 16 }]]);
  deepStrictEqual(
    at(160_000, { needs })[2],
    null,
    "many requests are under way on each connection",
  );
});
