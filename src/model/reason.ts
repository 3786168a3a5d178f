/** Reasons as data, which src/view/reasons.ts words, and bottlenecks. Shares are from 0 to 1. */
import * as s from "./schema.ts";

/** Components of a run that may be the bottleneck. */
const Component = s.oneOf("server", "database", "generator");
export type Component = s.Static<typeof Component>;

const GAIN = { gain: s.number.is("Relative change: 0.1 is 10 % more.") };
const WRONG = { count: s.count.is("Number."), example: s.text.orNull("An example.") };

const Simple = s.kinds({
  message: ["The message of an error.", { text: s.text.is("The message.") }],

  // Of bottlenecks
  busy: ["A component was busy.", {
    component: Component.is("The component."),
    cores: s.number.orNull("Cores that it used; null if unknown."),
    busiestThread: s.number.orNull("Share of time that its busiest thread ran."),
    runQueueWait: s.number.orNull("Share of time that this thread waited to run."),
  }],
  "only-shards-tell": ["Only a test with more shards can decide.", {}],
  "shards-changed": ["Doubling the shards changed the rate.", GAIN],
  "connections-changed": ["Doubling the connections changed the rate.", GAIN],
  "waited-for-processor": ["Threads waited for a processor.", {}],
  "near-ceiling": ["The rate is near the generator's ceiling.", {
    ceilingShare: s.number.is("The ceiling divided by the rate."),
  }],
  "server-unknown": ["The server's CPU time is unknown.", {}],
  "system-silent": ["The system does not report CPU time by program.", {}],
  "others-busy": ["Other programs were busy.", { cores: s.number.is("Cores that they used.") }],
  stolen: ["The virtual machine's host took CPU time.", {
    share: s.number.is("Share of the machine's CPU time."),
  }],
  "machine-in-use": ["The whole machine was in use.", {
    used: s.number.is("Share of its CPU time."),
  }],
  "connections-idle": ["Connections had no pending request.", {
    little: s.number.is("Share of connections with a pending request."),
  }],
  "database-hidden": ["The database's CPU time is unknown.", {}],
  "all-idle": ["No component was busy.", {
    idle: s.number.orNull("Idle share of the machine; null if unknown."),
  }],

  // Of invalid results
  "wrong-responses": ["The generator received wrong responses.", WRONG],
  "probe-wrong": ["The probe received wrong responses.", WRONG],
  "no-response": ["There was no response.", {}],
  "requests-failed": ["Too many requests failed.", {
    share: s.number.is("Share of failed requests."),
    statuses: s.record(s.count).is("Responses without a 2xx status, by status, or by its class."),
    transportErrors: s.count.is("Requests without a response."),
    timeouts: s.count.is("Requests that timed out."),
    probeErrors: s.count.is("Errors of the probe."),
    probeError: s.text.orNull("An example."),
  }],
  "too-few-writes": ["Responses changed fewer rows than they should.", {
    perResponse: s.number.is("Changed rows per response."),
    expected: s.number.is("The expected number."),
  }],
  "wrong-statements": ["The database executed an unexpected number of statements.", {
    perResponse: s.number.is("Statements per response."),
    expected: s.number.is("The scenario's number."),
  }],

  // Of missing tails
  "few-requests": ["A round has too few requests for a percentile.", {
    requests: s.count.is("Its largest number of requests."),
    needed: s.count.is("Number of requests that the percentile needs."),
  }],
  "few-rounds": ["A cost has a value in too few rounds.", {
    rounds: s.count.is("Rounds with a value of all variants."),
    of: s.count.is("Rounds that were measured."),
    late: s.count.is("Rounds in which the load generator was late."),
  }],

  // Of absent latencies
  "little-contradicts": [
    "By Little's law, these latencies do not belong to this rate and these connections.",
    {
      little: s.number.is(
        "Rate times mean latency divided by connections: 1 if all are always busy.",
      ),
      connections: s.count.is("Number of connections."),
    },
  ],

  // Of an absent probe
  "responses-in-waves": ["Some responses take longer than the probe's interval.", {
    every: s.number.is("One of this many requests waits."),
    waitS: s.number.is("Duration of the wait, in seconds."),
  }],
  "connections-taken": ["The load needs every connection that the server accepts.", {
    connections: s.number.is("Number."),
  }],
  messages: ["The load consists of WebSocket messages.", {}],
  "open-loop": ["The load generator itself sends at scheduled times and checks every body.", {}],
  "no-rehearsal": ["Without a warm-up, the probe could not find its interval.", {}],
  "responses-too-slow": ["Responses take longer than the probe's interval.", {
    ms: s.number.is("Median response time in milliseconds."),
  }],

  // Of searches
  "none-held": ["No tried rate met the SLO.", {}],
  "search-ended": ["The search ended before it found a rate.", {}],

  // Of comparisons
  "still-climbing": ["The measurement began before the server had warmed up.", {
    where: s.text.orNull("The affected revision; null if there is only one."),
    what: s.oneOf("windows", "slices").is("What climbed: windows, or rounds of slices."),
    climbing: s.count.is("Number of climbing ones."),
    of: s.count.is("Total number."),
  }],
  contended: ["Other programs or other virtual machines used much CPU time.", {
    where: s.text.is("The affected revision."),
    otherCores: s.number.is("Cores used by other programs."),
    steal: s.number.is("Share of CPU time that the virtual machine's host took."),
    cores: s.number.is("Cores of the machine."),
  }],
  absent: ["The result is missing.", { where: s.text.is("The report or variant without it.") }],
  "rate-not-own": ["The rate is limited by something other than the server.", {}],
  "no-common-round": ["No round measured both.", {}],
  differs: ["The measurements differ in a setting.", {
    what: s.text.is("The setting."),
    was: s.text.orNull("Its value before, as JSON unless it is text; null if it was missing."),
    is: s.text.orNull("Its value now, likewise."),
  }],

  // Of absent profiles
  "no-inspector": ["The started program does not accept V8's inspector.", {
    command: s.text.is("First word of its start command."),
  }],
  "not-started-here": ["The server was not started by Stampede.", {}],
});

