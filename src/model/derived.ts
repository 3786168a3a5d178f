/** Results of a run, derived from the measurements in raw.ts and block.ts. */
import { METHOD, METRIC, resultKey } from "./changes.ts";
import { ConfidenceInterval, Estimate } from "./estimate.ts";
import { ARRIVALS, workload } from "./experiment.ts";
import { figureProperties, METRICS } from "./figures.ts";
import { Bottleneck, Reason } from "./reason.ts";
import * as s from "./schema.ts";

export * from "./estimate.ts";
export * from "./reason.ts";
export {
  type AnyChange,
  Change,
  Changes,
  CostChange,
  isOfResponses,
  ResultKey,
} from "./changes.ts";

export class Comparison
  extends s.object("Two servers at one workload, measured in the same rounds.", {
    ...workload,
    a: s.text.is("Id of one variant."),
    b: s.text.is("Id of the other."),
    metric: s.oneOf(...METRICS).is(METRIC),
    method: METHOD,
    rounds: s.ordinal.is("Rounds with both."),
    ratio: s.positive.is(
      "a's figure divided by b's: the Hodges-Lehmann estimate of the paired ratios.",
    ),
    confidenceInterval: ConfidenceInterval.orNull(
      "95 % confidence interval of the ratio; null for too few rounds.",
    ),
    pValue: s.share.is("Two-sided p-value of the hypothesis that the servers are equal, 0 to 1."),
    better: s.text.orNull(
      "Id of the variant that is proven better; null if the confidence interval proves nothing.",
    ),
  }) {}

class NoiseOf extends s.object("The noise of one figure.", {
  rounds: s.ordinal.is("Rounds with both."),
  ratio: s.positive.is("The server's figure divided by its twin's."),
  confidenceInterval: ConfidenceInterval.orNull(
    "95 % confidence interval of the ratio; null for too few rounds.",
  ),
  floor: s.amount.orNull(
    "Largest distance of the confidence interval from 1: 0.03 is 3 %; null without an interval.",
  ),
}) {}

export class Noise
  extends s.object("A server compared with itself at one workload. Any difference is noise.", {
    ...resultKey,
    method: METHOD,
    requestsPerS: NoiseOf.orNull("Noise of responses per second; null if unknown."),
    serverCpuUs: NoiseOf.orNull("Noise of CPU time per response; null if unknown."),
  }) {}

class ProbeSummary extends s.object("The probe's figures over all rounds of a result.", {
  responses: s.ordinal.is("Responses with a 2xx status."),
  perS: s.amount.is("Responses per second."),
  p50Us: s.amount.is("Median response time."),
  p99Us: s.amount.orNull("99th percentile of the response time; null for too few responses."),
  sendLatenessP99Us: s.amount.orNull(
    "Lateness of its requests: median over the rounds of the 99th percentiles; null if unknown.",
  ),
  detects: s.share.is(
    "Smallest share of wrong responses that it detects with 95 % probability, 0 to 1.",
  ),
}) {}

export class ServerSummary extends s.object("Derived: one server of a run, measured or not.", {
  id: s.text.is("Its id."),
  name: s.text.is("Its name."),
  language: s.text.is("Its programming language."),
  runtime: s.text.orNull("The runtime that runs it; null for machine code, or if it is unknown."),
  framework: s.text.orNull("Its framework; null without one."),
  basedOn: s.text.orNull("Id of the server that it is built on; null without one."),
  approach: s.oneOf("idiomatic", "tuned").is(
    "`idiomatic`: written as its documentation recommends. `tuned`: optimised for speed.",
  ),
  why: s.text.orNull("Why it is tuned, or another note for readers."),
  guide: s.matching(/^https:\/\//).orNull(
    "Address of the guide to production that its settings follow; null without one.",
  ),
  settings: s.record(s.text).is(
    "Its settings for production by name; empty if they are not documented.",
  ),
  scenarios: s.record(s.record(s.text)).is("Ids of its scenarios, each with implementation notes."),
  workers: s.ordinal.orNull(
    "Its processes or scheduler threads; null means that the server chooses. Ranks compare servers with the same number.",
  ),
  skipped: s.text.orNull(
    "The tools that are missing on this machine, so it was not measured; null if none.",
  ),
  failure: s.text.orNull("Why its build failed; null if it did not."),
  startUpS: Estimate.orNull(
    "Seconds from the start of its process to its first right response, over the rounds; null if unknown.",
  ),
  idleRssBytes: s.amount.orNull(
    "Resident memory after that response, median over the rounds; null if unknown.",
  ),
  handshakeUs: Estimate.orNull(
    "Time from connecting to the end of a full handshake: median over the rounds of each round's median; null without TLS.",
  ),
  handshakeCpuUs: s.amount.orNull(
    "CPU time of the server per handshake, median over the rounds; null if unknown.",
  ),
  costs: s.record(Estimate).is("Costs without load, by name; empty if none was measured."),
}) {}

