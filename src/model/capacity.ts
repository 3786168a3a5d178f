/** The highest rate that meets an SLO, and the trials of its search. */
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
} from "./json_schema.ts";
import { Bottleneck } from "./bottleneck.ts";

export const CapacityTrial = object("CapacityTrial", "One short window at a rate.", {
  perS: [positive, "Requests per second."],
  isFresh: [flag, "Whether its server process had no load before."],
  isMet: [flag, "Whether the SLO was met."],
  isMeasurable: [
    flag,
    "Whether the trial counts. It does not if the SLO was missed only because the load generator was late.",
  ],
  achievedPerS: [amount, "Right responses per second."],
});
export interface CapacityTrial extends Static<typeof CapacityTrial> {}

export const Capacity = object(
  "Capacity",
  "Derived: the highest rate at which a variant meets the SLO at a scenario.",
  {
    variant: [text, "Id of the variant."],
    scenario: [text, "Id of the scenario."],
    connections: [ordinal, "Maximum number of connections of the load."],
    startPerS: [
      nullable(positive),
      "Start rate of the search, from a closed loop; null if nothing was answered.",
    ],
    heldPerS: [
      nullable(positive),
      "Highest rate that met the SLO, on a process with earlier load and on fresh ones; null if none did.",
    ],
    failedPerS: [
      nullable(positive),
      "Lowest rate that did not meet the SLO; null if none is known.",
    ],
    isOfGenerator: [
      flag,
      "Whether the load generator was the limit. The server may then have a higher capacity.",
    ],
    bottleneck: [nullable(Bottleneck), "The bottleneck at `failedPerS`; null if unknown."],
    trials: [list(CapacityTrial), "The trials, in order."],
    reason: [nullable(Reason), "Why there is no rate; null if there is one."],
  },
);
export interface Capacity extends Static<typeof Capacity> {}
