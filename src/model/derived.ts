/**
 * Results of a run, derived from the raw windows of raw.ts. The highest rate that meets an SLO, and
 * the trials of its search. The effect of more workers on a server. Response times in an open loop,
 * derived from the raw windows of raw.ts.
 */

import { Comparison, resultKey } from "./comparison.ts";
import { Estimate } from "./estimate.ts";
import { arrivals } from "./experiment.ts";
import { figureProperties } from "./figures.ts";
import { Bottleneck, Reason } from "./reason.ts";
import * as s from "./schema.ts";

export * from "./comparison.ts";
export * from "./estimate.ts";
export * from "./reason.ts";
export * from "./reason.ts";

const ProbeSummary = s.object("ProbeSummary", "The probe's figures over all rounds of a result.", {
  responses: [s.ordinal, "Responses with a 2xx status."],
  perS: [s.amount, "Responses per second."],
  p50Us: [s.amount, "Median response time."],
  p99Us: [
    s.nullable(s.amount),
    "99th percentile of the response time; null for too few responses.",
  ],
  sendLatenessP99Us: [
    s.nullable(s.amount),
    "Lateness of its requests: median over the rounds of the 99th percentiles; null if unknown.",
  ],
  detects: [
    s.share,
    "Smallest share of wrong responses that it detects with 95 % probability, 0 to 1.",
  ],
});
export interface ProbeSummary extends s.Static<typeof ProbeSummary> {}

export const ServerSummary = s.object(
  "ServerSummary",
  "Derived: one server of a run, measured or not.",
  {
    id: [s.text, "Its id."],
    name: [s.text, "Its name."],
    language: [s.text, "Its programming language."],
    framework: [s.nullable(s.text), "Its framework; null without one."],
    basedOn: [s.nullable(s.text), "Id of the server that it is built on; null without one."],
    approach: [
      s.oneOf("idiomatic", "tuned"),
      "`idiomatic`: written as its documentation recommends. `tuned`: optimised for speed.",
    ],
    why: [s.nullable(s.text), "Why it is tuned, or another note for readers."],
    scenarios: [
      s.record(s.record(s.text)),
      "Ids of its scenarios, each with implementation notes.",
    ],
    workers: [
      s.nullable(s.ordinal),
      "Its processes or scheduler threads; null means that the server chooses. Ranks compare servers with the same number.",
    ],
    skipped: [
      s.nullable(s.text),
      "The tools that are missing on this machine, so it was not measured; null if none.",
    ],
    failure: [s.nullable(s.text), "Why its build failed; null if it did not."],
    startUpS: [
      s.nullable(Estimate),
      "Seconds from the start of its process to its first right response, over the rounds; null if unknown.",
    ],
    idleRssBytes: [
      s.nullable(s.amount),
      "Resident memory after that response, median over the rounds; null if unknown.",
    ],
    handshakeUs: [
      s.nullable(Estimate),
      "Time from connecting to the end of a full handshake: median over the rounds of each round's median; null without TLS.",
    ],
    handshakeCpuUs: [
      s.nullable(s.amount),
      "CPU time of the server per handshake, median over the rounds; null if unknown.",
    ],
  },
);
export interface ServerSummary extends s.Static<typeof ServerSummary> {}

export const GeneratorSummary = s.object("GeneratorSummary", "A load generator of a run.", {
  id: [s.text, "Its id."],
  version: [s.text, "Its version."],
  checksBodies: [s.flag, "Whether it checks response bodies under load."],
  latencyNote: [s.nullable(s.text), "Note on its latencies; null without one."],
});
export interface GeneratorSummary extends s.Static<typeof GeneratorSummary> {}

const Errors = s.object("Errors", "Errors of all rounds, by kind.", {
  transport: [
    s.count,
    "Requests of the generator that failed without a response, and connections that the server closed.",
  ],
  timeout: [
    s.nullable(s.count),
    "Requests of the generator that timed out; null if it does not report them.",
  ],
  non2xx: [s.count, "Responses to the generator without a 2xx status."],
  probe: [s.count, "Errors of the probe, of any kind."],
});

