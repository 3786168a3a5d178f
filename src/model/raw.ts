/**
 * Raw measurements of a run. Its settings are in experiment.ts, its derived results in derived.ts. Units are
 * part of the names; null means unknown.
 */
import { HIGHEST_ROUND } from "./limits.ts";
import { Reason } from "./reason.ts";
import { Trial } from "./experiment.ts";
import { Handshakes } from "./tls.ts";
import {
  amount,
  count,
  flag,
  instant,
  list,
  nullable,
  number,
  object,
  oneOf,
  ordinal,
  positive,
  record,
  type Static,
  text,
  upTo,
} from "./json_schema.ts";

export const Latency = object(
  "Latency",
  "Latencies of one window in microseconds; null if the load generator does not report them.",
  {
    count: [count, "Number of recorded latencies."],
    meanUs: [nullable(amount), "Mean."],
    minUs: [nullable(amount), "Minimum."],
    p50Us: [nullable(amount), "Median."],
    p90Us: [nullable(amount), "90th percentile."],
    p99Us: [nullable(amount), "99th percentile."],
    p999Us: [nullable(amount), "99.9th percentile."],
    maxUs: [nullable(amount), "Maximum."],
    histogram: [
      nullable(text),
      "Complete histogram of microseconds: HdrHistogram V2, compressed, base64.",
    ],
  },
);
export interface Latency extends Static<typeof Latency> {}

export const OpenRecord = object(
  "OpenRecord",
  "Raw: outcomes of the requests scheduled in a window of an open loop, including responses after the window.",
  {
    offered: [count, "Scheduled requests."],
    sent: [count, "Requests that were sent."],
    failed: [
      count,
      "Requests that failed because the connection ended, or that took longer than `timeoutS`.",
    ],
    unanswered: [count, "Requests that were sent and were still pending at the end."],
    shed: [
      count,
      "Requests that were not sent, because every connection was busy until the window closed.",
    ],
    recoveryS: [
      amount,
      "Seconds from the end of the window until all requests were completed or given up.",
    ],
    responseTime: [
      nullable(Latency),
      "Response time, from the scheduled send time. A request without a response counts with the time that it has waited. Null if none was scheduled.",
    ],
    lateness: [
      nullable(Latency),
      "Part of the response time: the lateness of the load generator.",
    ],
    wait: [nullable(Latency), "Part of the response time: the wait for an idle or new connection."],
    serviceTime: [
      nullable(Latency),
      "Part of the response time: from sending to the last byte of the response; null without a response.",
    ],
  },
);
export interface OpenRecord extends Static<typeof OpenRecord> {}

const KindRecord = object(
  "Kind",
  "Raw: one kind of request of a mix, as the load generator measured it.",
  {
    scenario: [text, "Id of the scenario of the request."],
    responses: [count, "Responses of any status in the window."],
    latency: [nullable(Latency), "Service time; null without a response."],
  },
);

export const Warmup = object(
  "Warmup",
  "Raw: the warm-up of a window or of slices.",
  {
    tookS: [amount, "Duration in seconds."],
    requests: [count, "Answered requests."],
    isSteady: [
      nullable(flag),
      "Whether the rate had stopped climbing at its end; null if its length was fixed.",
    ],
  },
);
export interface Warmup extends Static<typeof Warmup> {}

