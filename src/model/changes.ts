/** Changes from base to head, derived from the measurements of both. */
import { COST_IDS } from "./costs.ts";
import { CountChanges } from "./counts.ts";
import { ConfidenceInterval } from "./estimate.ts";
import { workload } from "./experiment.ts";
import { CHANGE_METRICS, isMoreBetter } from "./figures.ts";
import { FunctionChanges } from "./profile.ts";
import { Reason } from "./reason.ts";
import * as s from "./schema.ts";

/** The properties that name a result. */
export const resultKey = { variant: s.text.is("Id of the variant."), ...workload };
export class ResultKey extends s.object("One server at one scenario under one load.", resultKey) {}

/** Description of a compared metric. */
export const METRIC = `The compared metric. Higher is better for ${
  CHANGE_METRICS.filter(isMoreBetter).join(" and ")
}, lower for the others.`;
/** How servers were compared. */
export const METHOD: s.Property<"slices" | "windows"> = s.oneOf("slices", "windows").is(
  "The method: slices of servers that run at the same time, or windows of each server in turn.",
);

/** What tests find out about a difference. */
const tested = {
  verdict: s.oneOf("faster", "slower", "same", "incomparable").is(
    "The verdict. For costs, `faster` is less, and `slower` is more.",
  ),
  reasons: s.list(Reason).is("Why it cannot be compared; empty if it can."),
  base: s.amount.orNull("Median over the rounds of base, in the metric's unit."),
  head: s.amount.orNull("Median over the rounds of head, in the metric's unit."),
  baseRounds: s.count.is("Rounds of base."),
  headRounds: s.count.is("Rounds of head."),
  ratio: s.positive.orNull("head's figure divided by base's."),
  confidenceInterval: ConfidenceInterval.orNull(
    "95 % confidence interval of the ratio, for this change only.",
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
};

export class Change extends s.object(
  "Derived: the difference of one server at one workload between two runs, or between two revisions in one run.",
  {
    ...resultKey,
    ...tested,
    isBroken: s.flag.is("Whether the result was valid in base and is invalid or failed in head."),
    metric: s.oneOf(...CHANGE_METRICS).is(METRIC),
    method: METHOD,
    isConfirmed: s.flag.orNull(
      "Whether fresh rounds confirmed a regression beyond the gate's threshold; null if it was not tested, or in too few rounds.",
    ),
  },
) {}

export class CostChange
  extends s.object("Derived: the difference of a cost between two revisions in one run.", {
    variant: s.text.is("Id of the variant."),
    scenario: s.text.orNull("Id of the scenario of the load; null without load."),
    perS: s.positive.orNull("Rate of the load, in requests per second; null without load."),
    ...tested,
    metric: s.oneOf(...COST_IDS).is("The cost. Less is better."),
    lateRounds: s.count.is(
      "Rounds that are left out, because the load generator was late.",
    ),
  }) {}

export class Changes
  extends s.object("Changes from one revision to another, tested together as one family.", {
    changes: s.list(Change).is("The changes."),
    costs: s.list(CostChange).is("The changes of costs; empty if none was measured."),
    neededRounds: s.ordinal.orNull(
      "Rounds that the family needs for a decision; null if it had enough.",
    ),
    machineRatio: s.positive.orNull(
      "Time of a fixed piece of work in head divided by that in base: 1.06 is 6 % longer. Null if unknown.",
    ),
    noiseSource: s.text.orNull(
      "Report of `stampede noise` that sets the noise floor; null if none does.",
    ),
    counts: CountChanges.orNull("Counts that differ; null if nothing was counted."),
    functions: s.list(FunctionChanges).is(
      "Functions that changed, for each workload that was profiled on both sides.",
    ),
  }) {}

/** A change of a figure of responses, or of a cost. */
export type AnyChange = Change | CostChange;

/** Returns whether a change is one of responses, and not of a cost. */
export function isOfResponses(change: AnyChange): change is Change {
  return "method" in change;
}