const ResultKind = s.object("ResultKind", "Derived: one kind of request of a mix.", {
  scenario: [s.text, "Id of the scenario of the request."],
  requestsPerS: [s.amount, "Responses per second, of any status: median over the rounds."],
  p50Us: [
    s.nullable(s.amount),
    "Median service time: median over the rounds of each round's median.",
  ],
  p99Us: [
    s.nullable(s.amount),
    "99th percentile of the service time: median over the rounds of each round's.",
  ],
});

export const Result = s.object("Result", "Derived: all rounds of one server at one workload.", {
  ...resultKey,
  status: [
    s.oneOf("ok", "invalid", "failed"),
    "`ok`: the result is valid. `invalid`: the measurement cannot be trusted. `failed`: nothing was measured.",
  ],
  reason: [s.nullable(Reason), "Why there is no rate, or why rounds are missing; null otherwise."],
  rounds: [s.count, "Rounds that were measured."],
  failedRounds: [s.count, "Rounds that failed."],
  ...figureProperties,
  isTakenOver: [
    s.flag,
    "Whether another load generator replaced the variant's, which would have been the bottleneck.",
  ],
  isLowerBound: [
    s.flag,
    "Whether the server has a higher capacity: the load generator or the machine was the bottleneck.",
  ],
  latencyAbsence: [s.nullable(Reason), "Why existing latencies are not shown; null if they are."],
  kinds: [s.list(ResultKind), "Figures of each kind of request; empty without a mix."],
  probe: [s.nullable(ProbeSummary), "The probe's figures; null without a probe."],
  probeAbsence: [s.nullable(Reason), "Why there is no probe; null if there is one."],
  climbing: [
    s.nullable(Reason),
    "The reason if most of its windows or slices began before the server had warmed up. The result is then not compared. Null otherwise.",
  ],
  trend: [
    s.nullable(s.number),
    "How much faster the second half of a window was than the first, median: 0.05 is 5 %. Null if unknown.",
  ],
  bottleneck: [s.nullable(Bottleneck), "The bottleneck; null without a rate."],
  rank: [
    s.nullable(s.ordinal),
    "Rank among servers with the same number of workers at this workload: one plus the number of servers proven better. Null for a single server, or without confidence intervals.",
  ],
  responses: [s.count, "Responses of all rounds to the generator, of any status."],
  checkedBodies: [s.count, "Responses with a body that the generator checked."],
  errors: [Errors, "Errors of all rounds, by kind."],
});
export interface Result extends s.Static<typeof Result> {}

const CapacityTrial = s.object("CapacityTrial", "One short window at a rate.", {
  perS: [s.positive, "Requests per second."],
  isFresh: [s.flag, "Whether its server process had no load before."],
  isMet: [s.flag, "Whether the SLO was met."],
  isMeasurable: [
    s.flag,
    "Whether the trial counts. It does not if the SLO was missed only because the load generator was late.",
  ],
  achievedPerS: [s.amount, "Right responses per second."],
});
export interface CapacityTrial extends s.Static<typeof CapacityTrial> {}

export const Capacity = s.object(
  "Capacity",
  "Derived: the highest rate at which a variant meets the SLO at a scenario.",
  {
    variant: [s.text, "Id of the variant."],
    scenario: [s.text, "Id of the scenario."],
    connections: [s.ordinal, "Maximum number of connections of the load."],
    startPerS: [
      s.nullable(s.positive),
      "Start rate of the search, from a closed loop; null if nothing was answered.",
    ],
    heldPerS: [
      s.nullable(s.positive),
      "Highest rate that met the SLO, on a process with earlier load and on fresh ones; null if none did.",
    ],
    failedPerS: [
      s.nullable(s.positive),
      "Lowest rate that did not meet the SLO; null if none is known.",
    ],
    isOfGenerator: [
      s.flag,
      "Whether the load generator was the limit. The server may then have a higher capacity.",
    ],
    bottleneck: [s.nullable(Bottleneck), "The bottleneck at `failedPerS`; null if unknown."],
    trials: [s.list(CapacityTrial), "The trials, in order."],
    reason: [s.nullable(Reason), "Why there is no rate; null if there is one."],
  },
);
export interface Capacity extends s.Static<typeof Capacity> {}

