/**
 * Raw measurements of a run. Its settings are in experiment.ts, its derived results in derived.ts. Units are
 * part of the names; null means unknown.
 */
import { HIGHEST_ROUND } from "./limits.ts";
import { Reason } from "./reason.ts";
import { Trial } from "./experiment.ts";
import { Handshakes } from "./server.ts";
import * as s from "./schema.ts";

const Latency = s.object(
  "Latency",
  "Latencies of one window in microseconds; null if the load generator does not report them.",
  {
    count: [s.count, "Number of recorded latencies."],
    meanUs: [s.nullable(s.amount), "Mean."],
    minUs: [s.nullable(s.amount), "Minimum."],
    p50Us: [s.nullable(s.amount), "Median."],
    p90Us: [s.nullable(s.amount), "90th percentile."],
    p99Us: [s.nullable(s.amount), "99th percentile."],
    p999Us: [s.nullable(s.amount), "99.9th percentile."],
    maxUs: [s.nullable(s.amount), "Maximum."],
    histogram: [
      s.nullable(s.text),
      "Complete histogram of microseconds: HdrHistogram V2, compressed, base64.",
    ],
  },
);
export interface Latency extends s.Static<typeof Latency> {}

const OpenRecord = s.object(
  "OpenRecord",
  "Raw: outcomes of the requests scheduled in a window of an open loop, including responses after the window.",
  {
    offered: [s.count, "Scheduled requests."],
    sent: [s.count, "Requests that were sent."],
    failed: [
      s.count,
      "Requests that failed because the connection ended, or that took longer than `timeoutS`.",
    ],
    unanswered: [s.count, "Requests that were sent and were still pending at the end."],
    shed: [
      s.count,
      "Requests that were not sent, because every connection was busy until the window closed.",
    ],
    recoveryS: [
      s.amount,
      "Seconds from the end of the window until all requests were completed or given up.",
    ],
    responseTime: [
      s.nullable(Latency),
      "Response time, from the scheduled send time. A request without a response counts with the time that it has waited. Null if none was scheduled.",
    ],
    lateness: [
      s.nullable(Latency),
      "Part of the response time: the lateness of the load generator.",
    ],
    wait: [
      s.nullable(Latency),
      "Part of the response time: the wait for an idle or new connection.",
    ],
    serviceTime: [
      s.nullable(Latency),
      "Part of the response time: from sending to the last byte of the response; null without a response.",
    ],
  },
);
export interface OpenRecord extends s.Static<typeof OpenRecord> {}

const KindRecord = s.object(
  "Kind",
  "Raw: one kind of request of a mix, as the load generator measured it.",
  {
    scenario: [s.text, "Id of the scenario of the request."],
    responses: [s.count, "Responses of any status in the window."],
    latency: [s.nullable(Latency), "Service time; null without a response."],
  },
);

export const Warmup = s.object("Warmup", "Raw: the warm-up of a window or of slices.", {
  tookS: [s.amount, "Duration in seconds."],
  requests: [s.count, "Answered requests."],
  isSteady: [
    s.nullable(s.flag),
    "Whether the rate had stopped climbing at its end; null if its length was fixed.",
  ],
});
export interface Warmup extends s.Static<typeof Warmup> {}

