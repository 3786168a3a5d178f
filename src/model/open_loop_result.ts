/** How long users wait in an open loop: derived from the raw windows of raw.ts. */
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
} from "./schema.ts";

export const LatencySummary = object(
  "LatencySummary",
  "Times of all rounds together, in microseconds; null is what so few requests do not tell.",
  {
    count: [ordinal, "How many requests they are of."],
    meanUs: [amount, "Mean."],
    p50Us: [amount, "Median."],
    p90Us: [nullable(amount), "90th percentile."],
    p99Us: [nullable(amount), "99th percentile."],
    p999Us: [nullable(amount), "99.9th percentile."],
    maxUs: [amount, "The longest."],
  },
);
export interface LatencySummary extends Static<typeof LatencySummary> {}

const Quantiles = unnamed("In microseconds; null is what so few requests do not tell.", {
  p50Us: [nullable(amount), "Median."],
  p90Us: [nullable(amount), "90th percentile."],
  p99Us: [nullable(amount), "99th percentile."],
});

export const OpenCheck = object(
  "OpenCheck",
  "Raw: what Stampede's open loop says of a server whose response times theory knows, before the run.",
  {
    perS: [positive, "Requests a second."],
    arrivals: [arrivals, "How they followed each other."],
    serviceUs: [amount, "How long that server took for each when it was busy all the time."],
    aloneUs: [amount, "Median time of a response when nothing else was under way."],
    offered: [count, "Requests that were due."],
    expected: [Quantiles, "Response times by theory, of the very same arrivals."],
    found: [Quantiles, "Response times as they were measured."],
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
      "`unreached`: fewer requests were sent, or answered, than the rate asks for. `failed`: there is nothing.",
    ],
    rounds: [count, "Rounds that were measured."],
    offered: [count, "Requests that were due."],
    sent: [count, "Of these, those that were sent."],
    failed: [count, "Those of which the connection ended, or that were not answered in time."],
    refused: [count, "Responses without a 2xx status."],
    unanswered: [count, "Those that still waited for their response at the end."],
    shed: [count, "Those that were not sent, since every connection was busy."],
    goodputPerS: [
      nullable(amount),
      "Right responses a second while windows were open, no more than were due in them, median over the rounds.",
    ],
    besidePerS: [
      nullable(amount),
      "Right responses a second to what the scenario asks beside it, median over the rounds; null if it asks for nothing else.",
    ],
    recoveryS: [
      nullable(amount),
      "From the end of a window until nothing that was sent in it was under way any more, median over the rounds.",
    ],
    responseTime: [
      nullable(LatencySummary),
      "Response time, in an open loop: from the scheduled send time; a request without a response counts with the time that it has waited.",
    ],
    lateness: [
      nullable(LatencySummary),
      "Part of it: how late the load generator was to see that a request was due.",
    ],
    wait: [nullable(LatencySummary), "Part of it: for a connection."],
    serviceTime: [
      nullable(LatencySummary),
      "Part of it: from sending to the last byte of the response.",
    ],
    measurableUpTo: [
      share,
      "Percentiles up to this one are the server's. Beyond it they are upper bounds: they include the load generator's own lateness, which is a large part, or was in the check before the run. 0: even the median is one.",
    ],
  },
);
export interface OpenLoopResult extends Static<typeof OpenLoopResult> {}
