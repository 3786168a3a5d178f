/** The highest rate that meets an SLO, and how it was found. */
import { Reason } from "./reason.ts";
import {
  amount,
  flag,
  list,
  nullable,
  object,
  ordinal,
  positive,
  type Static,
  text,
} from "./schema.ts";
import { Bottleneck } from "./bottleneck.ts";

export const CapacityTrial = object("CapacityTrial", "One short window at a rate.", {
  perS: [positive, "Requests a second."],
  isFresh: [flag, "Whether it was measured on a process that had no load before."],
  isMet: [flag, "Whether the SLO was met."],
  isMeasurable: [
    flag,
    "Whether it says something of the server: not where it was missed only because the load generator itself was late.",
  ],
  achievedPerS: [amount, "Right responses a second."],
});
export interface CapacityTrial extends Static<typeof CapacityTrial> {}

export const Capacity = object(
  "Capacity",
  "Derived: the highest rate at which a variant meets the SLO at a scenario.",
  {
    variant: [text, "Id of the variant."],
    scenario: [text, "Id of the scenario."],
    connections: [ordinal, "Connections of the load at most."],
    startPerS: [
      nullable(positive),
      "Where the search began, by what was answered in a closed loop; null if nothing was.",
    ],
    heldPerS: [
      nullable(positive),
      "The highest rate at which the SLO was met, on a process with load before and on fresh ones; null: at none that was tried.",
    ],
    failedPerS: [
      nullable(positive),
      "The lowest at which it was not; null while none is known.",
    ],
    isOfGenerator: [
      flag,
      "Whether it is the load generator that could do no more: the server may hold a higher rate.",
    ],
    bottleneck: [nullable(Bottleneck), "The bottleneck at `failedPerS`; null if it is not known."],
    trials: [list(CapacityTrial), "What was tried, in order."],
    reason: [nullable(Reason), "Why there is no rate; null if there is one."],
  },
);
export interface Capacity extends Static<typeof Capacity> {}
