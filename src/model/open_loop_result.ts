/** Response times in an open loop, derived from the raw windows of raw.ts. */
import { resultKey } from "./comparison.ts";
import { arrivals } from "./experiment.ts";
import {
  amount,
  count,
  nullable,
  object,
  oneOf,
  ordinal,
  positive,
  share,
  type Static,
  unnamed,
} from "./json_schema.ts";

export const LatencySummary = object(
  "LatencySummary",
  "Times over all rounds, in microseconds; null for percentiles with too few requests.",
  {
    count: [ordinal, "Number of requests."],
    meanUs: [amount, "Mean."],
    p50Us: [amount, "Median."],
    p90Us: [nullable(amount), "90th percentile."],
    p99Us: [nullable(amount), "99th percentile."],
    p999Us: [nullable(amount), "99.9th percentile."],
    maxUs: [amount, "Maximum."],
  },
);
export interface LatencySummary extends Static<typeof LatencySummary> {}

const Quantiles = unnamed("In microseconds; null for percentiles with too few requests.", {
  p50Us: [nullable(amount), "Median."],
  p90Us: [nullable(amount), "90th percentile."],
  p99Us: [nullable(amount), "99th percentile."],
});

export const OpenCheck = object(
  "OpenCheck",
  "Raw: check of Stampede's open loop before the run, against a server with response times known from theory.",
  {
    perS: [positive, "Requests per second."],
    arrivals: [arrivals, "Distribution of the arrivals."],
    serviceUs: [amount, "Service time of that server when it was always busy."],
    aloneUs: [amount, "Median response time without other pending requests."],
    offered: [count, "Scheduled requests."],
    expected: [Quantiles, "Response times by theory, for the same arrivals."],
    found: [Quantiles, "Measured response times."],
  },
);
export interface OpenCheck extends Static<typeof OpenCheck> {}

export const OpenLoopResult = object(
  "OpenLoopResult",
  "Derived: all rounds of one server at one scenario, in an open loop at one rate.",
  {
    ...resultKey,
    status: [
      oneOf("ok", "unreached", "failed"),
      "`unreached`: fewer requests were sent or answered than the rate requires. `failed`: nothing was measured.",
    ],
    rounds: [count, "Rounds that were measured."],
    offered: [count, "Scheduled requests."],
    sent: [count, "Requests that were sent."],
    failed: [count, "Requests that failed because the connection ended, or that timed out."],
    refused: [count, "Responses without a 2xx status."],
    unanswered: [count, "Requests that were still pending at the end."],
    shed: [count, "Requests that were not sent, because every connection was busy."],
    goodputPerS: [
      nullable(amount),
      "Right responses per second in the windows, at most the number scheduled in them; median over the rounds.",
    ],
    besidePerS: [
      nullable(amount),
      "Right responses per second of the scenario's side load, median over the rounds; null without a side load.",
    ],
    recoveryS: [
      nullable(amount),
      "Time from the end of a window until all its requests were completed, median over the rounds.",
    ],
    responseTime: [
      nullable(LatencySummary),
      "Response time, from the scheduled send time. A request without a response counts with the time that it has waited.",
    ],
    lateness: [
      nullable(LatencySummary),
      "Part of the response time: the lateness of the load generator.",
    ],
    wait: [nullable(LatencySummary), "Part of the response time: the wait for a free connection."],
    serviceTime: [
      nullable(LatencySummary),
      "Part of the response time: from sending to the last byte of the response.",
    ],
    measurableUpTo: [
      share,
      "Highest percentile that belongs to the server. Higher percentiles are upper bounds, because the load generator's own lateness is a large part of them, or was in the check before the run. 0 means that even the median is a bound.",
    ],
  },
);
export interface OpenLoopResult extends Static<typeof OpenLoopResult> {}
