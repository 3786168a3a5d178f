/** Results of comparisons: of servers, of a server with itself, and of two revisions. */
import { ConfidenceInterval } from "./estimate.ts";
import { CHANGE_METRICS, isMoreBetter, METRICS } from "./figures.ts";
import { Reason } from "./reason.ts";
import { workload } from "./experiment.ts";
import * as s from "./schema.ts";

/** The properties that identify a result. */
export const resultKey = { variant: s.text.is("Id of the variant."), ...workload };
export class ResultKey extends s.object("One server at one scenario under one load.", resultKey) {}

const METRIC = `The compared metric. Higher is better for ${
  CHANGE_METRICS.filter(isMoreBetter).join(" and ")
}, lower for the others.`;
const method = s.oneOf("slices", "windows");
const METHOD =
  "The method: slices of servers that run at the same time, or windows of each server in turn.";

export class Comparison
  extends s.object("Two servers at one workload, measured in the same rounds.", {
    ...workload,
    a: s.text.is("Id of one variant."),
    b: s.text.is("Id of the other."),
    metric: s.oneOf(...METRICS).is(METRIC),
    method: method.is(METHOD),
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

export class NoiseOf extends s.object("The noise of one figure.", {
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
    method: method.is(METHOD),
    requestsPerS: NoiseOf.orNull("Noise of responses per second; null if unknown."),
    serverCpuUs: NoiseOf.orNull("Noise of CPU time per response; null if unknown."),
  }) {}

export class Change extends s.object(
  "Derived: the difference of one server at one workload between two runs, or between two revisions in one run.",
  {
    ...resultKey,
    verdict: s.oneOf("faster", "slower", "same", "incomparable").is("The verdict."),
    reasons: s.list(Reason).is("Why it cannot be compared; empty if it can."),
    isBroken: s.flag.is("Whether the result was valid in base and is invalid or failed in head."),
    metric: s.oneOf(...CHANGE_METRICS).is(METRIC),
    method: method.is(METHOD),
    base: s.amount.orNull("Median over the rounds of base, in the metric's unit."),
    head: s.amount.orNull("Median over the rounds of head, in the metric's unit."),
    baseRounds: s.count.is("Rounds of base."),
    headRounds: s.count.is("Rounds of head."),
    ratio: s.positive.orNull("head's figure divided by base's."),
    confidenceInterval: ConfidenceInterval.orNull(
      "95 % confidence interval of the ratio, for this change only.",
    ),
    isConfirmed: s.flag.orNull(
      "Whether fresh rounds confirmed a regression beyond the gate's threshold; null if it was not tested.",
    ),
    familyConfidenceInterval: ConfidenceInterval.orNull(
      "Confidence interval at a level that gives 95 % for all changes together; null for too few rounds.",
    ),
    pValue: s.share.orNull("p-value, adjusted for the number of comparisons."),
    minimumDetectableChange: s.amount.orNull(
      "Minimum detectable change, as a share; null if no change could have been detected.",
    ),
    floor: s.amount.is(
      "Noise floor: relative changes up to this are the machine's noise or its change of speed.",
    ),
  },
) {}

export class Changes
  extends s.object("Changes from one revision to another, tested together as one family.", {
    changes: s.list(Change).is("The changes."),
    neededRounds: s.ordinal.orNull(
      "Rounds that the family needs for a decision; null if it had enough.",
    ),
    machineRatio: s.positive.orNull(
      "Time of a fixed piece of work in head divided by that in base: 1.06 is 6 % longer. Null if unknown.",
    ),
    noiseSource: s.text.orNull(
      "Report of `bench noise` that sets the noise floor; null if none does.",
    ),
  }) {}