const Measurement = s.object(
  "Measurement",
  "Raw: the load generator's measurements of one window.",
  {
    durationS: [s.amount, "Length of the window in seconds, by a monotonic clock."],
    statuses: [
      s.record(s.count, { propertyNames: { pattern: "^\\d(\\d\\d|xx)$" } }),
      "Responses by status code, or by class (`2xx`) if the generator reports no more.",
    ],
    allResponses: [
      s.count,
      "Responses from the first request of the warm-up to the end of the load, of any status.",
    ],
    transportErrors: [
      s.count,
      "Requests that failed without a response, and connections that the server closed.",
    ],
    timeouts: [
      s.nullable(s.count),
      "Requests without a response within `timeoutS`; null if the generator does not report them.",
    ],
    checkedBodies: [s.count, "Responses with a checked body."],
    wrongResponses: [s.count, "Wrong responses among these."],
    wrongResponse: [
      s.nullable(s.text),
      "The start of the first wrong response; null if there was none.",
    ],
    bytes: [
      s.nullable(s.count),
      "Received bytes, including headers; null if the generator does not report them.",
    ],
    connectionsOpened: [
      s.nullable(s.count),
      "Connections opened during the window; earlier ones are kept alive. Null if the generator does not report them.",
    ],
    slicesPerS: [
      s.list(s.amount),
      "Responses per second in each quarter of a second, in order; empty if the generator does not report them.",
    ],
    latency: [
      s.nullable(Latency),
      "Service time: from sending a request to the last byte of its response; null without a response.",
    ],
    kinds: [s.list(KindRecord), "Measurements of each kind of request; empty without a mix."],
    open: [s.nullable(OpenRecord), "Outcomes of the scheduled requests; null in a closed loop."],
    warmup: [s.nullable(Warmup), "The warm-up; null if the generator does not report it."],
  },
);
export interface Measurement extends s.Static<typeof Measurement> {}

const ProbeRecord = s.object(
  "ProbeRecord",
  "Raw: the probe's measurements of one window. The probe is Stampede's own client, which sends at fixed times on a separate connection and checks complete responses.",
  {
    intervalMs: [s.amount, "Milliseconds between two requests; 0 without a probe."],
    durationS: [s.amount, "Duration in seconds; 0 without a probe."],
    due: [s.count, "Requests scheduled in the window."],
    responses: [s.count, "Responses with a 2xx status, all completely checked."],
    allResponses: [s.count, "Responses since the start of the warm-up, right or wrong."],
    wrongResponses: [s.count, "Wrong responses among those with a 2xx status."],
    wrongResponse: [
      s.nullable(s.text),
      "Error of the first wrong response; null if there was none.",
    ],
    errors: [s.count, "Transport errors and responses without a 2xx status."],
    error: [s.nullable(s.text), "The first of these errors; null if there was none."],
    latency: [
      s.nullable(Latency),
      "Response time, from the scheduled send time. A request without a response counts with its age. Null without requests, and if responses take longer than the interval, because the probe's own queue would count.",
    ],
    sendLatenessP99Us: [
      s.nullable(s.amount),
      "99th percentile of the probe's own lateness; null without requests.",
    ],
    absence: [s.nullable(Reason), "Why there was no probe; null if there was one."],
  },
);
export interface ProbeRecord extends s.Static<typeof ProbeRecord> {}

const ProgramUsage = s.object(
  "ProgramUsage",
  "Raw: resources that one program with all its descendants used in a window; null if unknown.",
  {
    userUs: [s.number, "CPU time in user mode."],
    systemUs: [s.number, "CPU time in the kernel."],
    busiestThread: [
      s.nullable(s.number),
      "Share of the window that its busiest thread ran, 0 to 1.",
    ],
    runQueueWait: [
      s.nullable(s.number),
      "Share of the window that this thread waited to run, 0 to 1.",
    ],
    waitedUs: [s.nullable(s.number), "Total time that its threads waited for a processor."],
    idleRssBytes: [
      s.nullable(s.count),
      "Resident memory before the load; shared pages count in each process.",
    ],
    peakRssBytes: [
      s.nullable(s.count),
      "Peak resident memory since then; shared pages count in each process.",
    ],
  },
);
export interface ProgramUsage extends s.Static<typeof ProgramUsage> {}

const MachineUsage = s.object("MachineUsage", "Shares of the machine's CPU time.", {
  idle: [s.number, "Idle share, 0 to 1."],
  steal: [s.number, "Share that the virtual machine's host took, 0 to 1."],
});

export const Usage = s.object(
  "Usage",
  "Raw: resources that each component used in a window; null if unknown.",
  {
    durationS: [s.amount, "Seconds between the two readings."],
    server: [s.nullable(ProgramUsage), "The server."],
    database: [s.nullable(ProgramUsage), "PostgreSQL, if Stampede started it."],
    generator: [s.nullable(ProgramUsage), "The load generator."],
    machine: [s.nullable(MachineUsage), "The whole machine."],
  },
);
export interface Usage extends s.Static<typeof Usage> {}

