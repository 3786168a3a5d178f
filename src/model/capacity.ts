/** The highest rate that meets an objective, and how it was looked for. */
import { amount, flag, list, nullable, object, positive, share, type Static } from "./schema.ts";

export const LatencyLimit = object("LatencyLimit", "What a percentile of response times may be.", {
  percentile: [share, "Which, 0.99 for p99."],
  us: [positive, "Less than so many microseconds."],
});
export interface LatencyLimit extends Static<typeof LatencyLimit> {}

export const Objective = object("Objective", "What users must be given.", {
  latencies: [list(LatencyLimit), "Of response times, in an open loop."],
  errorShare: [
    nullable(positive),
    "Less than this share of requests may have no right answer; null: nothing is said of it.",
  ],
});
export interface Objective extends Static<typeof Objective> {}

export const CapacityTrial = object("CapacityTrial", "One short window at a rate.", {
  perS: [positive, "Requests a second."],
  isFresh: [flag, "Whether it was measured on a process that had no load before."],
  isMet: [flag, "Whether the objective was met."],
  isMeasurable: [
    flag,
    "Whether the load generator kept up: else the rate is beyond it, and says nothing of the server.",
  ],
  achievedPerS: [amount, "Right answers a second."],
});
export interface CapacityTrial extends Static<typeof CapacityTrial> {}
