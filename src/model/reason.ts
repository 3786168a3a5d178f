/** Reasons as data. src/view/reasons.ts turns them into text. Shares are from 0 to 1. */
import {
  count,
  kinds,
  named,
  nullable,
  number,
  oneOf,
  record,
  reference,
  type Schema,
  type Static,
  text,
  union,
} from "./json_schema.ts";

/** Components of a run that may be the bottleneck. */
export const Component = oneOf("server", "database", "generator");
export type Component = Static<typeof Component>;

const EXAMPLE = nullable(text);

const Message = kinds({
  message: ["The message of an error.", {
    text: [text, "The message."],
  }],
});

const OfBottleneck = kinds({
  busy: ["A component was busy.", {
    component: [Component, "The component."],
    cores: [nullable(number), "Cores that it used; null if unknown."],
    busiestThread: [nullable(number), "Share of time that its busiest thread ran."],
    runQueueWait: [nullable(number), "Share of time that this thread waited to run."],
  }],
  "only-shards-tell": ["Only a test with more shards can decide.", {}],
  "shards-changed": ["Doubling the shards changed the rate.", {
    gain: [number, "Relative change: 0.1 is 10 % more."],
  }],
  "connections-changed": ["Doubling the connections changed the rate.", {
    gain: [number, "Relative change: 0.1 is 10 % more."],
  }],
  "waited-for-processor": ["Threads waited for a processor.", {}],
  "near-ceiling": ["The rate is near the generator's ceiling.", {
    ceilingShare: [number, "The ceiling divided by the rate."],
  }],
  "server-unknown": ["The server's CPU time is unknown.", {}],
  "system-silent": ["The system does not report CPU time by program.", {}],
  "others-busy": ["Other programs were busy.", {
    cores: [number, "Cores that they used."],
  }],
  stolen: ["The virtual machine's host took CPU time.", {
    share: [number, "Share of the machine's CPU time."],
  }],
  "machine-in-use": ["The whole machine was in use.", {
    used: [number, "Share of its CPU time."],
  }],
  "connections-idle": ["Connections had no pending request.", {
    little: [number, "Share of connections with a pending request."],
  }],
  "database-hidden": ["The database's CPU time is unknown.", {}],
  "all-idle": ["No component was busy.", {
    idle: [nullable(number), "Idle share of the machine; null if unknown."],
  }],
});

const OfInvalidity = kinds({
  "wrong-responses": ["The generator received wrong responses.", {
    count: [count, "Number."],
    example: [EXAMPLE, "An example."],
  }],
  "probe-wrong": ["The probe received wrong responses.", {
    count: [count, "Number."],
    example: [EXAMPLE, "An example."],
  }],
  "no-response": ["There was no response.", {}],
  "requests-failed": ["Too many requests failed.", {
    share: [number, "Share of failed requests."],
    statuses: [record(count), "Responses without a 2xx status, by status, or by its class."],
    transportErrors: [count, "Requests without a response."],
    timeouts: [count, "Requests that timed out."],
    probeErrors: [count, "Errors of the probe."],
    probeError: [EXAMPLE, "An example."],
  }],
  "too-few-writes": ["Responses changed fewer rows than they should.", {
    perResponse: [number, "Changed rows per response."],
    expected: [number, "The expected number."],
  }],
  "wrong-statements": ["The database executed an unexpected number of statements.", {
    perResponse: [number, "Statements per response."],
    expected: [number, "The scenario's number."],
  }],
});

const OfLatency = kinds({
  "little-contradicts": [
    "By Little's law, these latencies do not belong to this rate and these connections.",
    {
      little: [number, "Rate times mean latency divided by connections: 1 if all are always busy."],
      connections: [count, "Number of connections."],
    },
  ],
});

const OfProbe = kinds({
  "responses-in-waves": ["Some responses take longer than the probe's interval.", {
    every: [number, "One of this many requests waits."],
    waitS: [number, "Duration of the wait, in seconds."],
  }],
  "connections-taken": ["The load needs every connection that the server accepts.", {
    connections: [number, "Number."],
  }],
  messages: ["The load consists of WebSocket messages.", {}],
  "open-loop": ["The load generator itself sends at scheduled times and checks every body.", {}],
  "no-rehearsal": ["Without a warm-up, the probe could not find its interval.", {}],
  "responses-too-slow": ["Responses take longer than the probe's interval.", {
    ms: [number, "Median response time in milliseconds."],
  }],
});

const OfSearch = kinds({
  "none-held": ["No tried rate met the SLO.", {}],
  "search-ended": ["The search ended before it found a rate.", {}],
});

const OfComparison = kinds({
  "still-climbing": ["The measurement began before the server had warmed up.", {
    where: [nullable(text), "The affected revision; null if there is only one."],
    what: [oneOf("windows", "slices"), "What climbed: windows, or rounds of slices."],
    climbing: [count, "Number of climbing ones."],
    of: [count, "Total number."],
  }],
  contended: ["Other programs or other virtual machines used much CPU time.", {
    where: [text, "The affected revision."],
    otherCores: [number, "Cores used by other programs."],
    steal: [number, "Share of CPU time that the virtual machine's host took."],
    cores: [number, "Cores of the machine."],
  }],
  absent: ["The result is missing.", { where: [text, "Where it is missing."] }],
  "rate-not-own": ["The rate is limited by something other than the server.", {}],
  "no-common-round": ["No round measured both.", {}],
  differs: ["The measurements differ in a setting.", {
    what: [text, "The setting."],
    was: [nullable(text), "Its value before, as JSON unless it is text; null if it was missing."],
    is: [nullable(text), "Its value now, likewise."],
  }],
});

const OfProfile = kinds({
  "no-inspector": ["The started program does not accept V8's inspector.", {
    command: [text, "First word of its start command."],
  }],
  "not-started-here": ["The server was not started by Stampede.", {}],
});

const NotOk = kinds({
  "not-ok": ["There are no figures.", {
    status: [oneOf("invalid", "failed"), "The result's status."],
    where: [text, "The affected revision."],
    reason: [nullable(reference<Reason>("Reason")), "The reason; null if unknown."],
  }],
});
/** An interface, because a type alias could not refer to {@linkcode Reason} here. */
interface NotOk extends Static<typeof NotOk> {}

export type Reason =
  | Static<typeof Message>
  | Static<typeof OfBottleneck>
  | Static<typeof OfInvalidity>
  | Static<typeof OfLatency>
  | Static<typeof OfProbe>
  | Static<typeof OfSearch>
  | Static<typeof OfComparison>
  | Static<typeof OfProfile>
  | NotOk;
export const Reason: Schema<Reason> = named(
  "Reason",
  union(
    "A reason, by kind.",
    Message,
    OfBottleneck,
    OfInvalidity,
    OfLatency,
    OfProbe,
    OfSearch,
    OfComparison,
    OfProfile,
    NotOk,
  ),
);
