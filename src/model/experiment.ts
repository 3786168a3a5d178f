/** Settings of a run, and trials of its plan. Units are part of the names; null means not set. */
import { COST_GROUPS } from "./costs.ts";
import { MOST } from "./limits.ts";
import type { Scenario } from "./scenario.ts";
import * as s from "./schema.ts";
import { alpn, type Server } from "./server.ts";

class LatencyLimit extends s.object("Upper limit of a percentile of response times.", {
  percentile: s.share.is("The percentile, 0.99 for p99."),
  us: s.positive.is("Upper limit in microseconds, exclusive."),
}) {}

export class Slo extends s.object("A service level objective.", {
  latencies: s.list(LatencyLimit).is("Limits of response times in an open loop."),
  errorShare: s.positive.orNull(
    "Upper limit of the share of requests without a right response, exclusive; null without a limit.",
  ),
}) {}

export class SearchPlan extends s.object("The search for the highest rate that meets an SLO.", {
  slo: Slo.is("The SLO."),
  width: s.positive.is(
    "Maximum gap between the highest rate that meets the SLO and the lowest that does not: 0.1 is 10 %.",
  ),
  shares: s.list(s.positive).is(
    "Fractions of the capacity at which response times are measured at the end.",
  ),
}) {}

/** Every kind of experiment. src/experiment/ has a function for each kind. */
const experimentKind = s.oneOf(
  "run",
  "rate",
  "capacity",
  "scaling",
  "noise",
  "versus",
  "releases",
  "generators",
  "preset",
);
export type ExperimentKind = s.Static<typeof experimentKind>;

/** A variant in a report, with the id of its server. */
export class VariantRecord extends s.named(
  "Variant",
  s.object("One variant of an experiment, which is compared with the others.", {
    id: s.text.is("Its id."),
    label: s.text.is("Its name for people."),
    server: s.text.is("Id of its server."),
    generator: s.text.is("Id of its load generator, or `auto` for the fastest one on the machine."),
    env: s.record(s.text).is(
      "Environment variables of the server, in addition to its address and the database's.",
    ),
  }),
) {}

/** A variant that can be measured, with its complete server. */
export interface Variant extends Omit<VariantRecord, "server"> {
  readonly server: Server;
}

/** Distributions of the scheduled send times in an open loop. */
export const ARRIVALS = ["poisson", "even"] as const;
const arrivals = s.oneOf(...ARRIVALS).is(
  "Distribution of the arrivals: random (Poisson process), or at equal intervals.",
);

export class OpenPlan extends s.object("The rates of open loops.", {
  perS: s.record(s.list(s.positive)).is(
    "Rates in requests per second by scenario; each of them is measured.",
  ),
  closedLoopPerS: s.record(s.positive).is(
    "Closed-loop rate of the slowest server by scenario, if rates were given as shares of it; otherwise empty.",
  ),
  arrivals,
}) {}

export class LoadPlan extends s.object("The load on servers, and its duration.", {
  tls: alpn.orNull(
    "Protocol over TLS, with a certificate made for the run; null means HTTP/1.1 without TLS, or as a URL says.",
  ),
  connections: s.list(s.ordinal).orNull(
    "Numbers of connections; each is measured. Null uses the scenario's number, or the default.",
  ),
  defaultConnections: s.ordinal.is("Default number of connections."),
  shards: s.ordinal.is("Processes of a load generator, which share the connections."),
  durationS: s.positive.is("Length of a window, in seconds."),
  requests: s.ordinal.orNull(
    "Requests that end a window; null means by time, or as the scenario needs.",
  ),
  timeoutS: s.positive.is("Timeout of a response, in seconds."),
  warmupS: s.amount.orNull(
    "Warm-up before each window, in seconds. Null uses the scenario's or the server's, or the default.",
  ),
  defaultWarmupS: s.amount.is("Default warm-up before each window, in seconds."),
  open: OpenPlan.orNull(
    "Rates of open loops, in which requests do not wait for earlier responses; null for closed loops.",
  ),
}) {}

class SliceDesign extends s.object("How servers that run at the same time are loaded in turn.", {
  durationS: s.positive.is("Load of each variant at each scenario in each round, in seconds."),
  sliceMs: s.positive.is("Minimum length of a slice, in milliseconds."),
  responses: s.ordinal.is("Minimum number of responses of a slice."),
}) {}

