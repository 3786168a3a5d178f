/** Results of a run, derived from the raw windows of raw.ts. */
import { resultKey } from "./comparison.ts";
import { Estimate } from "./estimate.ts";
import { figureProperties } from "./figures.ts";
import { Reason } from "./reason.ts";
import {
  amount,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  ordinal,
  record,
  share,
  type Static,
  text,
} from "./json_schema.ts";
import { Bottleneck } from "./bottleneck.ts";

export * from "./comparison.ts";
export * from "./estimate.ts";
export * from "./reason.ts";
export * from "./bottleneck.ts";

export const ProbeSummary = object(
  "ProbeSummary",
  "The probe's figures over all rounds of a result.",
  {
    responses: [ordinal, "Responses with a 2xx status."],
    perS: [amount, "Responses per second."],
    p50Us: [amount, "Median response time."],
    p99Us: [nullable(amount), "99th percentile of the response time; null for too few responses."],
    sendLatenessP99Us: [
      nullable(amount),
      "Lateness of its requests: median over the rounds of the 99th percentiles; null if unknown.",
    ],
    detects: [
      share,
      "Smallest share of wrong responses that it detects with 95 % probability, 0 to 1.",
    ],
  },
);
export interface ProbeSummary extends Static<typeof ProbeSummary> {}

export const ServerSummary = object(
  "ServerSummary",
  "Derived: one server of a run, measured or not.",
  {
    id: [text, "Its id."],
    name: [text, "Its name."],
    language: [text, "Its programming language."],
    framework: [nullable(text), "Its framework; null without one."],
    basedOn: [nullable(text), "Id of the server that it is built on; null without one."],
    approach: [
      oneOf("idiomatic", "tuned"),
      "`idiomatic`: written as its documentation recommends. `tuned`: optimised for speed.",
    ],
    why: [nullable(text), "Why it is tuned, or another note for readers."],
    scenarios: [record(record(text)), "Ids of its scenarios, each with implementation notes."],
    workers: [
      nullable(ordinal),
      "Its processes or scheduler threads; null means that the server chooses. Ranks compare servers with the same number.",
    ],
    skipped: [
      nullable(text),
      "The tools that are missing on this machine, so it was not measured; null if none.",
    ],
    failure: [nullable(text), "Why its build failed; null if it did not."],
    startUpS: [
      nullable(Estimate),
      "Seconds from the start of its process to its first right response, over the rounds; null if unknown.",
    ],
    idleRssBytes: [
      nullable(amount),
      "Resident memory after that response, median over the rounds; null if unknown.",
    ],
    handshakeUs: [
      nullable(Estimate),
      "Time from connecting to the end of a full handshake: median over the rounds of each round's median; null without TLS.",
    ],
    handshakeCpuUs: [
      nullable(amount),
      "CPU time of the server per handshake, median over the rounds; null if unknown.",
    ],
  },
);
export interface ServerSummary extends Static<typeof ServerSummary> {}

export const GeneratorSummary = object("GeneratorSummary", "A load generator of a run.", {
  id: [text, "Its id."],
  version: [text, "Its version."],
  checksBodies: [flag, "Whether it checks response bodies under load."],
  latencyNote: [nullable(text), "Note on its latencies; null without one."],
});
export interface GeneratorSummary extends Static<typeof GeneratorSummary> {}

const Errors = object("Errors", "Errors of all rounds, by kind.", {
  transport: [
    count,
    "Requests of the generator that failed without a response, and connections that the server closed.",
  ],
  timeout: [
    nullable(count),
    "Requests of the generator that timed out; null if it does not report them.",
  ],
  non2xx: [count, "Responses to the generator without a 2xx status."],
  probe: [count, "Errors of the probe, of any kind."],
});

const ResultKind = object("ResultKind", "Derived: one kind of request of a mix.", {
  scenario: [text, "Id of the scenario of the request."],
  requestsPerS: [amount, "Responses per second, of any status: median over the rounds."],
  p50Us: [nullable(amount), "Median service time: median over the rounds of each round's median."],
  p99Us: [
    nullable(amount),
    "99th percentile of the service time: median over the rounds of each round's.",
  ],
});

export const Result = object(
  "Result",
  "Derived: all rounds of one server at one workload.",
  {
    ...resultKey,
    status: [
      oneOf("ok", "invalid", "failed"),
      "`ok`: the result is valid. `invalid`: the measurement cannot be trusted. `failed`: nothing was measured.",
    ],
    reason: [
      nullable(Reason),
      "Why there is no rate, or why rounds are missing; null otherwise.",
    ],
    rounds: [count, "Rounds that were measured."],
    failedRounds: [count, "Rounds that failed."],
    ...figureProperties,
    isTakenOver: [
      flag,
      "Whether another load generator replaced the variant's, which would have been the bottleneck.",
    ],
    isLowerBound: [
      flag,
      "Whether the server has a higher capacity: the load generator or the machine was the bottleneck.",
    ],
    latencyAbsence: [
      nullable(Reason),
      "Why existing latencies are not shown; null if they are.",
    ],
    kinds: [list(ResultKind), "Figures of each kind of request; empty without a mix."],
    probe: [nullable(ProbeSummary), "The probe's figures; null without a probe."],
    probeAbsence: [nullable(Reason), "Why there is no probe; null if there is one."],
    climbing: [
      nullable(Reason),
      "The reason if most of its windows or slices began before the server had warmed up. The result is then not compared. Null otherwise.",
    ],
    trend: [
      nullable(number),
      "How much faster the second half of a window was than the first, median: 0.05 is 5 %. Null if unknown.",
    ],
    bottleneck: [nullable(Bottleneck), "The bottleneck; null without a rate."],
    rank: [
      nullable(ordinal),
      "Rank among servers with the same number of workers at this workload: one plus the number of servers proven better. Null for a single server, or without confidence intervals.",
    ],
    responses: [count, "Responses of all rounds to the generator, of any status."],
    checkedBodies: [count, "Responses with a body that the generator checked."],
    errors: [Errors, "Errors of all rounds, by kind."],
  },
);
export interface Result extends Static<typeof Result> {}
