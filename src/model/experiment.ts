/**
 * The settings of a run and its plan. Units are part of the names; null means not set, or unknown.
 * Service level objectives, and the search for the highest rate that meets one. Workloads:
 * scenarios and their load.
 */

import { HIGHEST_ROUND } from "./limits.ts";
import type { Scenario } from "./scenario.ts";
import * as s from "./schema.ts";
import { alpn, type Server } from "./server.ts";

const LatencyLimit = s.object("LatencyLimit", "Upper limit of a percentile of response times.", {
  percentile: [s.share, "The percentile, 0.99 for p99."],
  us: [s.positive, "Upper limit in microseconds, exclusive."],
});
export interface LatencyLimit extends s.Static<typeof LatencyLimit> {}

export const Slo = s.object("Slo", "A service level objective.", {
  latencies: [s.list(LatencyLimit), "Limits of response times in an open loop."],
  errorShare: [
    s.nullable(s.positive),
    "Upper limit of the share of requests without a right response, exclusive; null without a limit.",
  ],
});
export interface Slo extends s.Static<typeof Slo> {}

const SearchPlan = s.object("SearchPlan", "The search for the highest rate that meets an SLO.", {
  slo: [Slo, "The SLO."],
  width: [
    s.positive,
    "Maximum gap between the highest rate that meets the SLO and the lowest that does not: 0.1 is 10 %.",
  ],
  shares: [
    s.list(s.positive),
    "Fractions of the capacity at which response times are measured at the end.",
  ],
});
export interface SearchPlan extends s.Static<typeof SearchPlan> {}

/** Every kind of experiment. src/experiment/ has a function for each kind. */
const EXPERIMENT_KINDS = [
  "run",
  "rate",
  "capacity",
  "scaling",
  "noise",
  "versus",
  "generators",
  "preset",
] as const;
export type ExperimentKind = typeof EXPERIMENT_KINDS[number];

const VariantRecord = s.object(
  "Variant",
  "One variant of an experiment, which is compared with the others.",
  {
    id: [s.text, "Its id."],
    label: [s.text, "Its name for people."],
    server: [s.text, "Id of its server."],
    generator: [s.text, "Id of its load generator, or `auto` for the fastest one on the machine."],
    env: [
      s.record(s.text),
      "Environment variables of the server, in addition to its address and the database's.",
    ],
  },
);
/** A variant in a report, with the id of its server. */
export interface VariantRecord extends s.Static<typeof VariantRecord> {}

/** A variant that can be measured, with its complete server. */
export interface Variant extends Omit<VariantRecord, "server"> {
  readonly server: Server;
}

/**
 * Distributions of the scheduled send times in an open loop: random (Poisson process), or at equal intervals.
 */
export const ARRIVALS = ["poisson", "even"] as const;
export const arrivals: s.Schema<typeof ARRIVALS[number]> = s.oneOf(...ARRIVALS);
const ARRIVALS_TEXT =
  "Distribution of the arrivals: random (Poisson process), or at equal intervals.";

const OpenPlan = s.object("OpenPlan", "The rates of open loops.", {
  perS: [
    s.record(s.list(s.positive)),
    "Rates in requests per second by scenario; each of them is measured.",
  ],
  closedLoopPerS: [
    s.record(s.positive),
    "Closed-loop rate of the slowest server by scenario, if rates were given as shares of it; otherwise empty.",
  ],
  arrivals: [arrivals, ARRIVALS_TEXT],
});
export interface OpenPlan extends s.Static<typeof OpenPlan> {}

const LoadPlan = s.object("LoadPlan", "The load on servers, and its duration.", {
  tls: [
    s.nullable(alpn),
    "Protocol over TLS, with a certificate made for the run; null means HTTP/1.1 without TLS, or as a URL says.",
  ],
  connections: [
    s.nullable(s.list(s.ordinal)),
    "Numbers of connections; each is measured. Null uses the scenario's number, or the default.",
  ],
  defaultConnections: [s.ordinal, "Default number of connections."],
  shards: [s.ordinal, "Processes of a load generator, which share the connections."],
  durationS: [s.positive, "Length of a window, in seconds."],
  requests: [
    s.nullable(s.ordinal),
    "Requests that end a window; null means by time, or as the scenario needs.",
  ],
  timeoutS: [s.positive, "Timeout of a response, in seconds."],
  warmupS: [
    s.nullable(s.amount),
    "Warm-up before each window, in seconds. Null uses the scenario's or the server's, or the default.",
  ],
  defaultWarmupS: [s.amount, "Default warm-up before each window, in seconds."],
  open: [
    s.nullable(OpenPlan),
    "Rates of open loops, in which requests do not wait for earlier responses; null for closed loops.",
  ],
});
export interface LoadPlan extends s.Static<typeof LoadPlan> {}

const SliceDesign = s.object(
  "SliceDesign",
  "How servers that run at the same time are loaded in turn.",
  {
    durationS: [s.positive, "Load of each variant at each scenario in each round, in seconds."],
    sliceMs: [s.positive, "Minimum length of a slice, in milliseconds."],
    responses: [s.ordinal, "Minimum number of responses of a slice."],
  },
);
export interface SliceDesign extends s.Static<typeof SliceDesign> {}

