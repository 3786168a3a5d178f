/** Service level objectives, and the search for the highest rate that meets one. */
import * as s from "./json_schema.ts";

export const LatencyLimit = s.object(
  "LatencyLimit",
  "Upper limit of a percentile of response times.",
  {
    percentile: [s.share, "The percentile, 0.99 for p99."],
    us: [s.positive, "Upper limit in microseconds, exclusive."],
  },
);
export interface LatencyLimit extends s.Static<typeof LatencyLimit> {}

export const Slo = s.object("Slo", "A service level objective.", {
  latencies: [s.list(LatencyLimit), "Limits of response times in an open loop."],
  errorShare: [
    s.nullable(s.positive),
    "Upper limit of the share of requests without a right response, exclusive; null without a limit.",
  ],
});
export interface Slo extends s.Static<typeof Slo> {}

export const SearchPlan = s.object(
  "SearchPlan",
  "The search for the highest rate that meets an SLO.",
  {
    slo: [Slo, "The SLO."],
    width: [
      s.positive,
      "Maximum gap between the highest rate that meets the SLO and the lowest that does not: 0.1 is 10 %.",
    ],
    shares: [
      s.list(s.positive),
      "Fractions of the capacity at which response times are measured at the end.",
    ],
  },
);
export interface SearchPlan extends s.Static<typeof SearchPlan> {}