const NotOk = s.kinds({
  "not-ok": ["There are no figures.", {
    status: s.oneOf("invalid", "failed").is("The result's status."),
    where: s.text.is("The affected revision."),
    reason: s.reference<Reason>("Reason").orNull("The reason; null if unknown."),
  }],
});
/** An interface, because a type alias could not refer to {@linkcode Reason} here. */
interface NotOk extends s.Static<typeof NotOk> {}

export type Reason = s.Static<typeof Simple> | NotOk;
export const Reason: s.Type<Reason> = s.named(
  "Reason",
  s.union("A reason, by kind.", Simple, NotOk),
);

/** What limited a rate (docs/methodology.md). */
const BottleneckKind = s.oneOf(
  "server",
  "database",
  "generator",
  "connections",
  "idle",
  "machine",
  "unknown",
);
export type BottleneckKind = s.Static<typeof BottleneckKind>;

export class ComponentEvidence extends s.object(
  "CPU use of one program, as medians over the windows of a result; null if unknown.",
  {
    cores: s.number.is("Cores that the program used."),
    wantedCores: s.number.orNull(
      "Cores that the program would have used if it had never waited for a processor.",
    ),
    busiestThread: s.number.orNull("Share of time that its busiest thread ran, 0 to 1."),
    runQueueWait: s.number.orNull("Share of time that this thread waited for a processor, 0 to 1."),
  },
) {}

export class MachineEvidence
  extends s.object("The whole machine, as medians over the windows of a result.", {
    idle: s.number.is("Idle share of CPU time, 0 to 1."),
    steal: s.number.is("Share of CPU time that the virtual machine's host took, 0 to 1."),
    otherCores: s.amount.is(
      "Cores used by programs other than server, database and load generator.",
    ),
  }) {}

export class Evidence extends s.object(
  "Evidence for a bottleneck, as medians over the windows of a result; null if unknown.",
  {
    server: ComponentEvidence.orNull("The server."),
    database: ComponentEvidence.orNull("PostgreSQL, if Stampede started it."),
    generator: ComponentEvidence.orNull("The load generator."),
    machine: MachineEvidence.orNull("The whole machine."),
    little: s.amount.orNull(
      "Share of connections with a pending request, by Little's law: rate times mean latency divided by connections.",
    ),
    ceilingPerS: s.amount.orNull(
      "Responses per second of the generator against canned bytes; null if not measured.",
    ),
    isCeilingReached: s.flag.orNull(
      "Whether this was the generator's own maximum. If not, it could have reached more.",
    ),
    scaleGain: s.number.orNull(
      "Smallest gain from doubling the shards in any pair of windows: 0.1 is 10 %. Null without a scale test.",
    ),
    connectionsGain: s.number.orNull("Smallest gain from doubling the connections, likewise."),
  },
) {}

export class Bottleneck extends s.object("The bottleneck of a result, and why.", {
  kind: BottleneckKind.is(
    "The component that limits the rate. `idle`: nothing was busy. `unknown`: the evidence does not decide.",
  ),
  reasons: s.list(Reason).is("The reasons."),
  needsScaleTest: s.oneOf("shards", "connections").orNull(
    "Scale test that would decide but was not run; null if none.",
  ),
  evidence: Evidence.is("The evidence."),
}) {}
