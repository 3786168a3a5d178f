/** Results of comparisons: of servers, of a server with itself, and of two revisions. */
import { ConfidenceInterval } from "./estimate.ts";
import { CHANGE_METRICS, isMoreBetter, METRICS } from "./figures.ts";
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
} from "./json_schema.ts";

/** The properties that identify a result. */
export const resultKey = properties({ variant: [text, "Id of the variant."], ...workload });
export const ResultKey = object(
  "ResultKey",
  "One server at one scenario under one load.",
  resultKey,
);
export interface ResultKey extends Static<typeof ResultKey> {}

const METRIC = `The compared metric. Higher is better for ${
  CHANGE_METRICS.filter(isMoreBetter).join(" and ")
}, lower for the others.`;
const method = oneOf("slices", "windows");
const METHOD =
  "The method: slices of servers that run at the same time, or windows of each server in turn.";

export const Comparison = object(
  "Comparison",
  "Two servers at one workload, measured in the same rounds.",
  {
    ...workload,
    a: [text, "Id of one variant."],
    b: [text, "Id of the other."],
    metric: [oneOf(...METRICS), METRIC],
    method: [method, METHOD],
    rounds: [ordinal, "Rounds with both."],
    ratio: [
      positive,
      "a's figure divided by b's: the Hodges-Lehmann estimate of the paired ratios.",
    ],
    confidenceInterval: [
      nullable(ConfidenceInterval),
      "95 % confidence interval of the ratio; null for too few rounds.",
    ],
    pValue: [
      share,
      "Two-sided p-value of the hypothesis that the servers are equal, 0 to 1.",
    ],
    better: [
      nullable(text),
      "Id of the variant that is proven better; null if the confidence interval proves nothing.",
    ],
  },
);
export interface Comparison extends Static<typeof Comparison> {}

export const NoiseOf = object("NoiseOf", "The noise of one figure.", {
  rounds: [ordinal, "Rounds with both."],
  ratio: [positive, "The server's figure divided by its twin's."],
  confidenceInterval: [
    nullable(ConfidenceInterval),
    "95 % confidence interval of the ratio; null for too few rounds.",
  ],
  floor: [
    nullable(amount),
    "Largest distance of the confidence interval from 1: 0.03 is 3 %; null without an interval.",
  ],
});
export interface NoiseOf extends Static<typeof NoiseOf> {}

export const Noise = object(
  "Noise",
  "A server compared with itself at one workload. Any difference is noise.",
  {
    ...resultKey,
    method: [method, METHOD],
    requestsPerS: [
      nullable(NoiseOf),
      "Noise of responses per second; null if unknown.",
    ],
    serverCpuUs: [
      nullable(NoiseOf),
      "Noise of CPU time per response; null if unknown.",
    ],
  },
);
export interface Noise extends Static<typeof Noise> {}

export const Change = object(
  "Change",
  "Derived: the difference of one server at one workload between two runs, or between two revisions in one run.",
  {
    ...resultKey,
    verdict: [oneOf("faster", "slower", "same", "incomparable"), "The verdict."],
    reasons: [list(Reason), "Why it cannot be compared; empty if it can."],
    isBroken: [flag, "Whether the result was valid in base and is invalid or failed in head."],
    metric: [oneOf(...CHANGE_METRICS), METRIC],
    method: [method, METHOD],
    base: [nullable(amount), "Median over the rounds of base, in the metric's unit."],
    head: [nullable(amount), "Median over the rounds of head, in the metric's unit."],
    baseRounds: [count, "Rounds of base."],
    headRounds: [count, "Rounds of head."],
    ratio: [nullable(positive), "head's figure divided by base's."],
    confidenceInterval: [
      nullable(ConfidenceInterval),
      "95 % confidence interval of the ratio, for this change only.",
    ],
    isConfirmed: [
      nullable(flag),
      "Whether fresh rounds confirmed a regression beyond the gate's threshold; null if it was not tested.",
    ],
    familyConfidenceInterval: [
      nullable(ConfidenceInterval),
      "Confidence interval at a level that gives 95 % for all changes together; null for too few rounds.",
    ],
    pValue: [nullable(share), "p-value, adjusted for the number of comparisons."],
    minimumDetectableChange: [
      nullable(amount),
      "Minimum detectable change, as a share; null if no change could have been detected.",
    ],
    floor: [
      amount,
      "Noise floor: relative changes up to this are the machine's noise or its change of speed.",
    ],
  },
);
export interface Change extends Static<typeof Change> {}

export const Changes = object(
  "Changes",
  "Changes from one revision to another, tested together as one family.",
  {
    changes: [list(Change), "The changes."],
    neededRounds: [
      nullable(ordinal),
      "Rounds that the family needs for a decision; null if it had enough.",
    ],
    machineRatio: [
      nullable(positive),
      "Time of a fixed piece of work in head divided by that in base: 1.06 is 6 % longer. Null if unknown.",
    ],
    noiseSource: [
      nullable(text),
      "Report of `bench noise` that sets the noise floor; null if none does.",
    ],
  },
);
export interface Changes extends Static<typeof Changes> {}
