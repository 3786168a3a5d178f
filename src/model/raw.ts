/** Raw measurements of a run. Units are part of the names; null means unknown. */
import { MOST } from "./limits.ts";
import { Reason } from "./reason.ts";
import { Trial } from "./experiment.ts";
import { Handshakes } from "./server.ts";
import * as s from "./schema.ts";

export class Latency extends s.object(
  "Latencies of one window in microseconds; null if the load generator does not report them.",
  {
    count: s.count.is("Number of recorded latencies."),
    meanUs: s.amount.orNull("Mean."),
    minUs: s.amount.orNull("Minimum."),
    p50Us: s.amount.orNull("Median."),
    p90Us: s.amount.orNull("90th percentile."),
    p99Us: s.amount.orNull("99th percentile."),
    p999Us: s.amount.orNull("99.9th percentile."),
    maxUs: s.amount.orNull("Maximum."),
    histogram: s.text.orNull(
      "Complete histogram of microseconds: HdrHistogram V2, compressed, base64.",
    ),
  },
) {}

export class OpenRecord extends s.object(
  "Raw: outcomes of the requests scheduled in a window of an open loop, including responses after the window.",
  {
    offered: s.count.is("Scheduled requests."),
    sent: s.count.is("Requests that were sent."),
    failed: s.count.is(
      "Requests that failed because the connection ended, or that took longer than `timeoutS`.",
    ),
    unanswered: s.count.is("Requests that were sent and were still pending at the end."),
    shed: s.count.is(
      "Requests that were not sent, because every connection was busy until the window closed.",
    ),
    recoveryS: s.amount.is(
      "Seconds from the end of the window until all requests were completed or given up.",
    ),
    responseTime: Latency.orNull(
      "Response time, from the scheduled send time. A request without a response counts with the time that it has waited. Null if none was scheduled.",
    ),
    lateness: Latency.orNull("Part of the response time: the lateness of the load generator."),
    wait: Latency.orNull("Part of the response time: the wait for an idle or new connection."),
    serviceTime: Latency.orNull(
      "Part of the response time: from sending to the last byte of the response; null without a response.",
    ),
  },
) {}

class Kind
  extends s.object("Raw: one kind of request of a mix, as the load generator measured it.", {
    scenario: s.text.is("Id of the scenario of the request."),
    responses: s.count.is("Responses of any status in the window."),
    latency: Latency.orNull("Service time; null without a response."),
  }) {}

export class Warmup extends s.object("Raw: the warm-up of a window or of slices.", {
  tookS: s.amount.is("Duration in seconds."),
  requests: s.count.is("Answered requests."),
  isSteady: s.flag.orNull(
    "Whether the rate had stopped climbing at its end; null if its length was fixed.",
  ),
}) {}

export class Measurement extends s.object("Raw: the load generator's measurements of one window.", {
  durationS: s.amount.is("Length of the window in seconds, by a monotonic clock."),
  statuses: s.record(s.count, { propertyNames: { pattern: "^\\d(\\d\\d|xx)$" } }).is(
    "Responses by status code, or by class (`2xx`) if the generator reports no more.",
  ),
  allResponses: s.count.is(
    "Responses from the first request of the warm-up to the end of the load, of any status.",
  ),
  transportErrors: s.count.is(
    "Requests that failed without a response, and connections that the server closed.",
  ),
  timeouts: s.count.orNull(
    "Requests without a response within `timeoutS`; null if the generator does not report them.",
  ),
  checkedBodies: s.count.is("Responses with a checked body."),
  wrongResponses: s.count.is("Wrong responses among these."),
  wrongResponse: s.text.orNull("The start of the first wrong response; null if there was none."),
  bytes: s.count.orNull(
    "Received bytes, including headers; null if the generator does not report them.",
  ),
  connectionsOpened: s.count.orNull(
    "Connections opened during the window; earlier ones are kept alive. Null if the generator does not report them.",
  ),
  slicesPerS: s.list(s.amount).is(
    "Responses per second in each quarter of a second, in order; empty if the generator does not report them.",
  ),
  latency: Latency.orNull(
    "Service time: from sending a request to the last byte of its response; null without a response.",
  ),
  kinds: s.list(Kind).is("Measurements of each kind of request; empty without a mix."),
  open: OpenRecord.orNull("Outcomes of the scheduled requests; null in a closed loop."),
  warmup: Warmup.orNull("The warm-up; null if the generator does not report it."),
}) {}