const Statement = s.object("Statement", "One statement.", {
  query: [s.text, "First 200 characters, with constants replaced."],
  calls: [s.ordinal, "Number of executions."],
  changed: [s.nullable(s.count), "Changed rows; null for statements that change none."],
});

const DatabaseActivity = s.object(
  "DatabaseActivity",
  "Raw: PostgreSQL's statements during a load and its warm-up, from pg_stat_statements.",
  { statements: [s.list(Statement), "The most frequent first."] },
);
export interface DatabaseActivity extends s.Static<typeof DatabaseActivity> {}

const Ceiling = s.object(
  "Ceiling",
  "Raw: the load generator's rate against a server with canned responses.",
  {
    shape: [s.text, "Request method, response size, connections and shards, in words."],
    responseBytes: [s.count, "Length of the response's body."],
    responsesPerS: [s.amount, "Responses per second."],
    generatorBusiest: [
      s.nullable(s.number),
      "Share of the window that the generator's busiest thread ran, 0 to 1; null if unknown.",
    ],
    nullServerBusiest: [
      s.nullable(s.number),
      "Share of the window that the null server's busiest thread ran, 0 to 1; null if unknown.",
    ],
  },
);
export interface Ceiling extends s.Static<typeof Ceiling> {}

const WindowRecord = s.object(
  "WindowRecord",
  "Raw: all measurements of one window; null if unknown.",
  {
    measurement: [Measurement, "The load generator's measurements."],
    usage: [s.nullable(Usage), "CPU time and memory of each component."],
    probe: [ProbeRecord, "The probe's measurements."],
    database: [s.nullable(DatabaseActivity), "PostgreSQL's statements; null if not counted."],
    ceiling: [
      s.nullable(Ceiling),
      "The generator's ceiling against canned bytes; null if not measured.",
    ],
    referenceUs: [
      s.nullable(s.positive),
      "Microseconds of a fixed piece of work on one thread just before the window.",
    ],
    beside: [
      s.nullable(Measurement),
      "Measurements of the scenario's side load; null without one.",
    ],
  },
);
export interface WindowRecord extends s.Static<typeof WindowRecord> {}

export const LaunchRecord = s.object("LaunchRecord", "Raw: one start of a server.", {
  variant: [s.text, "Id of the variant."],
  round: [s.upTo(HIGHEST_ROUND, s.ordinal), "Round of the start."],
  startUpS: [
    s.nullable(s.positive),
    "Seconds from the start of its process to its first right response. Null if its first response was wrong, its start was not observed, or other servers started at the same time.",
  ],
  idleRssBytes: [
    s.nullable(s.count),
    "Resident memory of the process and its descendants after that response; null if unknown.",
  ],
  handshakes: [
    s.nullable(Handshakes),
    "TLS handshakes before any load; null without TLS, or if other servers ran at the same time.",
  ],
});
export interface LaunchRecord extends s.Static<typeof LaunchRecord> {}

const TrialFailure = s.object("TrialFailure", "Why a window is missing.", {
  kind: [
    s.oneOf("start", "verification", "window"),
    "The failed step: starting the server, the verification before the load, or the window.",
  ],
  message: [s.text, "The error message."],
  output: [s.nullable(s.text), "Unreadable output of the load generator; null otherwise."],
});
export interface TrialFailure extends s.Static<typeof TrialFailure> {}

export const TrialResult = s.object("TrialResult", "Raw: one window, or why it is missing.", {
  trial: [Trial, "The planned trial."],
  startedAt: [s.instant, "Start time, ISO 8601 in UTC."],
  window: [s.nullable(WindowRecord), "The measurements; null after a failure."],
  failure: [s.nullable(TrialFailure), "The failure; null if there is a window."],
});
export interface TrialResult extends s.Static<typeof TrialResult> {}
