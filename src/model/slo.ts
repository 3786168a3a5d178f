/** What users must be given, and how the highest rate is looked for at which they are. */
import { list, nullable, object, positive, share, type Static } from "./schema.ts";

export const LatencyLimit = object("LatencyLimit", "What a percentile of response times may be.", {
  percentile: [share, "Which, 0.99 for p99."],
  us: [positive, "Less than so many microseconds."],
});
export interface LatencyLimit extends Static<typeof LatencyLimit> {}

export const Slo = object("Slo", "What users must be given.", {
  latencies: [list(LatencyLimit), "Of response times, in an open loop."],
  errorShare: [
    nullable(positive),
    "Less than this share of requests may have no right response; null: nothing is said of it.",
  ],
});
export interface Slo extends Static<typeof Slo> {}

export const SearchPlan = object(
  "SearchPlan",
  "How the highest rate is looked for at which an SLO is met.",
  {
    slo: [Slo, "The SLO."],
    width: [
      positive,
      "The most that may lie between the rate that is held and the one that is not: 0.1 is 10 %.",
    ],
    shares: [
      list(positive),
      "Of the rate that is held: there response times are measured at the end.",
    ],
  },
);
export interface SearchPlan extends Static<typeof SearchPlan> {}
