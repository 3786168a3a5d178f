/** Results of a run, derived from the raw windows of raw.ts. */
import { resultKey } from "./comparison.ts";
import { Estimate } from "./estimate.ts";
import { figureProperties } from "./figures.ts";
import { Reason } from "./reason.ts";
import * as s from "./json_schema.ts";
import { Bottleneck } from "./bottleneck.ts";

export * from "./comparison.ts";
export * from "./estimate.ts";
export * from "./reason.ts";
export * from "./bottleneck.ts";

export const ProbeSummary = s.object(
  "ProbeSummary",
  "The probe's figures over all rounds of a result.",
  {
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
  },
);
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

export const Result = s.object(
  "Result",
  "Derived: all rounds of one server at one workload.",
  {
    ...resultKey,
    status: [
      s.oneOf("ok", "invalid", "failed"),
      "`ok`: the result is valid. `invalid`: the measurement cannot be trusted. `failed`: nothing was measured.",
    ],
    reason: [
      s.nullable(Reason),
      "Why there is no rate, or why rounds are missing; null otherwise.",
    ],
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
    latencyAbsence: [
      s.nullable(Reason),
      "Why existing latencies are not shown; null if they are.",
    ],
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
  },
);
export interface Result extends s.Static<typeof Result> {}
