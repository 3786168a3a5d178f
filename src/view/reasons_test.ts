import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Reason } from "../model/derived.ts";
import { describeReason, describeReasons, describeStatus, withReason } from "./reasons.ts";

type ReasonKind = Reason["kind"];
type Of<K extends ReasonKind> = Extract<Reason, { readonly kind: K }>;

const BUSY: Of<"busy"> = {
  kind: "busy",
  component: "server",
  cores: 0.97,
  busiestThread: 0.96,
  runQueueWait: 0,
};
const FAILED: Of<"requests-failed"> = {
  kind: "requests-failed",
  share: 0.0031,
  statuses: { 404: 1, 503: 5, "4xx": 2 },
  transportErrors: 10,
  timeouts: 8,
  probeErrors: 6,
  probeError: "status 500",
};
const MESSAGE: Of<"message"> = { kind: "message", text: "it hung" };

/** Reasons of every kind, each with its text. */
const WORDS: { readonly [K in ReasonKind]: readonly (readonly [reason: Of<K>, words: string])[] } =
  {
    message: [[MESSAGE, "it hung"]],
    busy: [
      [
        BUSY,
        "the server used 0.97 cores, its busiest thread ran 96 % and waited for a CPU 0 % of the time",
      ],
      [
        { ...BUSY, component: "database", busiestThread: null, runQueueWait: null },
        "PostgreSQL used 0.97 cores",
      ],
      [
        { ...BUSY, component: "generator", cores: null },
        "the load generator has an unknown CPU use",
      ],
    ],
    "only-shards-tell": [
      [
        { kind: "only-shards-tell" },
        "only a run with more shards can show which of them was the bottleneck",
      ],
    ],
    "few-requests": [
      [
        { kind: "few-requests", requests: 250, needed: 458 },
        "a round has at most 250 requests, and this percentile needs 458",
      ],
    ],
    "few-rounds": [
      [
        { kind: "few-rounds", rounds: 4, of: 10, late: 5 },
        "only 4 of 10 rounds count, because the load generator was late in 5",
      ],
      [{ kind: "few-rounds", rounds: 1, of: 10, late: 0 }, "only 1 of 10 rounds counts"],
    ],
    "shards-changed": [
      [{ kind: "shards-changed", gain: -0.034 }, "doubling the shards changed the rate by -3 %"],
    ],
    "waited-for-processor": [
      [
        { kind: "waited-for-processor" },
        "it waited for a CPU, and would have used more CPU time",
      ],
    ],
    "near-ceiling": [
      [
        { kind: "near-ceiling", ceilingShare: 1.08 },
        "its ceiling against canned bytes is 108 % of this rate",
      ],
    ],
    "responses-in-waves": [
      [
        { kind: "responses-in-waves", every: 10, waitS: 2 },
        "every 10th response takes 2 s, too long for a probe",
      ],
    ],
    "too-few-writes": [
      [
        { kind: "too-few-writes", perResponse: 10.04, expected: 20 },
        "10.0 rows changed per response, instead of 20",
      ],
    ],
    messages: [
      [{ kind: "messages" }, "the load generator itself checks every message"],
    ],
    "connections-taken": [
      [
        { kind: "connections-taken", connections: 100 },
        "the server accepts 100 connections, and the load needs them all",
      ],
    ],
    "open-loop": [
      [
        { kind: "open-loop" },
        "the load generator itself sends on a schedule, and checks every body",
      ],
    ],
    "no-rehearsal": [
      [{ kind: "no-rehearsal" }, "without a warm-up, the probe could not choose its rate"],
    ],
    "responses-too-slow": [
      [
        { kind: "responses-too-slow", ms: 30.4 },
        "a response takes 30 ms, too long for a probe",
      ],
    ],
    "none-held": [[{ kind: "none-held" }, "the SLO was missed at every rate that was tried"]],
    "search-ended": [[{ kind: "search-ended" }, "the search ended before it found a rate"]],
    "server-unknown": [
      [
        { kind: "server-unknown" },
        "the server's process is unknown (name it with --pid if it runs on this machine)",
      ],
    ],
    "system-silent": [[{ kind: "system-silent" }, "this system does not report CPU use"]],
    "others-busy": [
      [{ kind: "others-busy", cores: 1.6 }, "other programs used 1.6 cores"],
    ],
    "connections-changed": [
      [
        { kind: "connections-changed", gain: 0.12 },
        "doubling the connections changed the rate by 12 %",
      ],
    ],
    stolen: [
      [
        { kind: "stolen", share: 0.365 },
        "the host of this virtual machine took 37 % of its CPU time",
      ],
    ],
    "machine-in-use": [
      [
        { kind: "machine-in-use", used: 0.99 },
        "99 % of the machine's CPU was in use, and no component saturated",
      ],
    ],
    "connections-idle": [
      [
        { kind: "connections-idle", little: 0.5 },
        "only 50 % of the connections had a request in flight: the rest were idle in the load generator",
      ],
    ],
    "database-hidden": [
      [
        { kind: "database-hidden" },
        "no component was saturated, except perhaps your database, which Stampede cannot observe",
      ],
    ],
    "all-idle": [
      [
        { kind: "all-idle", idle: 0.5 },
        "no component was saturated, and 50 % of the machine was idle",
      ],
      [{ kind: "all-idle", idle: null }, "no component was saturated"],
    ],
    "wrong-responses": [
      [
        { kind: "wrong-responses", count: 2, example: "Hello wurld" },
        "2 wrong responses under load, such as Hello wurld",
      ],
      [{ kind: "wrong-responses", count: 2, example: null }, "2 wrong responses under load"],
    ],
    "probe-wrong": [
      [
        { kind: "probe-wrong", count: 3, example: "expected a, got b" },
        "the probe received 3 wrong responses under load: expected a, got b",
      ],
      [
        { kind: "probe-wrong", count: 3, example: null },
        "the probe received 3 wrong responses under load",
      ],
    ],
    "no-response": [[{ kind: "no-response" }, "no response in a whole window or slice"]],
    "requests-failed": [
      [
        FAILED,
        "0.3 % of the requests failed: 1 with status 404, 5 with status 503, 2 with another status, " +
        "10 transport errors, 8 timeouts, 6 of the probe's, such as status 500",
      ],
      [
        { ...FAILED, statuses: {}, transportErrors: 0, timeouts: 9, probeErrors: 0 },
        "0.3 % of the requests failed: 9 timeouts",
      ],
    ],
    "wrong-statements": [
      [
        { kind: "wrong-statements", perResponse: 1.03, expected: 1 },
        "the database executed 1.030 statements per response, instead of 1",
      ],
    ],
    "little-contradicts": [[
      { kind: "little-contradicts", little: 0.08, connections: 10 },
      "rate times mean latency gives 0.80 requests in flight, instead of 10",
    ]],
    "still-climbing": [
      [
        { kind: "still-climbing", where: null, what: "windows", climbing: 4, of: 6 },
        "4 of 6 windows began before the server had warmed up",
      ],
      [
        { kind: "still-climbing", where: "BASE", what: "slices", climbing: 8, of: 8 },
        "8 of 8 rounds of slices of BASE began before the server had warmed up",
      ],
    ],
    contended: [
      [
        { kind: "contended", where: "BASE", otherCores: 1.04, steal: 0, cores: 2 },
        "while BASE was measured, other programs used 1.0 of 2 cores (--force compares anyway)",
      ],
      [
        { kind: "contended", where: "HEAD", otherCores: 0.1, steal: 0.4, cores: 2 },
        "while HEAD was measured, other programs used 0.1 of 2 cores, and the host took 40 % of them (--force compares anyway)",
      ],
    ],
    absent: [[{ kind: "absent", where: "BASE" }, "not in BASE"]],
    "not-ok": [
      [
        { kind: "not-ok", status: "invalid", where: "HEAD", reason: MESSAGE },
        "invalid in HEAD: it hung",
      ],
      [{ kind: "not-ok", status: "failed", where: "base", reason: null }, "failed in base"],
    ],
    "no-inspector": [[
      { kind: "no-inspector", command: "bun" },
      "only servers started by node, deno run or deno serve can be profiled, and this one is started by bun",
    ]],
    "not-started-here": [[
      { kind: "not-started-here" },
      "only servers that Stampede starts can be profiled, and this one was already running",
    ]],
    "rate-not-own": [
      [
        { kind: "rate-not-own" },
        "the server was not the bottleneck, and its CPU time is unknown",
      ],
    ],
    "no-common-round": [
      [{ kind: "no-common-round" }, "no round has figures of both"],
    ],
    differs: [
      [
        { kind: "differs", what: "load: durationS", was: "1.5", is: "2" },
        "load: durationS (1.5, then 2)",
      ],
      [
        { kind: "differs", what: "load: WORKERS", was: null, is: "4" },
        "load: WORKERS (nothing, then 4)",
      ],
    ],
  };

for (const [kind, cases] of Object.entries(WORDS)) {
  Deno.test(`describeReason words what is ${kind}`, () => {
    for (const [reason, words] of cases) strictEqual(describeReason(reason), words);
  });
}

Deno.test("describeReasons puts reasons beside each other", () => {
  deepStrictEqual(
    [[], [MESSAGE], [MESSAGE, { kind: "rate-not-own" } as const]].map(describeReasons),
    ["", "it hung", "it hung; the server was not the bottleneck, and its CPU time is unknown"],
  );
});

Deno.test("a status stands before its reason, if there is one", () => {
  strictEqual(describeStatus({ status: "failed", reason: MESSAGE }), "failed: it hung");
  strictEqual(describeStatus({ status: "invalid", reason: null }), "invalid");
  strictEqual(withReason("skipped", "it is not installed"), "skipped: it is not installed");
});
