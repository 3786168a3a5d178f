/** What a run found: derived from the raw windows of raw.ts. */
import { RelativeCpu, resultKey } from "./comparison.ts";
import { Estimate } from "./estimate.ts";
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
} from "./schema.ts";
import { Bottleneck } from "./bottleneck.ts";

export * from "./comparison.ts";
export * from "./estimate.ts";
export * from "./reason.ts";
export * from "./bottleneck.ts";

export const ProbeSummary = object(
  "ProbeSummary",
  "What the probe saw in all rounds of a result.",
  {
    responses: [ordinal, "Responses with a 2xx status."],
    perS: [amount, "Responses per second."],
    p50Us: [amount, "Response time, median."],
    p99Us: [nullable(amount), "Response time, 99th percentile; null for too few responses."],
    sendLatenessP99Us: [
      nullable(amount),
      "How late its requests were sent, median of the rounds' 99th percentiles; null: not known.",
    ],
    detects: [
      share,
      "The smallest share of wrong responses that it would have met with 95 % probability, 0 to 1.",
    ],
  },
);
export interface ProbeSummary extends Static<typeof ProbeSummary> {}

export const ServerSummary = object(
  "ServerSummary",
  "Derived: one server of a run, whether it was measured or not.",
  {
    id: [text, "Its id."],
    name: [text, "Its name."],
    language: [text, "What it is written in."],
    framework: [nullable(text), "The framework that it uses; null: none."],
    basedOn: [nullable(text), "Id of the server that it is built on; null: none of them."],
    approach: [
      oneOf("idiomatic", "tuned"),
      "Written as its documentation suggests, or for speed.",
    ],
    why: [nullable(text), "Why it is tuned, or what else a reader should know."],
    scenarios: [record(record(text)), "Ids of the scenarios that it implements, each with how."],
    workers: [
      nullable(ordinal),
      "Its processes or scheduler threads; ranks are among servers with as many. Null: as many as it likes.",
    ],
    skipped: [
      nullable(text),
      "What it lacks on this machine, for which it was not measured; null if nothing.",
    ],
    failure: [nullable(text), "Why it could not be built; null if it could."],
    startUpS: [
      nullable(Estimate),
      "From its spawning to its first right response, over the rounds; null where it is not known.",
    ],
    idleRssBytes: [
      nullable(amount),
      "Resident memory after that response, median over the rounds; null where it is not known.",
    ],
    handshakeUs: [
      nullable(Estimate),
      "From connecting to the end of a whole handshake, the median of each round's median; null without TLS.",
    ],
    handshakeCpuUs: [
      nullable(amount),
      "CPU time of the server for each, median over the rounds; null where it is not known.",
    ],
  },
);
export interface ServerSummary extends Static<typeof ServerSummary> {}

export const GeneratorSummary = object("GeneratorSummary", "A load generator of a run.", {
  id: [text, "Its id."],
  version: [text, "Its version."],
  checksBodies: [flag, "Whether it looks at the bodies of responses while it loads."],
  latencyNote: [nullable(text), "What a reader of its latencies has to know; null if nothing."],
});
export interface GeneratorSummary extends Static<typeof GeneratorSummary> {}

const Errors = object("Errors", "Errors of all rounds, by kind.", {
  transport: [
    count,
    "Requests of the generator that failed without a response, and connections that the server closed.",
  ],
  timeout: [
    nullable(count),
    "Requests of the generator without a response in time; null where the generator does not tell.",
  ],
  non2xx: [count, "Responses to the generator with a status other than 2xx."],
  probe: [count, "What the probe met of any kind."],
});

const ResultKind = object("ResultKind", "Derived: one kind of request of a mix.", {
  scenario: [text, "Id of the scenario whose request it is."],
  requestsPerS: [amount, "Its responses per second, of any status: median over the rounds."],
  p50Us: [nullable(amount), "Service time: the median over the rounds of each round's median."],
  p99Us: [
    nullable(amount),
    "Service time: the median over the rounds of each round's 99th percentile.",
  ],
});

export const Result = object(
  "Result",
  "Derived: all rounds of one server at one scenario under a number of connections.",
  {
    ...resultKey,
    status: [
      oneOf("ok", "invalid", "failed"),
      "`ok`: there is a rate. `invalid`: what was measured says nothing. `failed`: nothing was measured.",
    ],
    reason: [
      nullable(Reason),
      "Why there is no rate, or why rounds are missing; null if nothing is.",
    ],
    rounds: [count, "Rounds that were measured."],
    failedRounds: [count, "Rounds that failed."],
    requestsPerS: [
      nullable(Estimate),
      "Responses with a 2xx status per second of the window, those of the probe included; null without a rate.",
    ],
    isTakenOver: [
      flag,
      "Whether another load generator drove it than its variant's, which would have been the bottleneck.",
    ],
    isLowerBound: [
      flag,
      "Whether the server could do more: the generator or the machine was the bottleneck.",
    ],
    capacityPerCore: [
      nullable(amount),
      "Responses per second and core: one second over the CPU time for a response; null unless the rate is the generator's.",
    ],
    serverCpuUs: [
      nullable(Estimate),
      "The server's CPU time for each response; null where it is not known.",
    ],
    relativeCpu: [
      nullable(RelativeCpu),
      "What a response costs in responses of the reference server; null where there are no slices.",
    ],
    systemShare: [
      nullable(number),
      "Of that, the kernel's share, 0 to 1; null where it is not known.",
    ],
    p50Us: [
      nullable(amount),
      "Service time: the median over the rounds of each round's median; null without a response.",
    ],
    p99Us: [
      nullable(amount),
      "Service time: the median over the rounds of each round's 99th percentile; null without a response.",
    ],
    latencyAbsence: [
      nullable(Reason),
      "Why latencies are withheld, although there are some; null if they are not.",
    ],
    kinds: [list(ResultKind), "What each kind of request of a mix had; empty without a mix."],
    probe: [nullable(ProbeSummary), "What the probe saw; null without a probe."],
    probeAbsence: [nullable(Reason), "Why there is no probe; null if there is one."],
    idleRssBytes: [
      nullable(amount),
      "The server's memory before the load, median over the rounds; null where it is not known.",
    ],
    peakRssBytes: [
      nullable(amount),
      "The server's memory at most under load, median over the rounds; null where it is not known.",
    ],
    statementsPerResponse: [
      nullable(amount),
      "Statements that the database executed for each response; null where they are not counted.",
    ],
    climbing: [
      nullable(Reason),
      "That most of its windows, or of its slices, began before the server had warmed up: it is compared with nothing; null otherwise.",
    ],
    trend: [
      nullable(number),
      "How much faster the second half of a window was than the first, median: 0.05 is 5 %; null: not known.",
    ],
    bottleneck: [nullable(Bottleneck), "What the bottleneck was; null without a rate."],
    rank: [
      nullable(ordinal),
      "One more than the servers with as many workers that are proven better at this scenario under this number of connections; null if it is alone, or nothing has an interval.",
    ],
    responses: [count, "Responses of all rounds to the generator, of any status."],
    checkedBodies: [count, "Answers whose body the generator looked at."],
    errors: [Errors, "Errors of all rounds, by kind."],
  },
);
export interface Result extends Static<typeof Result> {}
