/** What comparing found: of servers, of a server with itself, and of two states of servers. */
import { ConfidenceInterval } from "./estimate.ts";
import { Reason } from "./reason.ts";
import { workload } from "./workload.ts";
import {
  amount,
  count,
  flag,
  list,
  nullable,
  object,
  oneOf,
  ordinal,
  positive,
  properties,
  share,
  type Static,
  text,
} from "./schema.ts";

/** What every figure is of. */
export const resultKey = properties({ variant: [text, "Id of the variant."], ...workload });
export const ResultKey = object(
  "ResultKey",
  "One server at one scenario under one load.",
  resultKey,
);
export interface ResultKey extends Static<typeof ResultKey> {}

const metric = oneOf("requestsPerS", "serverCpuUs", "p50Us");
export type Metric = Static<typeof metric>;
const changeMetric = oneOf("requestsPerS", "serverCpuUs", "p50Us", "relativeCpu");
export type ChangeMetric = Static<typeof changeMetric>;
const METRIC = "What is compared: more is better of requestsPerS, less of the others.";
const method = oneOf("slices", "windows");
const METHOD =
  "How: by slices of servers that are alive at once, or by windows of each after the other.";

export const Comparison = object(
  "Comparison",
  "Two servers at one scenario under a number of connections, measured in the same rounds.",
  {
    ...workload,
    a: [text, "Id of one variant."],
    b: [text, "Id of the other."],
    metric: [metric, METRIC],
    method: [method, METHOD],
    rounds: [ordinal, "Rounds that both were measured in."],
    ratio: [
      positive,
      "a's figure over b's, without unit: Hodges-Lehmann estimate of the paired ratios.",
    ],
    confidenceInterval: [
      nullable(ConfidenceInterval),
      "Ends that cover the true ratio; null for too few rounds.",
    ],
    pValue: [
      share,
      "How probable ratios as far from 1 as these are, if the servers were equal: 0 to 1.",
    ],
    better: [
      nullable(text),
      "Id of the variant that is proven better, by the interval; null if nothing is proven.",
    ],
  },
);
export interface Comparison extends Static<typeof Comparison> {}

export const RelativeCpu = object(
  "RelativeCpu",
  "CPU time for a response over that of the reference server's, from slices.",
  {
    rounds: [ordinal, "Rounds that both were measured in."],
    ratio: [positive, "How many responses of the reference it costs."],
    confidenceInterval: [
      nullable(ConfidenceInterval),
      "Ends that cover the true one; null for too few rounds.",
    ],
  },
);
export interface RelativeCpu extends Static<typeof RelativeCpu> {}

export const NoiseOf = object("NoiseOf", "The noise of one figure.", {
  rounds: [ordinal, "Rounds that both were measured in."],
  ratio: [positive, "The figure of the server over that of its twin, without unit."],
  confidenceInterval: [
    nullable(ConfidenceInterval),
    "Ends that cover the true ratio; null for too few rounds.",
  ],
  floor: [
    nullable(amount),
    "How far the interval reaches from 1: 0.03 is 3 %; null without an interval.",
  ],
});
export interface NoiseOf extends Static<typeof NoiseOf> {}

export const Noise = object(
  "Noise",
  "A server against itself at one scenario: a difference that is none.",
  {
    ...resultKey,
    method: [method, METHOD],
    requestsPerS: [
      nullable(NoiseOf),
      "The noise of the responses per second; null where it is not known.",
    ],
    serverCpuUs: [
      nullable(NoiseOf),
      "The noise of the CPU time for each response; null where it is not known.",
    ],
  },
);
export interface Noise extends Static<typeof Noise> {}

export const Change = object(
  "Change",
  "Derived: how one server at one workload differs between two runs, or two of its versions in one run.",
  {
    ...resultKey,
    verdict: [oneOf("faster", "slower", "same", "incomparable"), "What is proven."],
    reasons: [list(Reason), "Why it cannot be compared; empty if it can."],
    isBroken: [flag, "Whether what was fine in base is invalid or failed in head."],
    metric: [changeMetric, METRIC],
    method: [method, METHOD],
    base: [nullable(amount), "Median over the rounds of base, in the metric's unit."],
    head: [nullable(amount), "Median over the rounds of head, in the metric's unit."],
    baseRounds: [count, "Rounds of base."],
    headRounds: [count, "Rounds of head."],
    ratio: [nullable(positive), "head's figure over base's."],
    confidenceInterval: [
      nullable(ConfidenceInterval),
      "Of the ratio, at 95 %, for this change alone.",
    ],
    isConfirmed: [
      nullable(flag),
      "Whether a change beyond the gate's threshold was found again in fresh rounds; null: it was not looked.",
    ],
    familyConfidenceInterval: [
      nullable(ConfidenceInterval),
      "At a level that makes 95 % for all changes together; null for too few rounds.",
    ],
    pValue: [nullable(share), "Adjusted for the number of comparisons."],
    minimumDetectableChange: [
      nullable(amount),
      "The smallest relative change that would probably have been found; null: none could have been.",
    ],
    floor: [
      amount,
      "Relative changes up to this mean nothing: the machine's noise, and its own change of speed.",
    ],
  },
);
export interface Change extends Static<typeof Change> {}

export const Changes = object(
  "Changes",
  "Changes from one state to another, judged together as one family.",
  {
    changes: [list(Change), "Each of them."],
    neededRounds: [
      nullable(ordinal),
      "Rounds that the family needs to be decided at all; null if it had enough.",
    ],
    machineRatio: [
      nullable(positive),
      "How much longer a fixed piece of work took in head: 1.06 is 6 %; null where it is not known.",
    ],
    noiseSource: [
      nullable(text),
      "The report of `bench noise` whose floor counts; null if none does.",
    ],
  },
);
export interface Changes extends Static<typeof Changes> {}
