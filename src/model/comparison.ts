/** Results of comparisons: of servers, of a server with itself, and of two revisions. */
import { ConfidenceInterval } from "./estimate.ts";
import { CHANGE_METRICS, isMoreBetter, METRICS } from "./figures.ts";
import { Reason } from "./reason.ts";
import { workload } from "./experiment.ts";
import * as s from "./schema.ts";

/** The properties that identify a result. */
export const resultKey = s.properties({ variant: [s.text, "Id of the variant."], ...workload });
const ResultKey = s.object(
  "ResultKey",
  "One server at one scenario under one load.",
  resultKey,
);
export interface ResultKey extends s.Static<typeof ResultKey> {}

const METRIC = `The compared metric. Higher is better for ${
  CHANGE_METRICS.filter(isMoreBetter).join(" and ")
}, lower for the others.`;
const method = s.oneOf("slices", "windows");
const METHOD =
  "The method: slices of servers that run at the same time, or windows of each server in turn.";

export const Comparison = s.object(
  "Comparison",
  "Two servers at one workload, measured in the same rounds.",
  {
    ...workload,
    a: [s.text, "Id of one variant."],
    b: [s.text, "Id of the other."],
    metric: [s.oneOf(...METRICS), METRIC],
    method: [method, METHOD],
    rounds: [s.ordinal, "Rounds with both."],
    ratio: [
      s.positive,
      "a's figure divided by b's: the Hodges-Lehmann estimate of the paired ratios.",
    ],
    confidenceInterval: [
      s.nullable(ConfidenceInterval),
      "95 % confidence interval of the ratio; null for too few rounds.",
    ],
    pValue: [s.share, "Two-sided p-value of the hypothesis that the servers are equal, 0 to 1."],
    better: [
      s.nullable(s.text),
      "Id of the variant that is proven better; null if the confidence interval proves nothing.",
    ],
  },
);
export interface Comparison extends s.Static<typeof Comparison> {}

const NoiseOf = s.object("NoiseOf", "The noise of one figure.", {
  rounds: [s.ordinal, "Rounds with both."],
  ratio: [s.positive, "The server's figure divided by its twin's."],
  confidenceInterval: [
    s.nullable(ConfidenceInterval),
    "95 % confidence interval of the ratio; null for too few rounds.",
  ],
  floor: [
    s.nullable(s.amount),
    "Largest distance of the confidence interval from 1: 0.03 is 3 %; null without an interval.",
  ],
});
export interface NoiseOf extends s.Static<typeof NoiseOf> {}

export const Noise = s.object(
  "Noise",
  "A server compared with itself at one workload. Any difference is noise.",
  {
    ...resultKey,
    method: [method, METHOD],
    requestsPerS: [s.nullable(NoiseOf), "Noise of responses per second; null if unknown."],
    serverCpuUs: [s.nullable(NoiseOf), "Noise of CPU time per response; null if unknown."],
  },
);
export interface Noise extends s.Static<typeof Noise> {}

const Change = s.object(
  "Change",
  "Derived: the difference of one server at one workload between two runs, or between two revisions in one run.",
  {
    ...resultKey,
    verdict: [s.oneOf("faster", "slower", "same", "incomparable"), "The verdict."],
    reasons: [s.list(Reason), "Why it cannot be compared; empty if it can."],
    isBroken: [s.flag, "Whether the result was valid in base and is invalid or failed in head."],
    metric: [s.oneOf(...CHANGE_METRICS), METRIC],
    method: [method, METHOD],
    base: [s.nullable(s.amount), "Median over the rounds of base, in the metric's unit."],
    head: [s.nullable(s.amount), "Median over the rounds of head, in the metric's unit."],
    baseRounds: [s.count, "Rounds of base."],
    headRounds: [s.count, "Rounds of head."],
    ratio: [s.nullable(s.positive), "head's figure divided by base's."],
    confidenceInterval: [
      s.nullable(ConfidenceInterval),
      "95 % confidence interval of the ratio, for this change only.",
    ],
    isConfirmed: [
      s.nullable(s.flag),
      "Whether fresh rounds confirmed a regression beyond the gate's threshold; null if it was not tested.",
    ],
    familyConfidenceInterval: [
      s.nullable(ConfidenceInterval),
      "Confidence interval at a level that gives 95 % for all changes together; null for too few rounds.",
    ],
    pValue: [s.nullable(s.share), "p-value, adjusted for the number of comparisons."],
    minimumDetectableChange: [
      s.nullable(s.amount),
      "Minimum detectable change, as a share; null if no change could have been detected.",
    ],
    floor: [
      s.amount,
      "Noise floor: relative changes up to this are the machine's noise or its change of speed.",
    ],
  },
);
export interface Change extends s.Static<typeof Change> {}

export const Changes = s.object(
  "Changes",
  "Changes from one revision to another, tested together as one family.",
  {
    changes: [s.list(Change), "The changes."],
    neededRounds: [
      s.nullable(s.ordinal),
      "Rounds that the family needs for a decision; null if it had enough.",
    ],
    machineRatio: [
      s.nullable(s.positive),
      "Time of a fixed piece of work in head divided by that in base: 1.06 is 6 % longer. Null if unknown.",
    ],
    noiseSource: [
      s.nullable(s.text),
      "Report of `bench noise` that sets the noise floor; null if none does.",
    ],
  },
);
export interface Changes extends s.Static<typeof Changes> {}
