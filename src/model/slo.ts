/** Service level objectives, and the search for the highest rate that meets one. */
import { list, nullable, object, positive, share, type Static } from "./json_schema.ts";

export const LatencyLimit = object(
  "LatencyLimit",
  "Upper limit of a percentile of response times.",
  {
    percentile: [share, "The percentile, 0.99 for p99."],
    us: [positive, "Upper limit in microseconds, exclusive."],
  },
);
export interface LatencyLimit extends Static<typeof LatencyLimit> {}

export const Slo = object("Slo", "A service level objective.", {
  latencies: [list(LatencyLimit), "Limits of response times in an open loop."],
  errorShare: [
    nullable(positive),
    "Upper limit of the share of requests without a right response, exclusive; null without a limit.",
  ],
});
export interface Slo extends Static<typeof Slo> {}

export const SearchPlan = object(
  "SearchPlan",
  "The search for the highest rate that meets an SLO.",
  {
    slo: [Slo, "The SLO."],
    width: [
      positive,
      "Maximum gap between the highest rate that meets the SLO and the lowest that does not: 0.1 is 10 %.",
    ],
    shares: [
      list(positive),
      "Fractions of the capacity at which response times are measured at the end.",
    ],
  },
);
export interface SearchPlan extends Static<typeof SearchPlan> {}
