/** The highest rate that meets an SLO, and the trials of its search. */
import { Reason } from "./reason.ts";
import * as s from "./json_schema.ts";
import { Bottleneck } from "./bottleneck.ts";

export const CapacityTrial = s.object("CapacityTrial", "One short window at a rate.", {
  perS: [s.positive, "Requests per second."],
  isFresh: [s.flag, "Whether its server process had no load before."],
  isMet: [s.flag, "Whether the SLO was met."],
  isMeasurable: [
    s.flag,
    "Whether the trial counts. It does not if the SLO was missed only because the load generator was late.",
  ],
  achievedPerS: [s.amount, "Right responses per second."],
});
export interface CapacityTrial extends s.Static<typeof CapacityTrial> {}

export const Capacity = s.object(
  "Capacity",
  "Derived: the highest rate at which a variant meets the SLO at a scenario.",
  {
    variant: [s.text, "Id of the variant."],
    scenario: [s.text, "Id of the scenario."],
    connections: [s.ordinal, "Maximum number of connections of the load."],
    startPerS: [
      s.nullable(s.positive),
      "Start rate of the search, from a closed loop; null if nothing was answered.",
    ],
    heldPerS: [
      s.nullable(s.positive),
      "Highest rate that met the SLO, on a process with earlier load and on fresh ones; null if none did.",
    ],
    failedPerS: [
      s.nullable(s.positive),
      "Lowest rate that did not meet the SLO; null if none is known.",
    ],
    isOfGenerator: [
      s.flag,
      "Whether the load generator was the limit. The server may then have a higher capacity.",
    ],
    bottleneck: [s.nullable(Bottleneck), "The bottleneck at `failedPerS`; null if unknown."],
    trials: [s.list(CapacityTrial), "The trials, in order."],
    reason: [s.nullable(Reason), "Why there is no rate; null if there is one."],
  },
);
export interface Capacity extends s.Static<typeof Capacity> {}