export class GeneratorSummary extends s.object("A load generator of a run.", {
  id: s.text.is("Its id."),
  version: s.text.is("Its version."),
  checksBodies: s.flag.is("Whether it checks response bodies under load."),
  latencyNote: s.text.orNull("Note on its latencies; null without one."),
}) {}

class Errors extends s.object("Errors of all rounds, by kind.", {
  transport: s.count.is(
    "Requests of the generator that failed without a response, and connections that the server closed.",
  ),
  timeout: s.count.orNull(
    "Requests of the generator that timed out; null if it does not report them.",
  ),
  non2xx: s.count.is("Responses to the generator without a 2xx status."),
  probe: s.count.is("Errors of the probe, of any kind."),
}) {}

class ResultKind extends s.object("Derived: one kind of request of a mix.", {
  scenario: s.text.is("Id of the scenario of the request."),
  requestsPerS: s.amount.is("Responses per second, of any status: median over the rounds."),
  p50Us: s.amount.orNull("Median service time: median over the rounds of each round's median."),
  p99Us: s.amount.orNull(
    "99th percentile of the service time: median over the rounds of each round's.",
  ),
}) {}

export class Result extends s.object("Derived: all rounds of one server at one workload.", {
  ...resultKey,
  status: s.oneOf("ok", "invalid", "failed").is(
    "`ok`: the result is valid. `invalid`: the measurement cannot be trusted. `failed`: nothing was measured.",
  ),
  reason: Reason.orNull("Why there is no rate, or why rounds are missing; null otherwise."),
  rounds: s.count.is("Rounds that were measured."),
  failedRounds: s.count.is("Rounds that failed."),
  ...figureProperties,
  isTakenOver: s.flag.is(
    "Whether another load generator replaced the variant's, which would have been the bottleneck.",
  ),
  isLowerBound: s.flag.is(
    "Whether the server has a higher capacity: the load generator or the machine was the bottleneck.",
  ),
  latencyAbsence: Reason.orNull("Why existing latencies are not shown; null if they are."),
  kinds: s.list(ResultKind).is("Figures of each kind of request; empty without a mix."),
  probe: ProbeSummary.orNull("The probe's figures; null without a probe."),
  probeAbsence: Reason.orNull("Why there is no probe; null if there is one."),
  climbing: Reason.orNull(
    "The reason if most of its windows or slices began before the server had warmed up. The result is then not compared. Null otherwise.",
  ),
  trend: s.number.orNull(
    "How much faster the second half of a window was than the first, median: 0.05 is 5 %. Null if unknown.",
  ),
  bottleneck: Bottleneck.orNull("The bottleneck; null without a rate."),
  rank: s.ordinal.orNull(
    "Rank among servers with the same number of workers at this workload: one plus the number of servers proven better. Null for a single server, or without confidence intervals.",
  ),
  responses: s.count.is("Responses of all rounds to the generator, of any status."),
  checkedBodies: s.count.is("Responses with a body that the generator checked."),
  errors: Errors.is("Errors of all rounds, by kind."),
}) {}

export class CapacityTrial extends s.object("One short window at a rate.", {
  perS: s.positive.is("Requests per second."),
  isFresh: s.flag.is("Whether its server process had no load before."),
  isMet: s.flag.is("Whether the SLO was met."),
  isMeasurable: s.flag.is(
    "Whether the trial counts. It does not if the SLO was missed only because the load generator was late.",
  ),
  achievedPerS: s.amount.is("Right responses per second."),
}) {}

export class Capacity
  extends s.object("Derived: the highest rate at which a variant meets the SLO at a scenario.", {
    variant: s.text.is("Id of the variant."),
    scenario: s.text.is("Id of the scenario."),
    connections: s.ordinal.is("Maximum number of connections of the load."),
    startPerS: s.positive.orNull(
      "Start rate of the search, from a closed loop; null if nothing was answered.",
    ),
    heldPerS: s.positive.orNull(
      "Highest rate that met the SLO, on a process with earlier load and on fresh ones; null if none did.",
    ),
    failedPerS: s.positive.orNull("Lowest rate that did not meet the SLO; null if none is known."),
    isOfGenerator: s.flag.is(
      "Whether the load generator was the limit. The server may then have a higher capacity.",
    ),
    bottleneck: Bottleneck.orNull("The bottleneck at `failedPerS`; null if unknown."),
    trials: s.list(CapacityTrial).is("The trials, in order."),
    reason: Reason.orNull("Why there is no rate; null if there is one."),
  }) {}