export const Measurement = object(
  "Measurement",
  "Raw: the load generator's measurements of one window.",
  {
    durationS: [amount, "Length of the window in seconds, by a monotonic clock."],
    statuses: [
      record(count, { propertyNames: { pattern: "^\\d(\\d\\d|xx)$" } }),
      "Responses by status code, or by class (`2xx`) if the generator reports no more.",
    ],
    allResponses: [
      count,
      "Responses from the first request of the warm-up to the end of the load, of any status.",
    ],
    transportErrors: [
      count,
      "Requests that failed without a response, and connections that the server closed.",
    ],
    timeouts: [
      nullable(count),
      "Requests without a response within `timeoutS`; null if the generator does not report them.",
    ],
    checkedBodies: [count, "Responses with a checked body."],
    wrongResponses: [count, "Wrong responses among these."],
    wrongResponse: [
      nullable(text),
      "The start of the first wrong response; null if there was none.",
    ],
    bytes: [
      nullable(count),
      "Received bytes, including headers; null if the generator does not report them.",
    ],
    connectionsOpened: [
      nullable(count),
      "Connections opened during the window; earlier ones are kept alive. Null if the generator does not report them.",
    ],
    slicesPerS: [
      list(amount),
      "Responses per second in each quarter of a second, in order; empty if the generator does not report them.",
    ],
    latency: [
      nullable(Latency),
      "Service time: from sending a request to the last byte of its response; null without a response.",
    ],
    kinds: [list(KindRecord), "Measurements of each kind of request; empty without a mix."],
    open: [
      nullable(OpenRecord),
      "Outcomes of the scheduled requests; null in a closed loop.",
    ],
    warmup: [
      nullable(Warmup),
      "The warm-up; null if the generator does not report it.",
    ],
  },
);
export interface Measurement extends Static<typeof Measurement> {}

export const ProbeRecord = object(
  "ProbeRecord",
  "Raw: the probe's measurements of one window. The probe is Stampede's own client, which sends at fixed times on a separate connection and checks complete responses.",
  {
    intervalMs: [amount, "Milliseconds between two requests; 0 without a probe."],
    durationS: [amount, "Duration in seconds; 0 without a probe."],
    due: [count, "Requests scheduled in the window."],
    responses: [count, "Responses with a 2xx status, all completely checked."],
    allResponses: [count, "Responses since the start of the warm-up, right or wrong."],
    wrongResponses: [count, "Wrong responses among those with a 2xx status."],
    wrongResponse: [
      nullable(text),
      "Error of the first wrong response; null if there was none.",
    ],
    errors: [count, "Transport errors and responses without a 2xx status."],
    error: [nullable(text), "The first of these errors; null if there was none."],
    latency: [
      nullable(Latency),
      "Response time, from the scheduled send time. A request without a response counts with its age. Null without requests, and if responses take longer than the interval, because the probe's own queue would count.",
    ],
    sendLatenessP99Us: [
      nullable(amount),
      "99th percentile of the probe's own lateness; null without requests.",
    ],
    absence: [nullable(Reason), "Why there was no probe; null if there was one."],
  },
);
export interface ProbeRecord extends Static<typeof ProbeRecord> {}

export const ProgramUsage = object(
  "ProgramUsage",
  "Raw: resources that one program with all its descendants used in a window; null if unknown.",
  {
    userUs: [number, "CPU time in user mode."],
    systemUs: [number, "CPU time in the kernel."],
    busiestThread: [nullable(number), "Share of the window that its busiest thread ran, 0 to 1."],
    runQueueWait: [nullable(number), "Share of the window that this thread waited to run, 0 to 1."],
    waitedUs: [nullable(number), "Total time that its threads waited for a processor."],
    idleRssBytes: [
      nullable(count),
      "Resident memory before the load; shared pages count in each process.",
    ],
    peakRssBytes: [
      nullable(count),
      "Peak resident memory since then; shared pages count in each process.",
    ],
  },
);
export interface ProgramUsage extends Static<typeof ProgramUsage> {}

const MachineUsage = object("MachineUsage", "Shares of the machine's CPU time.", {
  idle: [number, "Idle share, 0 to 1."],
  steal: [number, "Share that the virtual machine's host took, 0 to 1."],
});