export class ProbeRecord extends s.object(
  "Raw: the probe's measurements of one window. The probe is Stampede's own client, which sends at fixed times on a separate connection and checks complete responses.",
  {
    intervalMs: s.amount.is("Milliseconds between two requests; 0 without a probe."),
    durationS: s.amount.is("Duration in seconds; 0 without a probe."),
    due: s.count.is("Requests scheduled in the window."),
    responses: s.count.is("Responses with a 2xx status, all completely checked."),
    allResponses: s.count.is("Responses since the start of the warm-up, right or wrong."),
    wrongResponses: s.count.is("Wrong responses among those with a 2xx status."),
    wrongResponse: s.text.orNull("Error of the first wrong response; null if there was none."),
    errors: s.count.is("Transport errors and responses without a 2xx status."),
    error: s.text.orNull("The first of these errors; null if there was none."),
    latency: Latency.orNull(
      "Response time, from the scheduled send time. A request without a response counts with its age. Null without requests, and if responses take longer than the interval, because the probe's own queue would count.",
    ),
    sendLatenessP99Us: s.amount.orNull(
      "99th percentile of the probe's own lateness; null without requests.",
    ),
    absence: Reason.orNull("Why there was no probe; null if there was one."),
  },
) {}

export class ProgramUsage extends s.object(
  "Raw: resources that one program with all its descendants used in a window; null if unknown.",
  {
    userUs: s.number.is("CPU time in user mode."),
    systemUs: s.number.is("CPU time in the kernel."),
    busiestThread: s.number.orNull("Share of the window that its busiest thread ran, 0 to 1."),
    runQueueWait: s.number.orNull("Share of the window that this thread waited to run, 0 to 1."),
    waitedUs: s.number.orNull("Total time that its threads waited for a processor."),
    idleRssBytes: s.count.orNull(
      "Resident memory before the load; shared pages count in each process.",
    ),
    peakRssBytes: s.count.orNull(
      "Peak resident memory since then; shared pages count in each process.",
    ),
  },
) {}

class MachineUsage extends s.object("Shares of the machine's CPU time.", {
  idle: s.number.is("Idle share, 0 to 1."),
  steal: s.number.is("Share that the virtual machine's host took, 0 to 1."),
}) {}

export class Usage
  extends s.object("Raw: resources that each component used in a window; null if unknown.", {
    durationS: s.amount.is("Seconds between the two readings."),
    server: ProgramUsage.orNull("The server."),
    database: ProgramUsage.orNull("PostgreSQL, if Stampede started it."),
    generator: ProgramUsage.orNull("The load generator."),
    machine: MachineUsage.orNull("The whole machine."),
  }) {}

class Statement extends s.object("One statement.", {
  query: s.text.is("First 200 characters, with constants replaced."),
  calls: s.ordinal.is("Number of executions."),
  changed: s.count.orNull("Changed rows; null for statements that change none."),
}) {}

export class DatabaseActivity extends s.object(
  "Raw: PostgreSQL's statements during a load and its warm-up, from pg_stat_statements.",
  { statements: s.list(Statement).is("The most frequent first.") },
) {}

export class Ceiling
  extends s.object("Raw: the load generator's rate against a server with canned responses.", {
    shape: s.text.is("Request method, response size, connections and shards, in words."),
    responseBytes: s.count.is("Length of the response's body."),
    responsesPerS: s.amount.is("Responses per second."),
    generatorBusiest: s.number.orNull(
      "Share of the window that the generator's busiest thread ran, 0 to 1; null if unknown.",
    ),
    nullServerBusiest: s.number.orNull(
      "Share of the window that the null server's busiest thread ran, 0 to 1; null if unknown.",
    ),
  }) {}

export class WindowRecord
  extends s.object("Raw: all measurements of one window; null if unknown.", {
    measurement: Measurement.is("The load generator's measurements."),
    usage: Usage.orNull("CPU time and memory of each component."),
    probe: ProbeRecord.is("The probe's measurements."),
    database: DatabaseActivity.orNull("PostgreSQL's statements; null if not counted."),
    ceiling: Ceiling.orNull("The generator's ceiling against canned bytes; null if not measured."),
    referenceUs: s.positive.orNull(
      "Microseconds of a fixed piece of work on one thread just before the window.",
    ),
    beside: Measurement.orNull("Measurements of the scenario's side load; null without one."),
  }) {}

export class LaunchRecord extends s.object("Raw: one start of a server.", {
  variant: s.text.is("Id of the variant."),
  round: s.upTo(MOST.roundNumber, s.ordinal).is("Round of the start."),
  startUpS: s.positive.orNull(
    "Seconds from the start of its process to its first right response. Null if its first response was wrong, its start was not observed, or other servers started at the same time.",
  ),
  idleRssBytes: s.count.orNull(
    "Resident memory of the process and its descendants after that response; null if unknown.",
  ),
  handshakes: Handshakes.orNull(
    "TLS handshakes before any load; null without TLS, or if other servers ran at the same time.",
  ),
}) {}

export class TrialFailure extends s.object("Why a window is missing.", {
  kind: s.oneOf("start", "verification", "window").is(
    "The failed step: starting the server, the verification before the load, or the window.",
  ),
  message: s.text.is("The error message."),
  output: s.text.orNull("Unreadable output of the load generator; null otherwise."),
}) {}

export class TrialResult extends s.object("Raw: one window, or why it is missing.", {
  trial: Trial.is("The planned trial."),
  startedAt: s.instant.is("Start time, ISO 8601 in UTC."),
  window: WindowRecord.orNull("The measurements; null after a failure."),
  failure: TrialFailure.orNull("The failure; null if there is a window."),
}) {}
