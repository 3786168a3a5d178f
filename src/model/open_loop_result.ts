/** Response times in an open loop, derived from the raw windows of raw.ts. */
import { resultKey } from "./comparison.ts";
import { arrivals } from "./experiment.ts";
import * as s from "./json_schema.ts";

export const LatencySummary = s.object(
  "LatencySummary",
  "Times over all rounds, in microseconds; null for percentiles with too few requests.",
  {
    count: [s.ordinal, "Number of requests."],
    meanUs: [s.amount, "Mean."],
    p50Us: [s.amount, "Median."],
    p90Us: [s.nullable(s.amount), "90th percentile."],
    p99Us: [s.nullable(s.amount), "99th percentile."],
    p999Us: [s.nullable(s.amount), "99.9th percentile."],
    maxUs: [s.amount, "Maximum."],
  },
);
export interface LatencySummary extends s.Static<typeof LatencySummary> {}

const Quantiles = s.unnamed("In microseconds; null for percentiles with too few requests.", {
  p50Us: [s.nullable(s.amount), "Median."],
  p90Us: [s.nullable(s.amount), "90th percentile."],
  p99Us: [s.nullable(s.amount), "99th percentile."],
});

export const OpenCheck = s.object(
  "OpenCheck",
  "Raw: check of Stampede's open loop before the run, against a server with response times known from theory.",
  {
    perS: [s.positive, "Requests per second."],
    arrivals: [arrivals, "Distribution of the arrivals."],
    serviceUs: [s.amount, "Service time of that server when it was always busy."],
    aloneUs: [s.amount, "Median response time without other pending requests."],
    offered: [s.count, "Scheduled requests."],
    expected: [Quantiles, "Response times by theory, for the same arrivals."],
    found: [Quantiles, "Measured response times."],
  },
);
export interface OpenCheck extends s.Static<typeof OpenCheck> {}

export const OpenLoopResult = s.object(
  "OpenLoopResult",
  "Derived: all rounds of one server at one scenario, in an open loop at one rate.",
  {
    ...resultKey,
    status: [
      s.oneOf("ok", "unreached", "failed"),
      "`unreached`: fewer requests were sent or answered than the rate requires. `failed`: nothing was measured.",
    ],
    rounds: [s.count, "Rounds that were measured."],
    offered: [s.count, "Scheduled requests."],
    sent: [s.count, "Requests that were sent."],
    failed: [s.count, "Requests that failed because the connection ended, or that timed out."],
    refused: [s.count, "Responses without a 2xx status."],
    unanswered: [s.count, "Requests that were still pending at the end."],
    shed: [s.count, "Requests that were not sent, because every connection was busy."],
    goodputPerS: [
      s.nullable(s.amount),
      "Right responses per second in the windows, at most the number scheduled in them; median over the rounds.",
    ],
    besidePerS: [
      s.nullable(s.amount),
      "Right responses per second of the scenario's side load, median over the rounds; null without a side load.",
    ],
    recoveryS: [
      s.nullable(s.amount),
      "Time from the end of a window until all its requests were completed, median over the rounds.",
    ],
    responseTime: [
      s.nullable(LatencySummary),
      "Response time, from the scheduled send time. A request without a response counts with the time that it has waited.",
    ],
    lateness: [
      s.nullable(LatencySummary),
      "Part of the response time: the lateness of the load generator.",
    ],
    wait: [
      s.nullable(LatencySummary),
      "Part of the response time: the wait for a free connection.",
    ],
    serviceTime: [
      s.nullable(LatencySummary),
      "Part of the response time: from sending to the last byte of the response.",
    ],
    measurableUpTo: [
      s.share,
      "Highest percentile that belongs to the server. Higher percentiles are upper bounds, because the load generator's own lateness is a large part of them, or was in the check before the run. 0 means that even the median is a bound.",
    ],
  },
);
export interface OpenLoopResult extends s.Static<typeof OpenLoopResult> {}