export const Usage = object(
  "Usage",
  "Raw: resources that each component used in a window; null if unknown.",
  {
    durationS: [amount, "Seconds between the two readings."],
    server: [nullable(ProgramUsage), "The server."],
    database: [nullable(ProgramUsage), "PostgreSQL, if Stampede started it."],
    generator: [nullable(ProgramUsage), "The load generator."],
    machine: [nullable(MachineUsage), "The whole machine."],
  },
);
export interface Usage extends Static<typeof Usage> {}

const Statement = object("Statement", "One statement.", {
  query: [text, "First 200 characters, with constants replaced."],
  calls: [ordinal, "Number of executions."],
  changed: [nullable(count), "Changed rows; null for statements that change none."],
});

export const DatabaseActivity = object(
  "DatabaseActivity",
  "Raw: PostgreSQL's statements during a load and its warm-up, from pg_stat_statements.",
  { statements: [list(Statement), "The most frequent first."] },
);
export interface DatabaseActivity extends Static<typeof DatabaseActivity> {}

export const Ceiling = object(
  "Ceiling",
  "Raw: the load generator's rate against a server with canned responses.",
  {
    shape: [text, "Request method, response size, connections and shards, in words."],
    responseBytes: [count, "Length of the response's body."],
    responsesPerS: [amount, "Responses per second."],
    generatorBusiest: [
      nullable(number),
      "Share of the window that the generator's busiest thread ran, 0 to 1; null if unknown.",
    ],
    nullServerBusiest: [
      nullable(number),
      "Share of the window that the null server's busiest thread ran, 0 to 1; null if unknown.",
    ],
  },
);
export interface Ceiling extends Static<typeof Ceiling> {}

export const WindowRecord = object(
  "WindowRecord",
  "Raw: all measurements of one window; null if unknown.",
  {
    measurement: [Measurement, "The load generator's measurements."],
    usage: [nullable(Usage), "CPU time and memory of each component."],
    probe: [ProbeRecord, "The probe's measurements."],
    database: [nullable(DatabaseActivity), "PostgreSQL's statements; null if not counted."],
    ceiling: [
      nullable(Ceiling),
      "The generator's ceiling against canned bytes; null if not measured.",
    ],
    referenceUs: [
      nullable(positive),
      "Microseconds of a fixed piece of work on one thread just before the window.",
    ],
    beside: [
      nullable(Measurement),
      "Measurements of the scenario's side load; null without one.",
    ],
  },
);
export interface WindowRecord extends Static<typeof WindowRecord> {}

export const LaunchRecord = object("LaunchRecord", "Raw: one start of a server.", {
  variant: [text, "Id of the variant."],
  round: [upTo(HIGHEST_ROUND, ordinal), "Round of the start."],
  startUpS: [
    nullable(positive),
    "Seconds from the start of its process to its first right response. Null if its first response was wrong, its start was not observed, or other servers started at the same time.",
  ],
  idleRssBytes: [
    nullable(count),
    "Resident memory of the process and its descendants after that response; null if unknown.",
  ],
  handshakes: [
    nullable(Handshakes),
    "TLS handshakes before any load; null without TLS, or if other servers ran at the same time.",
  ],
});
export interface LaunchRecord extends Static<typeof LaunchRecord> {}

export const TrialFailure = object("TrialFailure", "Why a window is missing.", {
  kind: [
    oneOf("start", "verification", "window"),
    "The failed step: starting the server, the verification before the load, or the window.",
  ],
  message: [text, "The error message."],
  output: [
    nullable(text),
    "Unreadable output of the load generator; null otherwise.",
  ],
});
export interface TrialFailure extends Static<typeof TrialFailure> {}

export const TrialResult = object("TrialResult", "Raw: one window, or why it is missing.", {
  trial: [Trial, "The planned trial."],
  startedAt: [instant, "Start time, ISO 8601 in UTC."],
  window: [nullable(WindowRecord), "The measurements; null after a failure."],
  failure: [nullable(TrialFailure), "The failure; null if there is a window."],
});
export interface TrialResult extends Static<typeof TrialResult> {}