export const Scaling = s.object(
  "Scaling",
  "Derived: a server at one workload with some number of workers, compared with its smallest number.",
  {
    ...resultKey,
    server: [s.text, "Id of the server."],
    workers: [s.ordinal, "Its processes or scheduler threads."],
    baseWorkers: [s.ordinal, "Smallest measured number of workers."],
    rate: [
      s.nullable(Comparison),
      "Rate divided by that with the fewest workers; null for the fewest.",
    ],
    cpu: [
      s.nullable(Comparison),
      "CPU time per response divided by that with the fewest workers; null for the fewest.",
    ],
    efficiency: [
      s.nullable(s.positive),
      "Rate ratio divided by worker ratio: 1 is twice the rate with twice the workers.",
    ],
    isShared: [
      s.flag,
      "Whether workers, load generator and database have to share processors. The rate is then not the server's own.",
    ],
  },
);
export interface Scaling extends s.Static<typeof Scaling> {}

const LatencySummary = s.object(
  "LatencySummary",
  "Times over all rounds, in microseconds; null for percentiles with too few requests.",
  {
    count: [s.ordinal, "Number of requests."],
    meanUs: [s.amount, "Mean."],
    p50Us: [s.amount, "Median."],
    p90Us: [s.nullable(s.amount), "90th percentile."],
    p99Us: [s.nullable(s.amount), "99th percentile."],
    p999Us: [s.nullable(s.amount), "99.9th percentile."],
    maxUs: [s.amount, "Maximum."],
  },
);
export interface LatencySummary extends s.Static<typeof LatencySummary> {}

const Quantiles = s.unnamed("In microseconds; null for percentiles with too few requests.", {
  p50Us: [s.nullable(s.amount), "Median."],
  p90Us: [s.nullable(s.amount), "90th percentile."],
  p99Us: [s.nullable(s.amount), "99th percentile."],
});

export const OpenCheck = s.object(
  "OpenCheck",
  "Raw: check of Stampede's open loop before the run, against a server with response times known from theory.",
  {
    perS: [s.positive, "Requests per second."],
    arrivals: [arrivals, "Distribution of the arrivals."],
    serviceUs: [s.amount, "Service time of that server when it was always busy."],
    aloneUs: [s.amount, "Median response time without other pending requests."],
    offered: [s.count, "Scheduled requests."],
    expected: [Quantiles, "Response times by theory, for the same arrivals."],
    found: [Quantiles, "Measured response times."],
  },
);
export interface OpenCheck extends s.Static<typeof OpenCheck> {}

export const OpenLoopResult = s.object(
  "OpenLoopResult",
  "Derived: all rounds of one server at one scenario, in an open loop at one rate.",
  {
    ...resultKey,
    status: [
      s.oneOf("ok", "unreached", "failed"),
      "`unreached`: fewer requests were sent or answered than the rate requires. `failed`: nothing was measured.",
    ],
    rounds: [s.count, "Rounds that were measured."],
    offered: [s.count, "Scheduled requests."],
    sent: [s.count, "Requests that were sent."],
    failed: [s.count, "Requests that failed because the connection ended, or that timed out."],
    refused: [s.count, "Responses without a 2xx status."],
    unanswered: [s.count, "Requests that were still pending at the end."],
    shed: [s.count, "Requests that were not sent, because every connection was busy."],
    goodputPerS: [
      s.nullable(s.amount),
      "Right responses per second in the windows, at most the number scheduled in them; median over the rounds.",
    ],
    besidePerS: [
      s.nullable(s.amount),
      "Right responses per second of the scenario's side load, median over the rounds; null without a side load.",
    ],
    recoveryS: [
      s.nullable(s.amount),
      "Time from the end of a window until all its requests were completed, median over the rounds.",
    ],
    responseTime: [
      s.nullable(LatencySummary),
      "Response time, from the scheduled send time. A request without a response counts with the time that it has waited.",
    ],
    lateness: [
      s.nullable(LatencySummary),
      "Part of the response time: the lateness of the load generator.",
    ],
    wait: [
      s.nullable(LatencySummary),
      "Part of the response time: the wait for a free connection.",
    ],
    serviceTime: [
      s.nullable(LatencySummary),
      "Part of the response time: from sending to the last byte of the response.",
    ],
    measurableUpTo: [
      s.share,
      "Highest percentile that belongs to the server. Higher percentiles are upper bounds, because the load generator's own lateness is a large part of them, or was in the check before the run. 0 means that even the median is a bound.",
    ],
  },
);
export interface OpenLoopResult extends s.Static<typeof OpenLoopResult> {}
