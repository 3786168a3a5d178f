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

/** Reasons of every kind with their words. */
const WORDS: { readonly [K in ReasonKind]: readonly (readonly [reason: Of<K>, words: string])[] } =
  {
    message: [[MESSAGE, "it hung"]],
    busy: [
      [BUSY, "the server used 0.97 cores, its busiest thread ran 96 % and waited 0 % of the time"],
      [
        { ...BUSY, component: "database", busiestThread: null, runQueueWait: null },
        "PostgreSQL used 0.97 cores",
      ],
      [{ ...BUSY, component: "generator", cores: null }, "the load generator is not known"],
    ],
    "only-shards-tell": [
      [
        { kind: "only-shards-tell" },
        "only more shards could tell which of them was the bottleneck",
      ],
    ],
    "shards-changed": [
      [{ kind: "shards-changed", gain: -0.034 }, "twice the shards changed the rate by -3 %"],
    ],
    "waited-for-processor": [
      [
        { kind: "waited-for-processor" },
        "it had to wait for a processor and would have run more",
      ],
    ],
    "near-ceiling": [
      [
        { kind: "near-ceiling", ceilingShare: 1.08 },
        "it reached 108 % of this rate against canned bytes",
      ],
    ],
    "responses-in-waves": [
      [
        { kind: "responses-in-waves", every: 10, waitS: 2 },
        "every 10th response takes 2 s, longer than its schedule",
      ],
    ],
    "too-few-writes": [
      [
        { kind: "too-few-writes", perResponse: 10.04, expected: 20 },
        "10.0 rows were changed for each response, not 20",
      ],
    ],
    messages: [
      [{ kind: "messages" }, "the load generator itself looks at every message"],
    ],
    "connections-taken": [
      [
        { kind: "connections-taken", connections: 100 },
        "the server takes 100 connections, which the load needs",
      ],
    ],
    "open-loop": [
      [
        { kind: "open-loop" },
        "the load generator itself sends at given times, and looks at every body",
      ],
    ],
    "no-rehearsal": [
      [{ kind: "no-rehearsal" }, "there was no warm-up in which it could find its pace"],
    ],
    "responses-too-slow": [
      [
        { kind: "responses-too-slow", ms: 30.4 },
        "a response takes 30 ms, longer than its schedule",
      ],
    ],
    "none-held": [[{ kind: "none-held" }, "the SLO was met at no rate that was tried"]],
    "search-ended": [[{ kind: "search-ended" }, "the search was ended before it found a rate"]],
    "server-unknown": [
      [
        { kind: "server-unknown" },
        "nobody knows which process the server is (--pid says it, of this machine)",
      ],
    ],
    "system-silent": [[{ kind: "system-silent" }, "this system does not tell who was busy"]],
    "others-busy": [
      [{ kind: "others-busy", cores: 1.6 }, "other programs used 1.6 cores"],
    ],
    "connections-changed": [
      [
        { kind: "connections-changed", gain: 0.12 },
        "twice the connections changed the rate by 12 %",
      ],
    ],
    stolen: [
      [
        { kind: "stolen", share: 0.365 },
        "the host of this virtual machine took 37 % of its CPU time for others",
      ],
    ],
    "machine-in-use": [
      [
        { kind: "machine-in-use", used: 0.99 },
        "99 % of the machine was in use, and no component saturated",
      ],
    ],
    "connections-idle": [
      [
        { kind: "connections-idle", little: 0.5 },
        "only 50 % of the connections had a request under way: the rest lay idle in the load generator",
      ],
    ],
    "database-hidden": [
      [
        { kind: "database-hidden" },
        "nobody was busy but perhaps the database, which is not Stampede's",
      ],
    ],
    "all-idle": [
      [{ kind: "all-idle", idle: 0.5 }, "nobody was busy, and 50 % of the machine idle"],
      [{ kind: "all-idle", idle: null }, "nobody was busy"],
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
        "the probe met 3 wrong responses under load: expected a, got b",
      ],
      [
        { kind: "probe-wrong", count: 3, example: null },
        "the probe met 3 wrong responses under load",
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
        "the database executed 1.030 statements for each response, not 1",
      ],
    ],
    "little-contradicts": [[
      { kind: "little-contradicts", little: 0.08, connections: 10 },
      "rate times mean latency gives 0.80 requests under way, and not 10",
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
        "while BASE was measured, other programs used 1.0 of 2 cores (--force compares them)",
      ],
      [
        { kind: "contended", where: "HEAD", otherCores: 0.1, steal: 0.4, cores: 2 },
        "while HEAD was measured, other programs used 0.1 of 2 cores and the host took 40 % of them (--force compares them)",
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
      "only what starts with node, deno run or deno serve can be profiled, and this starts with bun",
    ]],
    "not-started-here": [[
      { kind: "not-started-here" },
      "it runs already, and can be profiled only if Stampede starts it",
    ]],
    "rate-not-own": [
      [
        { kind: "rate-not-own" },
        "the rate was not the server's, and its CPU time is not known",
      ],
    ],
    "no-common-round": [
      [{ kind: "no-common-round" }, "there is no round that both have figures of"],
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
    ["", "it hung", "it hung; the rate was not the server's, and its CPU time is not known"],
  );
});

Deno.test("a status stands before its reason, if there is one", () => {
  strictEqual(describeStatus({ status: "failed", reason: MESSAGE }), "failed: it hung");
  strictEqual(describeStatus({ status: "invalid", reason: null }), "invalid");
  strictEqual(withReason("skipped", "it is not installed"), "skipped: it is not installed");
});