const Design = s.object(
  "Design",
  "How often everything is measured, in which order, and when the run ends.",
  {
    rounds: [s.ordinal, "Rounds of every variant and scenario."],
    maxRounds: [
      s.ordinal,
      "Maximum number of rounds. Rounds are added while confidence intervals are wider than `width`.",
    ],
    width: [
      s.amount,
      "Target width: half the confidence interval divided by the median. Below it, no rounds are added. 0.03 is 3 %.",
    ],
    budgetS: [
      s.nullable(s.amount),
      "Maximum time of added rounds, in seconds; null means `budgetShare` times that of the first rounds.",
    ],
    budgetShare: [
      s.amount,
      "Maximum time of added rounds, as a share of that of the first rounds.",
    ],
    ratiosOnly: [
      s.flag,
      "Whether only the ratios of variants matter, not their own figures. Windows are then left out if slices are possible.",
    ],
    slices: [s.nullable(SliceDesign), "Slices that measure ratios; null means by windows only."],
    fallback: [
      s.nullable(s.text),
      "Load generator that replaces a variant's if that would be the bottleneck; null if none does.",
    ],
    failOn: [
      s.nullable(s.amount),
      "Threshold of the gate. A larger regression is measured again before it counts. 0.05 is 5 %; null without a gate.",
    ],
    needsAll: [s.flag, "Whether the run needs every variant's server."],
    pins: [s.flag, "Whether server, database and load generator get separate processors."],
    profileS: [
      s.nullable(s.positive),
      "Seconds of load for profiling each server on V8, after all measurements; null means no profiles.",
    ],
    seed: [s.count, "Seed of the order of variants and scenarios."],
  },
);
export interface Design extends s.Static<typeof Design> {}

export const ExperimentRecord = s.object(
  "Experiment",
  "An experiment: what is compared, at which scenarios, under which load, and by which design.",
  {
    kind: [s.oneOf(...EXPERIMENT_KINDS), "Kind of experiment."],
    variants: [s.list(VariantRecord), "The compared variants, in order."],
    reference: [
      s.nullable(VariantRecord),
      "Reference server of relative CPU, with its response to `/`, measured in the same slices; null without one.",
    ],
    scenarios: [s.list(s.text), "Ids of the scenarios, in order."],
    load: [LoadPlan, "The load on servers, and its duration."],
    design: [Design, "How often everything is measured, and when the run ends."],
    search: [
      s.nullable(SearchPlan),
      "Search for the highest rate, for the kind `capacity`; null for other kinds.",
    ],
  },
);
/** An experiment in a report, with the ids of its scenarios and servers. */
export interface ExperimentRecord extends s.Static<typeof ExperimentRecord> {}

/** An experiment that can be measured, with its complete variants and scenarios. It is never modified. */
export interface Experiment extends Omit<ExperimentRecord, "variants" | "reference" | "scenarios"> {
  readonly variants: readonly Variant[];
  readonly reference: Variant | null;
  readonly scenarios: readonly Scenario[];
}

const OpenLoad = s.object(
  "OpenLoad",
  "Requests sent at a rate, without waiting for earlier responses.",
  {
    perS: [s.positive, "Requests per second."],
    arrivals: [arrivals, ARRIVALS_TEXT],
    seed: [s.count, "Seed of random arrival times."],
  },
);
export interface OpenLoad extends s.Static<typeof OpenLoad> {}

const Load = s.object("Load", "The load on a server during one window.", {
  connections: [s.ordinal, "Connections, each with one pending request."],
  shards: [s.ordinal, "Processes of the load generator, which share the connections."],
  warmupS: [s.amount, "Minimum warm-up before the window, in seconds."],
  mostWarmupS: [
    s.amount,
    "Maximum warm-up before the window, in seconds. It continues while the rate still climbs.",
  ],
  durationS: [s.positive, "Length of the window in seconds; with `responses`, approximately."],
  responses: [
    s.nullable(s.ordinal),
    "Number of responses that ends the window, in whole cycles of the scenario; null means by time.",
  ],
  timeoutS: [s.positive, "Timeout of a response, in seconds."],
  open: [
    s.nullable(OpenLoad),
    "The open loop; null for a closed loop, in which each connection waits for its response.",
  ],
});
export interface Load extends s.Static<typeof Load> {}

export const Trial = s.object("Trial", "One window to measure, with its position in the run.", {
  index: [s.count, "Position in the run, from 0."],
  purpose: [
    s.oneOf("measure", "scale", "pilot", "search", "confirm"),
    "`scale`: tests whether more shards or connections raise the rate. `pilot`: a short window before the first round, which shows whether the load generator would be the bottleneck, or the start rate of a search. `search` and `confirm`: tests whether an SLO is met at a rate, by a process with earlier load or by a fresh one. Only `measure` counts for results.",
  ],
  round: [s.upTo(HIGHEST_ROUND, s.ordinal), "Round of the trial, from 1."],
  variant: [s.text, "Id of the variant."],
  scenario: [s.text, "Id of the scenario."],
  generator: [s.text, "Id of the load generator."],
  load: [Load, "The load on the server."],
  workloadConnections: [
    s.nullable(s.ordinal),
    "Connections of its result, if a scale test loads with more; null means those of the load.",
  ],
});
export interface Trial extends s.Static<typeof Trial> {}

/** The properties of a workload: a scenario under a load. */
export const workload = s.properties({
  scenario: [s.text, "Id of the scenario."],
  connections: [s.ordinal, "Connections of the load to each server; in an open loop, the maximum."],
  perS: [s.nullable(s.positive), "Requests per second of an open loop; null in a closed loop."],
});