export class Design
  extends s.object("How often everything is measured, in which order, and when the run ends.", {
    rounds: s.ordinal.is("Rounds of every variant and scenario."),
    maxRounds: s.ordinal.is(
      "Maximum number of rounds. Rounds are added while confidence intervals are wider than `width`.",
    ),
    width: s.amount.is(
      "Target width: half the confidence interval divided by the median. Below it, no rounds are added. 0.03 is 3 %.",
    ),
    until: s.oneOf("width", "verdict").is(
      "What rounds are added for. `width`: for wide confidence intervals. `verdict`: once, for changes in slices that are neither proven nor excluded, up to `maxRounds`.",
    ),
    budgetS: s.amount.orNull(
      "Maximum time of added rounds, in seconds; null means `budgetShare` times that of the first rounds.",
    ),
    budgetShare: s.amount.is(
      "Maximum time of added rounds, as a share of that of the first rounds.",
    ),
    ratiosOnly: s.flag.is(
      "Whether only the ratios of variants matter, not their own figures. Windows are then left out if slices are possible.",
    ),
    slices: SliceDesign.orNull("Slices that measure ratios; null means by windows only."),
    fallback: s.text.orNull(
      "Load generator that replaces a variant's if that would be the bottleneck; null if none does.",
    ),
    failOn: s.amount.orNull(
      "Threshold of the gate. A larger regression is measured again before it counts. 0.05 is 5 %; null without a gate.",
    ),
    needsAll: s.flag.is("Whether the run needs every variant's server."),
    pins: s.flag.is("Whether server, database and load generator get separate processors."),
    profileS: s.positive.orNull(
      "Seconds of load for profiling each server on V8, after all measurements; null means no profiles.",
    ),
    isTimed: s.flag.is("Whether rates and times are measured at all, and not only counts."),
    costs: s.list(s.oneOf(...COST_GROUPS)).is(
      "Groups of costs to measure apart from responses, after the rounds.",
    ),
    failOnCosts: s.record(s.amount, { propertyNames: { enum: [...COST_GROUPS] } }).is(
      "Thresholds of the gate for groups of costs, as shares.",
    ),
    counts: s.flag.is(
      "Whether system calls, bytes and others are counted for each request, after all measurements.",
    ),
    differences: s.oneOf("none", "changed", "all").is(
      "Scenarios at which base and head are profiled, so that their functions can be compared: `changed` are those with a proven change.",
    ),
    seed: s.count.is("Seed of the order of variants and scenarios."),
  }) {}

/** An experiment in a report, with the ids of its scenarios and servers. */
export class ExperimentRecord extends s.named(
  "Experiment",
  s.object(
    "An experiment: what is compared, at which scenarios, under which load, and by which design.",
    {
      kind: experimentKind.is("Kind of experiment."),
      variants: s.list(VariantRecord).is("The compared variants, in order."),
      reference: VariantRecord.orNull(
        "Reference server of relative CPU, with its response to `/`, measured in the same slices; null without one.",
      ),
      scenarios: s.list(s.text).is("Ids of the scenarios, in order."),
      load: LoadPlan.is("The load on servers, and its duration."),
      design: Design.is("How often everything is measured, and when the run ends."),
      search: SearchPlan.orNull(
        "Search for the highest rate, for the kind `capacity`; null for other kinds.",
      ),
    },
  ),
) {}

/** An experiment that can be measured, with its complete variants and scenarios. It is never modified. */
export interface Experiment extends Omit<ExperimentRecord, "variants" | "reference" | "scenarios"> {
  readonly variants: readonly Variant[];
  readonly reference: Variant | null;
  readonly scenarios: readonly Scenario[];
}

export class OpenLoad
  extends s.object("Requests sent at a rate, without waiting for earlier responses.", {
    perS: s.positive.is("Requests per second."),
    arrivals,
    seed: s.count.is("Seed of random arrival times."),
  }) {}

export class Load extends s.object("The load on a server during one window.", {
  connections: s.ordinal.is("Connections, each with one pending request."),
  shards: s.ordinal.is("Processes of the load generator, which share the connections."),
  warmupS: s.amount.is("Minimum warm-up before the window, in seconds."),
  mostWarmupS: s.amount.is(
    "Maximum warm-up before the window, in seconds. It continues while the rate still climbs.",
  ),
  durationS: s.positive.is("Length of the window in seconds; with `responses`, approximately."),
  responses: s.ordinal.orNull(
    "Number of responses that ends the window, in whole cycles of the scenario; null means by time.",
  ),
  timeoutS: s.positive.is("Timeout of a response, in seconds."),
  open: OpenLoad.orNull(
    "The open loop; null for a closed loop, in which each connection waits for its response.",
  ),
}) {}

export class Trial extends s.object("One window to measure, with its position in the run.", {
  index: s.count.is("Position in the run, from 0."),
  purpose: s.oneOf("measure", "scale", "pilot", "search", "confirm").is(
    "`scale`: tests whether more shards or connections raise the rate. `pilot`: a short window before the first round, which shows whether the load generator would be the bottleneck, or the start rate of a search. `search` and `confirm`: tests whether an SLO is met at a rate, by a process with earlier load or by a fresh one. Only `measure` counts for results.",
  ),
  round: s.upTo(MOST.roundNumber, s.ordinal).is("Round of the trial, from 1."),
  variant: s.text.is("Id of the variant."),
  scenario: s.text.is("Id of the scenario."),
  generator: s.text.is("Id of the load generator."),
  load: Load.is("The load on the server."),
  workloadConnections: s.ordinal.orNull(
    "Connections of its result, if a scale test loads with more; null means those of the load.",
  ),
}) {}

/** The properties of a workload: a scenario under a load. */
export const workload = {
  scenario: s.text.is("Id of the scenario."),
  connections: s.ordinal.is(
    "Connections of the load to each server; in an open loop, the maximum.",
  ),
  perS: s.positive.orNull("Requests per second of an open loop; null in a closed loop."),
};
