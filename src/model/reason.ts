/** Why something is as it is, as data: src/view/reasons.ts has the words. Shares are from 0 to 1. */
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
} from "./schema.ts";

/** The components of a run that may be the bottleneck. */
export const Component = oneOf("server", "database", "generator");
export type Component = Static<typeof Component>;

const EXAMPLE = nullable(text);

const Message = kinds({
  message: ["In words already: those of an error, or of a report of Stampede 0.1.", {
    text: [text, "The words."],
  }],
});

const OfBottleneck = kinds({
  busy: ["A component was busy.", {
    component: [Component, "Which one."],
    cores: [nullable(number), "Cores that it kept busy; null: not known."],
    busiestThread: [nullable(number), "Share of the time that its busiest thread ran."],
    runQueueWait: [nullable(number), "Share of the time that this thread waited to run."],
  }],
  "only-shards-tell": ["Only more shards could tell.", {}],
  "shards-changed": ["Twice the shards changed the rate.", {
    gain: [number, "By how much: 0.1 is 10 % more."],
  }],
  "connections-changed": ["Twice the connections changed the rate.", {
    gain: [number, "By how much: 0.1 is 10 % more."],
  }],
  "waited-for-processor": ["Threads waited for a processor.", {}],
  "near-ceiling": ["The rate is near the generator's ceiling.", {
    ceilingShare: [number, "The ceiling over the rate."],
  }],
  "server-unknown": ["What the server used is not known.", {}],
  "system-silent": ["The system does not tell who used the processors.", {}],
  "others-busy": ["Programs that do not take part were busy.", {
    cores: [number, "Cores that they used."],
  }],
  stolen: ["The machine's host took CPU time for others.", {
    share: [number, "Share of the machine's CPU time."],
  }],
  "machine-in-use": ["The whole machine was in use.", {
    used: [number, "Share of its CPU time."],
  }],
  "connections-idle": ["Connections had no request under way.", {
    little: [number, "Share of them that had one."],
  }],
  "database-hidden": ["What the database used cannot be seen.", {}],
  "all-idle": ["No component was busy.", {
    idle: [nullable(number), "Share of the machine that was left idle; null: not known."],
  }],
});

const OfInvalidity = kinds({
  "wrong-responses": ["The generator met wrong responses.", {
    count: [count, "How many."],
    example: [EXAMPLE, "One of them."],
  }],
  "probe-wrong": ["The probe met wrong responses.", {
    count: [count, "How many."],
    example: [EXAMPLE, "One of them."],
  }],
  "no-response": ["There was no response.", {}],
  "requests-failed": ["Too many requests failed.", {
    share: [number, "Share of the requests."],
    statuses: [record(count), "Responses without a 2xx status, by status, or by its class."],
    transportErrors: [count, "Requests without a response."],
    timeouts: [count, "Requests without a response in time."],
    probeErrors: [count, "Errors that the probe met."],
    probeError: [EXAMPLE, "One of these."],
  }],
  "too-few-writes": ["The responses have changed fewer rows than they say.", {
    perResponse: [number, "Rows that were changed for each response."],
    expected: [number, "As many as there should be."],
  }],
  "wrong-statements": ["The database executed another number of statements.", {
    perResponse: [number, "For each response."],
    expected: [number, "What the scenario takes."],
  }],
});

const OfLatency = kinds({
  "little-contradicts": [
    "By Little's law, these latencies do not belong to this rate and these connections.",
    {
      little: [number, "Rate times mean latency over connections: 1 if all are always busy."],
      connections: [count, "How many connections there were."],
    },
  ],
});

const OfProbe = kinds({
  "responses-in-waves": ["Some responses take longer than the probe's schedule.", {
    every: [number, "Every so many requests wait."],
    waitS: [number, "How long."],
  }],
  "connections-taken": ["The load needs every connection that the server takes.", {
    connections: [number, "How many."],
  }],
  messages: ["What is measured are messages over WebSockets.", {}],
  "open-loop": ["The load generator itself sends at given times, and looks at every body.", {}],
  "no-rehearsal": ["There was no warm-up in which the probe could find its pace.", {}],
  "responses-too-slow": ["Responses take longer than the probe's schedule.", {
    ms: [number, "How long a response took, median."],
  }],
});

const OfSearch = kinds({
  "none-held": ["The SLO was met at no rate that was tried.", {}],
  "search-ended": ["The search was ended before it found a rate.", {}],
});

const OfComparison = kinds({
  "still-climbing": ["Measuring began before the server had warmed up.", {
    where: [nullable(text), "The state of which that is so; null: the only one."],
    what: [oneOf("windows", "slices"), "What was measured: windows, or rounds of slices."],
    climbing: [count, "How many of them climbed."],
    of: [count, "Of how many."],
  }],
  contended: ["Other programs, or other virtual machines, used much of the processors.", {
    where: [text, "The state that was measured then."],
    otherCores: [number, "Cores that programs used which do not take part."],
    steal: [number, "Share of the CPU time that the machine's host took."],
    cores: [number, "Cores of the machine."],
  }],
  absent: ["It is not there.", { where: [text, "Where it is not."] }],
  "rate-not-own": ["The rate is not the server's own.", {}],
  "no-common-round": ["There is no round that both were measured in.", {}],
  differs: ["What was measured is not the same.", {
    what: [text, "What differs."],
    was: [nullable(text), "What it was, as JSON unless it is a text; null: there was none."],
    is: [nullable(text), "What it is, likewise."],
  }],
});

const OfProfile = kinds({
  "no-inspector": ["The program that is started does not listen to V8's inspector.", {
    command: [text, "What its start command begins with."],
  }],
  "not-started-here": ["The server runs already.", {}],
});

const NotOk = kinds({
  "not-ok": ["There are no figures.", {
    status: [oneOf("invalid", "failed"), "The result's status."],
    where: [text, "Where."],
    reason: [nullable(reference<Reason>("Reason")), "Why; null: not known."],
  }],
});
/** An interface of its own, since a type cannot be defined by itself otherwise. */
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
    "Why something is as it is.",
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