export class Scaling extends s.object(
  "Derived: a server at one workload with some number of workers, compared with its smallest number.",
  {
    ...resultKey,
    server: s.text.is("Id of the server."),
    workers: s.ordinal.is("Its processes or scheduler threads."),
    baseWorkers: s.ordinal.is("Smallest measured number of workers."),
    rate: Comparison.orNull("Rate divided by that with the fewest workers; null for the fewest."),
    cpu: Comparison.orNull(
      "CPU time per response divided by that with the fewest workers; null for the fewest.",
    ),
    efficiency: s.positive.orNull(
      "Rate ratio divided by worker ratio: 1 is twice the rate with twice the workers.",
    ),
    isShared: s.flag.is(
      "Whether workers, load generator and database have to share processors. The rate is then not the server's own.",
    ),
  },
) {}

export class LatencySummary extends s.object(
  "Times over all rounds, in microseconds; null for percentiles with too few requests.",
  {
    count: s.ordinal.is("Number of requests."),
    meanUs: s.amount.is("Mean."),
    p50Us: s.amount.is("Median."),
    p90Us: s.amount.orNull("90th percentile."),
    p99Us: s.amount.orNull("99th percentile."),
    p999Us: s.amount.orNull("99.9th percentile."),
    maxUs: s.amount.is("Maximum."),
  },
) {}

const Quantiles = s.object("In microseconds; null for percentiles with too few requests.", {
  p50Us: s.amount.orNull("Median."),
  p90Us: s.amount.orNull("90th percentile."),
  p99Us: s.amount.orNull("99th percentile."),
});

export class OpenCheck extends s.object(
  "Raw: check of Stampede's open loop before the run, against a server with response times known from theory.",
  {
    perS: s.positive.is("Requests per second."),
    arrivals: s.oneOf(...ARRIVALS).is("Distribution of the arrivals."),
    serviceUs: s.amount.is("Service time of that server when it was always busy."),
    aloneUs: s.amount.is("Median response time without other pending requests."),
    offered: s.count.is("Scheduled requests."),
    expected: Quantiles.is("Response times by theory, for the same arrivals."),
    found: Quantiles.is("Measured response times."),
  },
) {}

export class OpenLoopResult extends s.object(
  "Derived: all rounds of one server at one scenario, in an open loop at one rate.",
  {
    ...resultKey,
    status: s.oneOf("ok", "unreached", "failed").is(
      "`unreached`: fewer requests were sent or answered than the rate requires. `failed`: nothing was measured.",
    ),
    rounds: s.count.is("Rounds that were measured."),
    offered: s.count.is("Scheduled requests."),
    sent: s.count.is("Requests that were sent."),
    failed: s.count.is("Requests that failed because the connection ended, or that timed out."),
    refused: s.count.is("Responses without a 2xx status."),
    unanswered: s.count.is("Requests that were still pending at the end."),
    shed: s.count.is("Requests that were not sent, because every connection was busy."),
    goodputPerS: s.amount.orNull(
      "Right responses per second in the windows, at most the number scheduled in them; median over the rounds.",
    ),
    besidePerS: s.amount.orNull(
      "Right responses per second of the scenario's side load, median over the rounds; null without a side load.",
    ),
    recoveryS: s.amount.orNull(
      "Time from the end of a window until all its requests were completed, median over the rounds.",
    ),
    responseTime: LatencySummary.orNull(
      "Response time, from the scheduled send time. A request without a response counts with the time that it has waited.",
    ),
    lateness: LatencySummary.orNull(
      "Part of the response time: the lateness of the load generator.",
    ),
    wait: LatencySummary.orNull("Part of the response time: the wait for a free connection."),
    serviceTime: LatencySummary.orNull(
      "Part of the response time: from sending to the last byte of the response.",
    ),
    measurableUpTo: s.share.is(
      "Highest percentile that belongs to the server. Higher percentiles are upper bounds, because the load generator's own lateness is a large part of them, or was in the check before the run. 0 means that even the median is a bound.",
    ),
  },
) {}
