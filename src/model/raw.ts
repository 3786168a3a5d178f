/**
 * Raw: what a run measured, as it came. What it was asked is in experiment.ts, what is derived from
 * this in derived.ts. Units stand in the names. What is unknown is null.
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
} from "./schema.ts";

export const Latency = object(
  "Latency",
  "Latencies of one window; null is what the load generator does not tell.",
  {
    count: [count, "How many were recorded."],
    meanUs: [nullable(amount), "Mean."],
    minUs: [nullable(amount), "The lowest."],
    p50Us: [nullable(amount), "Median."],
    p90Us: [nullable(amount), "90th percentile."],
    p99Us: [nullable(amount), "99th percentile."],
    p999Us: [nullable(amount), "99.9th percentile."],
    maxUs: [nullable(amount), "The highest."],
    histogram: [
      nullable(text),
      "The whole histogram of microseconds: HdrHistogram V2, compressed, base64.",
    ],
  },
);
export interface Latency extends Static<typeof Latency> {}

export const OpenRecord = object(
  "OpenRecord",
  "Raw: what became of the requests that were due in a window of an open loop, whenever their responses came.",
  {
    offered: [count, "Requests that were due."],
    sent: [count, "Of these, those that were sent."],
    failed: [count, "Those of which the connection ended, or that took longer than `timeoutS`."],
    unanswered: [count, "Those that were sent, and still waited for their response at the end."],
    shed: [count, "Those that were not sent: every connection was busy until the window closed."],
    recoveryS: [
      amount,
      "From the end of the window until nothing was under way any more, or it was given up.",
    ],
    responseTime: [
      nullable(Latency),
      "Response time: from the scheduled send time; a request without a response counts with the time that it has waited. Null if none was due.",
    ],
    lateness: [
      nullable(Latency),
      "Part of it: how late the load generator itself was to see that a request was due.",
    ],
    wait: [nullable(Latency), "Part of it: until a connection was idle, or had been opened."],
    serviceTime: [
      nullable(Latency),
      "Part of it: from sending a request to the last byte of its response; null without a response.",
    ],
  },
);
export interface OpenRecord extends Static<typeof OpenRecord> {}

const KindRecord = object(
  "Kind",
  "Raw: what a load generator saw of one kind of request of a mix.",
  {
    scenario: [text, "Id of the scenario whose request it is."],
    responses: [count, "Responses of any status in the window."],
    latency: [nullable(Latency), "Service time, as of all; null without a response."],
  },
);

export const Warmup = object(
  "Warmup",
  "Raw: the load before a window, or before the slices that count.",
  {
    tookS: [amount, "Seconds that it took."],
    requests: [count, "Requests that were answered."],
    isSteady: [
      nullable(flag),
      "Whether the rate had stopped climbing when it ended; null: its length was fixed.",
    ],
  },
);
export interface Warmup extends Static<typeof Warmup> {}

export const Measurement = object("Measurement", "Raw: what a load generator saw in one window.", {
  durationS: [amount, "Length of the window by a monotonic clock."],
  statuses: [
    record(count, { propertyNames: { pattern: "^\\d(\\d\\d|xx)$" } }),
    "Responses by status code, or by its class, `2xx`, where the generator tells no more.",
  ],
  allResponses: [
    count,
    "Answers from the first request of the warm-up to the end of the load, of any status.",
  ],
  transportErrors: [
    count,
    "Requests that failed without a response, and connections that the server closed.",
  ],
  timeouts: [
    nullable(count),
    "Requests without a response within `timeoutS`; null where the generator does not tell.",
  ],
  checkedBodies: [count, "Answers whose body was looked at."],
  wrongResponses: [count, "Of these, the wrong ones."],
  wrongResponse: [nullable(text), "The start of the first wrong response; null if there was none."],
  bytes: [
    nullable(count),
    "Bytes received, headers included; null where the generator does not tell.",
  ],
  connectionsOpened: [
    nullable(count),
    "Connections opened while the window was open; those from before it are kept alive; null where the generator does not tell.",
  ],
  slicesPerS: [
    list(amount),
    "Responses per second in each quarter of a second, in order; empty where the generator does not tell.",
  ],
  latency: [
    nullable(Latency),
    "Service time: from sending a request to the last byte of its response; null without a response.",
  ],
  kinds: [list(KindRecord), "What was seen of each kind of request; empty without a mix."],
  open: [
    nullable(OpenRecord),
    "What became of the requests that were due; null in a closed loop.",
  ],
  warmup: [
    nullable(Warmup),
    "The load before the window; null if the generator does not report it.",
  ],
});
export interface Measurement extends Static<typeof Measurement> {}

export const ProbeRecord = object(
  "ProbeRecord",
  "Raw: what the probe saw in one window: Stampede's own client that sends at fixed times, on a connection of its own, and looks at whole responses.",
  {
    intervalMs: [amount, "Milliseconds between two requests; 0 without a probe."],
    durationS: [amount, "How long it watched; 0 without a probe."],
    due: [count, "Requests whose time came while the window was open."],
    responses: [count, "Responses with a 2xx status, all of them checked whole."],
    allResponses: [count, "Responses from the start of the warm-up on, right or wrong."],
    wrongResponses: [count, "Of the responses with a 2xx status, the wrong ones."],
    wrongResponse: [
      nullable(text),
      "What was wrong with the first of them; null if there was none.",
    ],
    errors: [count, "Transport errors and responses without a 2xx status."],
    error: [nullable(text), "The first of these errors; null if there was none."],
    latency: [
      nullable(Latency),
      "Response time: from the scheduled send time; a request without a response counts with its age. Null without any, and where responses take too long for the pace: it would be the probe's own queue.",
    ],
    sendLatenessP99Us: [
      nullable(amount),
      "How late the probe itself was to see that a request was due, 99th percentile; null without any.",
    ],
    absence: [nullable(Reason), "Why there was no probe; null if there was."],
  },
);
export interface ProbeRecord extends Static<typeof ProbeRecord> {}

export const ProgramUsage = object(
  "ProgramUsage",
  "Raw: what one program, with all its descendants, used during a window; null: not known.",
  {
    userUs: [number, "CPU time in user mode."],
    systemUs: [number, "CPU time in the kernel."],
    busiestThread: [nullable(number), "Share of the window that its busiest thread ran, 0 to 1."],
    runQueueWait: [nullable(number), "Share of the window that this thread waited to run, 0 to 1."],
    waitedUs: [nullable(number), "How long all its threads together waited for a processor."],
    idleRssBytes: [
      nullable(count),
      "Resident memory before its load; shared pages count in each process.",
    ],
    peakRssBytes: [
      nullable(count),
      "Resident memory at most since then; shared pages count in each process.",
    ],
  },
);
export interface ProgramUsage extends Static<typeof ProgramUsage> {}

const MachineUsage = object("MachineUsage", "Shares of the machine's CPU time.", {
  idle: [number, "Share that was left idle, 0 to 1."],
  steal: [number, "Share that the machine's host took for others, 0 to 1."],
});

export const Usage = object(
  "Usage",
  "Raw: what each component of a run used in a window; null: not known.",
  {
    durationS: [amount, "Seconds between the two readings."],
    server: [nullable(ProgramUsage), "The server."],
    database: [nullable(ProgramUsage), "PostgreSQL, if Stampede brought it."],
    generator: [nullable(ProgramUsage), "The load generator."],
    machine: [nullable(MachineUsage), "The whole machine."],
  },
);
export interface Usage extends Static<typeof Usage> {}

const Statement = object("Statement", "One statement.", {
  query: [text, "Its first 200 characters, constants replaced."],
  calls: [ordinal, "How often it was executed."],
  changed: [nullable(count), "Rows that it changed; null: it is none that changes any."],
});

export const DatabaseActivity = object(
  "DatabaseActivity",
  "Raw: what PostgreSQL did during a whole load, its warm-up included, by pg_stat_statements.",
  { statements: [list(Statement), "The most frequent first."] },
);
export interface DatabaseActivity extends Static<typeof DatabaseActivity> {}

export const Ceiling = object(
  "Ceiling",
  "Raw: what the load generator reached against a server that answers canned bytes.",
  {
    shape: [text, "Request method, size of the response, connections and shards, in words."],
    responseBytes: [count, "Length of the response's body."],
    responsesPerS: [amount, "Responses per second."],
    generatorBusiest: [
      nullable(number),
      "Share of the window that the generator's busiest thread ran, 0 to 1; null: not known.",
    ],
    nullServerBusiest: [
      nullable(number),
      "Share of the window that the null server's busiest thread ran, 0 to 1; null: not known.",
    ],
  },
);
export interface Ceiling extends Static<typeof Ceiling> {}

export const WindowRecord = object(
  "WindowRecord",
  "Raw: everything that was measured in one window; null where it is not known.",
  {
    measurement: [Measurement, "What the load generator saw."],
    usage: [nullable(Usage), "Who used the processors."],
    probe: [ProbeRecord, "What the probe saw."],
    database: [nullable(DatabaseActivity), "What PostgreSQL did; null where it is not counted."],
    ceiling: [
      nullable(Ceiling),
      "What the generator reached against canned bytes; null where that was not measured.",
    ],
    referenceUs: [
      nullable(positive),
      "How long a fixed piece of work took one thread just before.",
    ],
    beside: [
      nullable(Measurement),
      "What the load saw that the scenario has beside it; null without one.",
    ],
  },
);
export interface WindowRecord extends Static<typeof WindowRecord> {}

export const LaunchRecord = object("LaunchRecord", "Raw: one start of a server.", {
  variant: [text, "Id of the variant."],
  round: [upTo(HIGHEST_ROUND, ordinal), "The round that it was started for."],
  startUpS: [
    nullable(positive),
    "From its spawning to its first right response; null if its first response was not right, its start was not seen, or other servers were started at the same time.",
  ],
  idleRssBytes: [
    nullable(count),
    "Resident memory of it and its descendants then; null where it is not known.",
  ],
  handshakes: [
    nullable(Handshakes),
    "What opening connections took before any load; null without TLS, and where other servers ran beside it.",
  ],
});
export interface LaunchRecord extends Static<typeof LaunchRecord> {}

export const TrialFailure = object("TrialFailure", "Why there is no window.", {
  kind: [
    oneOf("start", "verification", "window"),
    "What failed: starting the server, a response before the load, or the window.",
  ],
  message: [text, "What went wrong."],
  output: [
    nullable(text),
    "What the load generator printed, if that is what cannot be read; null otherwise.",
  ],
});
export interface TrialFailure extends Static<typeof TrialFailure> {}

export const TrialResult = object("TrialResult", "Raw: one window, or why there is none.", {
  trial: [Trial, "What was to be measured."],
  startedAt: [instant, "When it started, ISO 8601 in UTC."],
  window: [nullable(WindowRecord), "What was measured; null after a failure."],
  failure: [nullable(TrialFailure), "Why nothing was measured; null if something was."],
});
export interface TrialResult extends Static<typeof TrialResult> {}
